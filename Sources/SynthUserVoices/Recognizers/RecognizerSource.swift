import Glibc
package import SynthAudio
package import SynthEngineProcesses
import SynthEngineWire
package import SynthListening
package import SynthSpeech
package import SynthSystem
import SynthVerbalization

/// A recognizer with a model and an audio source, which is a microphone or a file. The recognizer's process starts on
/// first use, and the model stays loaded until this value is released or `end` is called. Thread-safe.
package final class RecognizerSource: Sendable {
    /// The properties of the recognizer and its model.
    package struct Facts: Sendable {
        /// The input sample rate in hertz.
        package var rate: UInt32
        /// The maximum duration in seconds of the chunks into which long audio is split.
        package var longestPiece = 28.0
        /// The number of chunks to process in parallel.
        package var lanes = 2
        /// The language to assume if neither the caller nor the recognizer specifies a language.
        package var language: String
        /// A fingerprint of the model and all settings that affect the result.
        package var identity = ""
        /// Names and terms to expect.
        package var vocabulary: [String] = []
        /// Files that a recording must not overwrite.
        package var inUse = FilesInUse()

        package init(rate: UInt32, language: String) {
            self.rate = rate
            self.language = language
        }
    }

    package let facts: Facts
    let sounds: any SoundSource
    private let verbalizers: Verbalizers?
    private let openLane: @Sendable () throws(EngineFailure) -> any RecognitionLane
    private let openDetector: (@Sendable () throws(EngineFailure) -> any RecognitionLane)?
    private let abandon: @Sendable () -> Void
    /// The idle lanes. The model stays loaded while at least one lane exists.
    private let idle = Monitor<[any RecognitionLane]>([])
    private let idleDetectors = Monitor<[any RecognitionLane]>([])

    /// - Parameters:
    ///   - verbalizers: used to parse spoken numbers; nil to disable number parsing.
    ///   - openLane: opens a lane. Blocks until the model is loaded.
    ///   - openDetector: opens a voice activity detector lane, or nil to detect speech by loudness.
    ///   - abandon: stops the process immediately. Never blocks.
    package init(
        _ facts: Facts, from sounds: any SoundSource, _ verbalizers: Verbalizers?,
        openLane: @escaping @Sendable () throws(EngineFailure) -> any RecognitionLane,
        openDetector: (@Sendable () throws(EngineFailure) -> any RecognitionLane)? = nil,
        abandon: @escaping @Sendable () -> Void = {}
    ) {
        self.facts = facts
        self.sounds = sounds
        self.verbalizers = verbalizers
        self.openLane = openLane
        self.openDetector = openDetector
        self.abandon = abandon
    }

    /// Creates a transcription of a microphone's audio.
    ///
    /// - Parameters:
    ///   - language: the spoken language (BCP 47), or nil to detect it.
    ///   - prompt: the preceding text, or a sentence that contains names and terms.
    ///   - words: names and terms to expect, in addition to the vocabulary.
    package func microphoneTranscription(
        language: String?, expecting expected: ExpectedSpeech, prompt: String? = nil, words: [String] = []
    ) -> MicrophoneTranscription {
        MicrophoneTranscription(
            self, language: language, expecting: expected, Vocabulary.hints(prompt, words + facts.vocabulary))
    }

    /// Creates a transcription of files.
    ///
    /// - Parameters:
    ///   - language: the spoken language (BCP 47), or nil to detect it.
    ///   - isTranslated: whether to translate the text into English.
    ///   - timesWords: whether words get timestamps, which require a second pass in some recognizers.
    ///   - prompt: the preceding text, or a sentence that contains names and terms.
    ///   - words: names and terms to expect, in addition to the vocabulary.
    ///   - splitsChannels: whether to transcribe each channel separately. Otherwise the channels are mixed.
    package func transcription(
        language: String?, isTranslated: Bool = false, timesWords: Bool = true, prompt: String? = nil,
        words: [String] = [], splitsChannels: Bool = false
    ) -> Transcription {
        Transcription(
            self,
            RecognitionJob(
                language: language, hints: Vocabulary.hints(prompt, words + facts.vocabulary),
                wants: timesWords ? .words : [], isTranslated: isTranslated),
            splitsChannels: splitsChannels)
    }

    /// Stops the process immediately, so that pending calls throw. Never blocks.
    package func end() { abandon() }

    /// Loads the model. Blocks until it is loaded.
    package func warmUp() throws(SpeechError) {
        do { release(try takeLane()) } catch { throw SpeechError(error) }
    }

    /// Takes a lane, which can process one recording after another. Blocks until the model is loaded.
    package func takeLane() throws(EngineFailure) -> any RecognitionLane {
        while let lane = idle.update({ $0.popLast() }) { if lane.isAlive { return lane } }
        return try openLane()
    }

    /// Returns a lane to the pool. An idle lane keeps the model loaded.
    package func release(_ lane: any RecognitionLane) { idle.update { $0.append(lane) } }

    /// Takes a detector lane, or returns nil if there is no detector. Blocks until its model is loaded.
    func takeDetector() throws(EngineFailure) -> (any RecognitionLane)? {
        while let lane = idleDetectors.update({ $0.popLast() }) { if lane.isAlive { return lane } }
        return try openDetector?()
    }

    func release(detector lane: any RecognitionLane) { idleDetectors.update { $0.append(lane) } }

    var gate: SpeechGate {
        @Sendable func take() -> (any RecognitionLane)? { try? takeDetector() }
        return SpeechGate(takeDetector: take) { [self] in release(detector: $0) }
    }

    func verbalizer(of language: String?) -> Verbalizer? { verbalizers?.verbalizer(of: language ?? facts.language) }
}

extension Verbalizers {
    /// The verbalizers that are installed with this program, or nil if there are none.
    package static func installed() -> Verbalizers? {
        let environment = ProcessEnvironment().variables
        let place = try? Installation(executable: Installation.executable, environment: environment)
        return place?.languages.map { Verbalizers(tables: $0) }
    }
}

/// A source of audio: this machine's devices and files, or a test double.
package protocol SoundSource: Sendable {
    /// Opens a microphone. Recording starts with the first read.
    ///
    /// - Parameters:
    ///   - device: the ALSA name.
    ///   - rate: the sample rate in hertz.
    func microphone(_ device: String, rate: UInt32) throws(AudioError) -> any Microphone

    /// Opens a file, either mixed down to mono or with all of its channels.
    func sound(of file: ClipFile, rate: UInt32, splitsChannels: Bool) throws(AudioError) -> any StoredAudio

    /// The duration stated in a file, or nil if the file does not state it. Opens the file and therefore throws if it
    /// is unreadable.
    func seconds(of file: ClipFile, rate: UInt32) throws(AudioError) -> Double?
}

struct MachineSounds: SoundSource {
    /// Decodes files that libsndfile cannot read.
    let media: MediaProgram

    /// The maximum duration of audio. Reading longer audio fails.
    private static let longest = Duration.seconds(24 * 60 * 60)

    func microphone(_ device: String, rate: UInt32) throws(AudioError) -> any Microphone {
        try ALSACapture(device: device, rate: Int(rate))
    }

    func sound(of file: ClipFile, rate: UInt32, splitsChannels: Bool) throws(AudioError) -> any StoredAudio {
        try FileAudio(file, rate: rate, splitsChannels: splitsChannels, longest: Self.longest, by: media)
    }

    func seconds(of file: ClipFile, rate: UInt32) throws(AudioError) -> Double? {
        try opened(file, rate: rate).statedSeconds
    }

    func opened(_ file: ClipFile, rate: UInt32) throws(AudioError) -> ClipReader {
        try ClipReader(
            file, as: AudioFormat(sampleRate: Int(rate), channels: 1), longest: Self.longest, by: media)
    }
}
