import SynthAudio
import SynthListening
public import SynthSpeech
import SynthSystem
public import SynthUserVoices

/// A recognizer with a model. The model is loaded at first use and stays loaded until the recognizer is released. It may
/// be used from any thread or task.
public final class SpeechRecognizer: Sendable {
    let source: RecognizerSource
    /// The language to use if the options specify none.
    private let language: String?

    init(_ source: RecognizerSource, language: String?) {
        self.source = source
        self.language = language
    }

    /// Loads the model in advance, so that the first words are recognized without a delay.
    public func warmUp() async throws(SpeechError) {
        let source = source
        try await onThread("recognizer") { () -> Result<Void, SpeechError> in
            do throws(SpeechError) { return .success(try source.warmUp()) } catch { return .failure(error) }
        }.get()
    }

    /// Listens to a microphone. Listening starts with the first read.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        let source = source
        var options = options
        options.language = options.language ?? language
        return SpeechListening(options) { () throws(SpeechError) in source }
    }

    /// Transcribes an audio file. The work starts with the first read.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        let source = source
        var options = options
        options.language = options.language ?? language
        return SpeechTranscription(path, options) { () throws(SpeechError) in source }
    }
}

extension SpeechHost {
    /// Returns a recognizer with a model, which stays loaded while the program keeps the recognizer.
    ///
    /// - Parameters:
    ///   - model: the model's ID or name, or nil for the configured one or the first suitable one.
    ///   - language: the default spoken language (BCP-47), or nil if it is unknown.
    /// - Throws: `listening` if no model is available or its files are not installed.
    public func recognizer(
        _ model: String? = nil, language: String? = nil
    ) async throws(SpeechError) -> SpeechRecognizer {
        let backend = backend
        return try await onThread("speech-host") { () -> Result<SpeechRecognizer, SpeechError> in
            do throws(SpeechError) {
                let source = try backend.hearing(model: model, language: language)
                return .success(SpeechRecognizer(source, language: language))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Listens to a microphone with a recognizer that is released afterwards. Listening starts with the first read. To
    /// listen repeatedly, use ``recognizer(_:language:)`` instead.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        let backend = backend
        return SpeechListening(options) { () throws(SpeechError) in
            try backend.hearing(model: nil, language: options.language)
        }
    }

    /// Transcribes an audio file with a recognizer that is released afterwards. The work starts with the first read.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        let backend = backend
        return SpeechTranscription(path, options) { () throws(SpeechError) in
            try backend.hearing(model: nil, language: options.language)
        }
    }
}

/// A transcription of an audio file: `for try await event in transcription`.
///
/// The file may have any format that libsndfile supports or, if ffmpeg is installed, any audio or video format that
/// ffmpeg supports. It may last up to 24 hours. It is cut at pauses into pieces, which are transcribed in order. A slow
/// reader slows down the work. Leaving the loop, cancelling its task or calling `cancel()` ends it. The sequence can be
/// read only once. If the loop ends without an error, it has received the whole text.
public struct SpeechTranscription: AsyncSequence, Sendable {
    /// An event of a transcription.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded.
        case loading
        /// The next sentence.
        case segment(TranscriptSegment)
        /// The duration transcribed so far, and the total duration if the file states it.
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

    /// Ends the transcription. No more events arrive. It may be called from any thread and does not block.
    public func cancel() { run.cancel() }

    /// Waits for the end and returns the text.
    ///
    /// - Returns: the whole text, in paragraphs separated by empty lines. A long pause starts a new paragraph.
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

        /// Returns the next event, or nil after the last one.
        ///
        /// - Throws: `cancelled` as soon as it is cancelled; `clip` if the file cannot be read, after the text of the
        ///   readable part; `engine` if the recognizer failed.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Event? {
            try await lease.next(isolation: actor)
        }
    }

    /// Runs on a separate thread.
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
        run.tell(.loading)
        var sentences = TranscriptSentences(rate: rate)
        // This includes the text of the readable part if the file has an error.
        defer { for sentence in sentences.finish() { run.tell(.segment(TranscriptSegment(sentence, rate: rate))) } }
        try transcription.run(
            clip, skipping: 0, unless: { run.isCancelled }, stopping: { stop in run.stopping(by: stop) }
        ) { piece in
            for sentence in sentences.add(piece) { run.tell(.segment(TranscriptSegment(sentence, rate: rate))) }
            run.tell(.progress(.seconds(Double(piece.frames.upperBound) / Double(rate)), of: whole))
            return !run.isCancelled
        }
    }
}
