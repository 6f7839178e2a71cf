import Glibc
package import SynthAudio
package import SynthEngineProcesses
import SynthEngineWire
package import SynthListening
package import SynthSpeech
package import SynthSystem
import SynthVerbalization

/// A recognizer with a model, and where its sound comes from: what is heard by microphones and in files is understood by it. Its
/// process starts when it is first needed; the model stays loaded until this value ends, or `end`. Any thread may use it.
package final class HearingSource: Sendable {
    /// What there is to know of it.
    package struct Facts: Sendable {
        /// Of the sound that it is given, in hertz.
        package var rate: UInt32
        /// The longest piece of a long sound, in seconds.
        package var longestPiece = 28.0
        /// How many pieces at once.
        package var lanes = 2
        /// What is spoken if neither a caller nor the recognizer says.
        package var language: String
        /// Changes with all that changes what it understands.
        package var identity = ""
        /// Names and terms that are likely to be said.
        package var vocabulary: [String] = []
        /// What no recording takes the place of.
        package var inUse = FilesInUse()

        package init(rate: UInt32, language: String) {
            self.rate = rate
            self.language = language
        }
    }

    package let facts: Facts
    let sounds: any SoundSource
    private let verbalizers: Verbalizers?
    private let openLane: @Sendable () throws(EngineFailure) -> any HearingLane
    private let openDetector: (@Sendable () throws(EngineFailure) -> any HearingLane)?
    private let abandon: @Sendable () -> Void
    /// Those that nobody uses; the model is loaded as long as there is one.
    private let idle = Monitor<[any HearingLane]>([])
    private let idleDetectors = Monitor<[any HearingLane]>([])

    /// - Parameters:
    ///   - verbalizers: what reads numbers; nil = none are read from words.
    ///   - openLane: blocks until the model is loaded.
    ///   - openDetector: the same for what says where speech begins and ends; nil = loudness does.
    ///   - abandon: ends its process at once. Never blocks.
    package init(
        _ facts: Facts, hearing sounds: any SoundSource, _ verbalizers: Verbalizers?,
        openLane: @escaping @Sendable () throws(EngineFailure) -> any HearingLane,
        openDetector: (@Sendable () throws(EngineFailure) -> any HearingLane)? = nil,
        abandon: @escaping @Sendable () -> Void = {}
    ) {
        self.facts = facts
        self.sounds = sounds
        self.verbalizers = verbalizers
        self.openLane = openLane
        self.openDetector = openDetector
        self.abandon = abandon
    }

    /// Listens to a microphone.
    ///
    /// - Parameters:
    ///   - language: what is spoken (BCP-47); nil = the recognizer finds out.
    ///   - prompt: what was said before, or a sentence with names and terms.
    ///   - words: names and terms that may occur, beside the vocabulary.
    package func dictation(
        language: String?, expecting expected: ExpectedSpeech, prompt: String? = nil, words: [String] = []
    ) -> Dictation {
        Dictation(
            self, language: language, expecting: expected, Vocabulary.hints(prompt, words + facts.vocabulary))
    }

    /// Understands files.
    ///
    /// - Parameters:
    ///   - language: what is spoken (BCP-47); nil = the recognizer finds out.
    ///   - isTranslated: the text is to be English.
    ///   - timesWords: whether words get times, which some recognizers find in a second look.
    ///   - prompt: what was said before, or a sentence with names and terms.
    ///   - words: names and terms that may occur, beside the vocabulary.
    ///   - splitsChannels: whether each channel is understood by itself; else they are mixed.
    package func transcription(
        language: String?, isTranslated: Bool = false, timesWords: Bool = true, prompt: String? = nil,
        words: [String] = [], splitsChannels: Bool = false
    ) -> Transcription {
        Transcription(
            self,
            HearingRequest(
                language: language, hints: Vocabulary.hints(prompt, words + facts.vocabulary),
                wants: timesWords ? .words : [], isTranslated: isTranslated),
            splitsChannels: splitsChannels)
    }

    /// Ends its process at once; whatever listens throws. Never blocks.
    package func end() { abandon() }

    /// Loads the model. Blocks meanwhile.
    package func warmUp() throws(SpeechError) {
        do { giveBack(try takeLane()) } catch { throw SpeechError(error) }
    }

    /// A lane for one sound after the other. Blocks until the model is loaded.
    package func takeLane() throws(EngineFailure) -> any HearingLane {
        while let lane = idle.update({ $0.popLast() }) { if lane.isAlive { return lane } }
        return try openLane()
    }

    /// A lane that is not used any more keeps the model loaded.
    package func giveBack(_ lane: any HearingLane) { idle.update { $0.append(lane) } }

    /// A lane of the detector; nil = there is none. Blocks until its model is loaded.
    func takeDetector() throws(EngineFailure) -> (any HearingLane)? {
        while let lane = idleDetectors.update({ $0.popLast() }) { if lane.isAlive { return lane } }
        return try openDetector?()
    }

    func giveBack(detector lane: any HearingLane) { idleDetectors.update { $0.append(lane) } }

    /// Says where somebody speaks in a recording.
    var gate: SpeechGate {
        @Sendable func take() -> (any HearingLane)? { try? takeDetector() }
        return SpeechGate(takeDetector: take) { [self] in giveBack(detector: $0) }
    }

    func verbalizer(of language: String?) -> Verbalizer? { verbalizers?.verbalizer(of: language ?? facts.language) }
}

extension Verbalizers {
    /// Those that are installed with this program; nil = there are none.
    package static func installed() -> Verbalizers? {
        let environment = ProcessEnvironment().variables
        let place = try? Installation(executable: Installation.executable, environment: environment)
        return place?.languages.map { Verbalizers(tables: $0) }
    }
}

/// Where a recognizer gets its sound: the devices and files of this machine, or a double of them.
package protocol SoundSource: Sendable {
    /// Opens a microphone, which hears from the first read on.
    ///
    /// - Parameters:
    ///   - device: as ALSA names it.
    ///   - rate: in hertz.
    func microphone(_ device: String, rate: UInt32) throws(AudioError) -> any Microphone

    /// Opens a file, as one channel or with all of its own.
    func sound(of file: ClipFile, rate: UInt32, splitsChannels: Bool) throws(AudioError) -> any StoredSound

    /// How long a file says that it lasts; nil = it does not say. Opens it, so that what cannot be read is known.
    func seconds(of file: ClipFile, rate: UInt32) throws(AudioError) -> Double?
}

/// The devices and files of this machine.
struct MachineSounds: SoundSource {
    /// What decodes the files that libsndfile does not read.
    let media: MediaProgram

    /// Longer sounds end with an error.
    private static let longest = Duration.seconds(24 * 60 * 60)

    func microphone(_ device: String, rate: UInt32) throws(AudioError) -> any Microphone {
        try ALSACapture(device: device, rate: Int(rate))
    }

    func sound(of file: ClipFile, rate: UInt32, splitsChannels: Bool) throws(AudioError) -> any StoredSound {
        try FileSound(file, rate: rate, splitsChannels: splitsChannels, longest: Self.longest, by: media)
    }

    func seconds(of file: ClipFile, rate: UInt32) throws(AudioError) -> Double? {
        try opened(file, rate: rate).statedSeconds
    }

    func opened(_ file: ClipFile, rate: UInt32) throws(AudioError) -> ClipReader {
        try ClipReader(
            file, as: AudioFormat(sampleRate: Int(rate), channels: 1), longest: Self.longest, by: media)
    }
}
