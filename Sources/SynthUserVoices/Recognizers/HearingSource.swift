import Glibc
package import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthListening
package import SynthRecognizers
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

/// Names and terms that are likely to be said, so that recognizers find and spell them: the user's own, and those of a request.
package enum Vocabulary {
    /// The most of one request, and the bytes of each.
    package static let (most, longest) = (500, 100)
    private static let largestFile = 1 << 20

    /// Reads a file with a word or phrase in each line. Lines that begin with `#` are comments.
    ///
    /// - Throws: `fileNotReadable`, or `lexiconInvalid` with the line that is wrong.
    package static func words(of path: String) throws(SpeechError) -> [String] {
        let bytes: [UInt8]
        do { bytes = try readWholeFile(path, limit: largestFile) } catch {
            throw .notReadable(path, error, remedy: .checkFile)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .wrongVocabulary(path, 1, "is not UTF-8")
        }
        var words: [String] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let word = plain(line)
            if word.isEmpty || word.hasPrefix("#") { continue }
            guard word.utf8.count <= longest else {
                throw .wrongVocabulary(path, number + 1, "has more than \(longest) bytes")
            }
            words.append(word)
            guard words.count <= most else {
                throw .wrongVocabulary(path, number + 1, "is one too many: up to \(most) words are heeded")
            }
        }
        return words
    }

    /// What a recognizer gets: each once, in order, as many as it may have.
    ///
    /// - Parameters:
    ///   - prompt: what was said before, or a sentence with names and terms.
    ///   - words: names and terms that may occur.
    package static func hints(_ prompt: String?, _ words: [String]) -> HearingHints {
        var seen: Set<String> = []
        let known = words.map(plain).filter { !$0.isEmpty && $0.utf8.count <= longest && seen.insert($0).inserted }
        return HearingHints(context: prompt.flatMap { $0.isEmpty ? nil : $0 }, phrases: Array(known.prefix(most)))
    }

    private static func plain(_ text: some StringProtocol) -> String {
        text.split { $0.isWhitespace || $0.unicodeScalars.first?.properties.generalCategory == .control }
            .joined(separator: " ")
    }
}

extension Inventory {
    /// The user's own names and terms; none if there is no such file.
    package func vocabulary() throws(SpeechError) -> [String] {
        let path = host.vocabularyPath
        return access(path, F_OK) == 0 ? try Vocabulary.words(of: path) : []
    }
}

extension SpeechError {
    /// - Parameter flaw: what follows "Line 3 of words.txt".
    fileprivate static func wrongVocabulary(_ path: String, _ line: Int, _ flaw: String) -> SpeechError {
        SpeechError(
            .lexiconInvalid, "Line \(line) of \(path) \(flaw).", Facts(path: path, line: line),
            remedy: .correctLexicon(path))
    }
}
