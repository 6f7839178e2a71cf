import Glibc
import SynthAudio
package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSpeech
package import SynthSystem

/// Measures how loud a voice is: it speaks up to ten sentences, which nobody hears, and their loudness is that of the voice.
///
/// The engine has a process of its own for it, so that its crash or a cancel disturbs no speech. The sound is taken as
/// the engine gives it: without any gain, and without the speed, pitch and volume that the user wants.
package struct LoudnessMeasurement: Sendable {
    /// Fewer sentences are enough on a machine that is slow at this voice: three differ from ten by 0.5 LU at most.
    static let fewest = 3
    /// After this no other sentence is begun: somebody waits.
    static let longest = Duration.seconds(3)
    /// Ten sentences last about 30 seconds. A voice that does not come to an end is not waited for.
    static let longestSound = 300

    /// The voice that is measured.
    package var voice: Voice { installed.voice }
    private let installed: InstalledVoice
    private let store: ModelStore
    private let engine: Engine
    private let prepared: PreparedVoice
    private let sentences: [String]
    private let now: @Sendable () -> Duration

    /// - Parameters:
    ///   - sentences: in the language of the voice.
    ///   - now: the time since a fixed moment.
    init(
        _ installed: InstalledVoice, of store: ModelStore, as prepared: PreparedVoice, by engine: Engine,
        speaking sentences: [String], now: @escaping @Sendable () -> Duration
    ) {
        self.installed = installed
        self.store = store
        self.prepared = prepared
        self.engine = engine
        self.sentences = sentences
        self.now = now
    }

    /// Makes `run` throw. May be called on any thread.
    package func cancel() { engine.abandon() }

    /// Measures the voice and keeps the result in its record. Blocks: after the voice is loaded hardly longer than three
    /// seconds, or the time that three sentences take. If this throws, the record is as it was.
    ///
    /// - Parameter onProgress: is told what share of the work is done, on this thread.
    @discardableResult
    package func run(_ onProgress: (Double) -> Void = { _ in }) throws(SpeechError) -> VoiceLoudness {
        let loudness = try measure(onProgress)
        do {
            try store.remember(loudness, of: installed)
        } catch {
            throw SpeechError(error)
        }
        return loudness
    }

    private func measure(_ onProgress: (Double) -> Void) throws(SpeechError) -> VoiceLoudness {
        // The engine's processes end with this.
        defer { engine.abandon() }
        let lane: EngineLane
        do {
            lane = try engine.openLane(on: prepared.load, handing: prepared.files)
        } catch {
            throw SpeechError(error)
        }
        let sound = MeasuredSound(longest: Self.longestSound)
        let start = now()
        for (place, sentence) in sentences.enumerated() {
            let elapsed = now() - start
            if place >= Self.fewest, elapsed >= Self.longest { break }
            // The sentences end it, or the time after the first few.
            let byTime = min(elapsed / Self.longest, Double(place) / Double(Self.fewest))
            onProgress(max(Double(place) / Double(sentences.count), byTime))
            let request = LaneRequest(
                .text(sentence), language: prepared.language ?? voice.language, voices: prepared.uses)
            do {
                _ = try lane.speak(request) { sound.take($0) }
            } catch {
                throw SpeechError(error)
            }
            if let failure = sound.failure { throw SpeechError(failure) }
        }
        guard let loudness = sound.loudness else { throw SpeechError(AudioError.notMeasured(.silent)) }
        return loudness
    }
}

/// The sound of several utterances, measured as one. One thread at a time.
final class MeasuredSound {
    private var format: AudioFormat?
    private var meter: LoudnessMeter?
    private var samples = 0
    private let longest: Int
    /// Why it cannot be measured; nil = nothing is wrong so far.
    private(set) var failure: AudioError?

    /// - Parameter longest: what is taken of it, in seconds.
    init(longest: Int) {
        self.longest = longest
    }

    /// - Returns: false if no more is wanted of the utterance.
    func take(_ part: SpeechPart) -> Bool {
        do {
            switch part {
            case .begin(let sampleRate, let channels):
                let format = AudioFormat(sampleRate: sampleRate, channels: channels)
                if self.format == nil {
                    meter = try LoudnessMeter(format: format)
                    self.format = format
                } else if self.format != format {
                    failure = .notMeasured(.formatChanged)
                }
            case .audio(let more):
                try meter?.add(more)
                samples += more.count
            case .event: break
            }
        } catch {
            failure = error
        }
        return failure == nil && !isTooLong
    }

    private var isTooLong: Bool {
        guard let format else { return false }
        return samples / (format.sampleRate * format.channels) >= longest
    }

    /// The loudness of one channel: a loudspeaker that plays it is as loud as one that plays a voice of one channel.
    var loudness: VoiceLoudness? {
        guard let format, let loudness = meter?.loudness else { return nil }
        return VoiceLoudness(
            lufs: loudness.integrated - 10 * log10(Double(format.channels)), peak: loudness.peak.value)
    }
}

/// The ten sentences that the loudness of a voice is measured with.
///
/// They stand in `sentences.txt` in the folder of the language's tables, one a line; a line that begins with `# ` is a
/// comment. A language without that file is measured with numbers, since every language has digits. With espeak-ng the two
/// differ by 0.1 to 0.8 LU in six languages, and by 1.4 LU in Japanese.
enum LoudnessSentences {
    static let count = 10

    /// For the languages that have no sentences. Without commas: pauses make speech softer before and after them.
    static let numbers = [
        "3 18 40 7 25 61.", "12 5 90 26 33 8.", "8 31 14 60 47 2.", "70 2 19 45 81 36.", "6 80 11 23 54 17.",
        "50 9 34 17 62 28.", "13 28 4 66 91 20.", "21 16 75 30 8 43.", "1 55 20 48 37 12.", "99 10 37 15 6 84.",
    ]

    /// - Parameters:
    ///   - language: BCP-47.
    ///   - folder: the folder of the languages' tables; nil = there is none.
    static func sentences(in language: String, of folder: String?) -> [String] {
        guard let folder else { return numbers }
        for tag in tags(of: language) where FileName.isID(tag) {
            guard let text = try? readWholeFile("\(folder)/\(tag)/sentences.txt", limit: 64 << 10) else { continue }
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
            let sentences = lines.filter { !$0.hasPrefix("# ") }.prefix(count)
            if sentences.count == count { return Array(sentences) }
        }
        return numbers
    }

    /// The language itself, without its region, and under its other names.
    private static func tags(of language: String) -> [String] {
        let names = [language] + RelatedLanguages.tags(for: language.lowercased())
        return names + names.map { String($0.prefix { $0 != "-" }) }
    }
}
