import Glibc
import SynthAudio
package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSpeech
package import SynthSystem

/// Measures a voice's loudness using up to ten sentences, which are synthesized but not played.
///
/// The measurement uses its own engine process, so that a crash or a cancellation does not disturb other speech. The
/// audio is measured without any gain and without the user's rate, pitch and volume.
package struct LoudnessMeasurement: Sendable {
    /// The minimum number of sentences, even if synthesis is slow. Measuring three sentences instead of ten changes the
    /// result by at most 0.5 LU.
    static let fewest = 3
    /// The time after which no further sentence is started, because the user is waiting.
    static let longest = Duration.seconds(3)
    /// The maximum duration of audio in seconds. Ten sentences last about 30 seconds, but a faulty voice might never
    /// end.
    static let longestSound = 300

    /// The voice to measure.
    package var voice: Voice { installed.voice }
    let installed: InstalledVoice
    let store: ModelStore
    let engine: Engine
    let prepared: PreparedVoice
    /// Sentences in the voice's language.
    let sentences: [String]
    /// Returns the time since a fixed point in time.
    let now: @Sendable () -> Duration

    /// Makes `run` throw. Can be called from any thread.
    package func cancel() { engine.abandon() }

    /// Measures the voice and stores the result in its record. After loading the voice, blocks for about three seconds,
    /// or longer if the synthesis of three sentences takes longer. If it throws, the record is unchanged.
    ///
    /// - Parameter onProgress: receives the completed fraction of the work. Called on the current thread.
    @discardableResult
    package func run(_ onProgress: (Double) -> Void = { _ in }) throws(SpeechError) -> VoiceLoudness {
        let loudness = try measure(onProgress)
        try rethrowing(store.remember(loudness, of: installed), as: StoreError.asSpeechError)
        return loudness
    }

    private func measure(_ onProgress: (Double) -> Void) throws(SpeechError) -> VoiceLoudness {
        // Stop the engine's processes at the end.
        defer { engine.abandon() }
        let lane = try rethrowing(
            engine.openLane(on: prepared.load, handing: prepared.files), as: EngineFailure.asSpeechError)
        let sound = MeasuredSound(longest: Self.longestSound)
        let start = now()
        for (place, sentence) in sentences.enumerated() {
            let elapsed = now() - start
            if place >= Self.fewest, elapsed >= Self.longest { break }
            // The measurement ends after the last sentence, or as soon as both the time limit and the minimum number of
            // sentences have been reached.
            let byTime = min(elapsed / Self.longest, Double(place) / Double(Self.fewest))
            onProgress(max(Double(place) / Double(sentences.count), byTime))
            let request = LaneRequest(
                .text(sentence), language: prepared.language ?? voice.language, voices: prepared.uses)
            _ = try rethrowing(lane.speak(request) { sound.take($0) }, as: EngineFailure.asSpeechError)
            if let failure = sound.failure { throw SpeechError(failure) }
        }
        guard let loudness = sound.loudness else { throw SpeechError(AudioError.notMeasured(.silent)) }
        return loudness
    }
}

/// Measures several utterances together. Not thread-safe.
final class MeasuredSound {
    private var format: AudioFormat?
    private var meter: LoudnessMeter?
    private var samples = 0
    private let longest: Int
    /// Why the audio cannot be measured, or nil if there was no error.
    private(set) var failure: AudioError?

    init(longest: Int) {
        self.longest = longest
    }

    /// - Returns: false if no more audio of the utterance is needed.
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

    /// The loudness of a single channel. It is measured per channel because a stereo voice played through one
    /// loudspeaker should be as loud as a mono voice.
    var loudness: VoiceLoudness? {
        guard let format, let loudness = meter?.loudness else { return nil }
        return VoiceLoudness(
            lufs: loudness.integrated - 10 * log10(Double(format.channels)), peak: loudness.peak.value)
    }
}

/// The ten sentences for measuring loudness.
///
/// The sentences are stored in `sentences.txt` in the folder with the language's tables, one per line. Lines that begin
/// with `# ` are comments. Voices for a language without this file are measured with numbers, because all languages
/// have digits. With espeak-ng, the two methods differ by 0.1 to 0.8 LU in six languages, and by 1.4 LU in Japanese.
enum LoudnessSentences {
    static let count = 10

    /// Numbers for languages without sentences. They contain no commas, because speech is quieter before and after
    /// pauses.
    static let numbers = [
        "3 18 40 7 25 61.", "12 5 90 26 33 8.", "8 31 14 60 47 2.", "70 2 19 45 81 36.", "6 80 11 23 54 17.",
        "50 9 34 17 62 28.", "13 28 4 66 91 20.", "21 16 75 30 8 43.", "1 55 20 48 37 12.", "99 10 37 15 6 84.",
    ]

    /// - Parameters:
    ///   - language: a BCP 47 tag.
    ///   - folder: the folder of all language tables, or nil if they are not installed.
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

    /// Returns the tags of the language and its related languages, each with and without the region.
    private static func tags(of language: String) -> [String] {
        let names = [language] + RelatedLanguages.tags(for: language.lowercased())
        return names + names.map { String($0.prefix { $0 != "-" }) }
    }
}
