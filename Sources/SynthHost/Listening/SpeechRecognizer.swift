import Glibc
import SynthAudio
import SynthListening
public import SynthSpeech
import SynthSystem
public import SynthUserVoices

/// A recognizer with its model. The model is loaded on first use and stays loaded until the recognizer is released. Can be used from any
/// thread or task.
public final class SpeechRecognizer: Sendable {
    let source: RecognizerSource
    /// The language to use if the options specify none.
    private let language: String?

    init(_ source: RecognizerSource, language: String?) {
        self.source = source
        self.language = language
    }

    /// Loads the model in advance, so that the first words are recognized without delay.
    public func warmUp() async throws(SpeechError) {
        try await onThread("recognizer") { [source] () throws(SpeechError) in try source.warmUp() }
    }

    /// Listens to a microphone. Listening starts with the first read.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        var options = options
        options.language = options.language ?? language
        return SpeechListening(options) { [source] () throws(SpeechError) in source }
    }

    /// Transcribes an audio file. The work starts with the first read.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        var options = options
        options.language = options.language ?? language
        return SpeechTranscription(path, options) { [source] () throws(SpeechError) in source }
    }
}

extension SpeechHost {
    /// Returns a recognizer for a model.
    ///
    /// - Parameters:
    ///   - model: the model's ID or name, or nil for the configured model or, failing that, the first suitable model.
    ///   - language: the default spoken language (BCP 47), or nil if it is unknown.
    /// - Throws: `recognizerMissing` or `modelMissing` if no recognizer or no suitable model is installed, `modelUnknown` or
    ///   `modelLanguageUnsupported` if the named model does not exist or does not support the language, or
    ///   `modelNotDownloaded` if the model's files are not installed.
    public func recognizer(
        _ model: String? = nil, language: String? = nil
    ) async throws(SpeechError) -> SpeechRecognizer {
        try await blocking { backend throws(SpeechError) in
            SpeechRecognizer(try backend.recognizerSource(model: model, language: language), language: language)
        }
    }

    /// Listens to a microphone with a temporary recognizer. Listening starts with the first read. To listen repeatedly, use
    /// ``recognizer(_:language:)`` instead.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        SpeechListening(options) { [backend] () throws(SpeechError) in
            try backend.recognizerSource(model: nil, language: options.language)
        }
    }

    /// Transcribes an audio file with a temporary recognizer. The work starts with the first read.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        SpeechTranscription(path, options) { [backend] () throws(SpeechError) in
            try backend.recognizerSource(model: nil, language: options.language)
        }
    }
}

/// The transcription of an audio file: `for try await event in transcription`.
///
/// The file can have any format that libsndfile supports or, if ffmpeg is installed, any audio or video format that
/// ffmpeg supports. The maximum duration is 24 hours. The audio is split at pauses, and the chunks are transcribed in
/// order. Transcription proceeds only as fast as the events are read. Leaving the loop, cancelling its task or calling
/// `cancel()` stops the transcription. The sequence can be read only once. If the loop ends without an error, it has
/// received the complete text.
public struct SpeechTranscription: AsyncSequence, Sendable {
    /// A transcription event.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded.
        case loading
        /// The next sentence.
        case segment(TranscriptSegment)
        /// The duration transcribed so far, and the total duration if it is known.
        case progress(Duration, of: Duration?)
    }

    public typealias Element = Event
    public typealias Failure = SpeechError

    private let run: EventRun<Event>

    /// - Parameter source: returns the recognizer. May block.
    init(
        _ path: String, _ options: TranscriptionOptions,
        by source: @escaping @Sendable () throws(SpeechError) -> RecognizerSource
    ) {
        run = EventRun("transcription") { run throws(SpeechError) in
            try Self.transcribe(path, options, by: try source(), run)
        }
    }

    /// Cancels the transcription. No more events arrive. Can be called from any thread; does not block.
    public func cancel() { run.cancel() }

    /// Waits until the transcription ends and returns the text.
    ///
    /// - Returns: the complete text, in paragraphs separated by empty lines. A long pause starts a new paragraph.
    /// - Throws: the same errors as the loop.
    public func text() async throws(SpeechError) -> String {
        var (text, paragraphs) = ("", TranscriptParagraphs())
        for try await event in self {
            guard case .segment(let segment) = event else { continue }
            text += paragraphs.add(segment.text, from: segment.start.seconds, to: segment.end.seconds)
        }
        return text
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: EventLease(run)) }

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let lease: EventLease<Event>

        /// Returns the next event, or nil after the last event.
        ///
        /// - Throws: `cancelled` as soon as the transcription is cancelled; `alreadyRead` if another iterator has read events; an error if
        ///   the recognizer fails; or, after the text of the readable part, an error if the file cannot be read.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Event? {
            try await lease.next(isolation: actor)
        }
    }

    /// The bytes with which every progress file begins.
    private static let signature = Array("synthhost ".utf8)

    /// Transcribes the file. Called on a separate thread.
    private static func transcribe(
        _ path: String, _ options: TranscriptionOptions, by source: RecognizerSource, _ run: EventRun<Event>
    ) throws(SpeechError) {
        let transcription = source.transcription(
            language: options.language, isTranslated: options.isTranslated, prompt: options.prompt,
            words: options.words, splitsChannels: options.splitsChannels)
        let (clip, rate) = (ClipFile(path: path), transcription.rate)
        let whole: Duration?
        do { whole = try transcription.seconds(of: clip).map { .seconds($0) } } catch {
            throw SpeechError(error.ofRecording)
        }
        let journal = try options.progressFile.map { path throws(SpeechError) in
            try Self.journal(path, of: clip, transcription.subject(clip), sparing: source.facts.inUse)
        }
        run.tell(.loading)
        var sentences = TranscriptSentences(rate: rate)
        // Even if the file is damaged, report the text of its readable part.
        defer { for sentence in sentences.finish() { run.tell(.segment(TranscriptSegment(sentence, rate: rate))) } }
        func tell(_ piece: TranscribedPiece) {
            for sentence in sentences.add(piece) { run.tell(.segment(TranscriptSegment(sentence, rate: rate))) }
            run.tell(.progress(.seconds(Double(piece.frames.upperBound) / Double(rate)), of: whole))
        }
        let earlier = journal?.pieces ?? []
        for piece in earlier { tell(piece) }
        var failure: SpeechError?
        try transcription.run(
            clip, skipping: earlier.count, unless: { run.isCancelled }, stopping: { stop in run.stopping(by: stop) }
        ) { piece in
            do throws(Errno) { try journal?.add(piece) } catch {
                failure = SpeechError(
                    AudioError.outputNotWritten(name: .file(options.progressFile ?? ""), code: error.code))
                return false
            }
            tell(piece)
            return !run.isCancelled
        }
        if let failure { throw failure }
        for sentence in sentences.finish() { run.tell(.segment(TranscriptSegment(sentence, rate: rate))) }
        if !run.isCancelled { journal?.remove() }
    }

    /// Opens a progress file. Does not overwrite the recording, a file that the host uses, or any file that is not a
    /// progress file.
    private static func journal(
        _ path: String, of clip: ClipFile, _ subject: String, sparing inUse: FilesInUse
    ) throws(SpeechError) -> TranscriptJournal {
        let isRecording = RegularFile(path: path).map { $0 == RegularFile(path: clip.path) } ?? false
        if let use = isRecording ? .sound : inUse.use(ofPath: path) {
            throw SpeechError(AudioError.outputInUse(path: path, use, kept: nil))
        }
        let beginning = (try? readWholeFile(path, limit: 1 << 28))?.prefix(Self.signature.count) ?? []
        guard beginning.isEmpty || Array(beginning) == Self.signature else {
            throw SpeechError(AudioError.outputNotCreated(path: path, code: EEXIST))
        }
        do {
            return try TranscriptJournal(path, of: subject)
        } catch {
            guard error == Errno(EWOULDBLOCK) else {
                throw SpeechError(AudioError.outputNotCreated(path: path, code: error.code))
            }
            throw SpeechError(
                .filesBusy, "Another transcription is using \(path).", .init(path: path), remedy: .tryLater)
        }
    }
}
