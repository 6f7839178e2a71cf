import SynthAudio
import SynthListening
public import SynthSpeech
import SynthSystem
public import SynthUserVoices

/// A recognizer with a model: loaded when it first listens, and warm until it is let go. Any thread or task may use it.
public final class SpeechRecognizer: Sendable {
    let source: HearingSource
    /// What is spoken if the options do not say.
    private let language: String?

    init(_ source: HearingSource, language: String?) {
        self.source = source
        self.language = language
    }

    /// Loads the model now, so that the first words need not wait for it.
    public func warmUp() async throws(SpeechError) {
        let source = source
        try await onThread("recognizer") { () -> Result<Void, SpeechError> in
            do throws(SpeechError) { return .success(try source.warmUp()) } catch { return .failure(error) }
        }.get()
    }

    /// Listens to a microphone, from the first read on.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        let source = source
        var options = options
        options.language = options.language ?? language
        return SpeechListening(options) { () throws(SpeechError) in source }
    }

    /// Understands a sound file, from the first read on.
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
    /// A recognizer with a model that listens, and stays loaded as long as the program keeps it.
    ///
    /// - Parameters:
    ///   - model: its id or name; nil = that of the configuration, or the first that suits.
    ///   - language: what is spoken (BCP-47) unless the options say otherwise; nil = not known.
    /// - Throws: `listening` if there is none, or its files are not here.
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

    /// Listens to a microphone, from the first read on, with a recognizer that is let go afterwards. Who listens again and again
    /// keeps a ``recognizer(_:language:)``.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        let backend = backend
        return SpeechListening(options) { () throws(SpeechError) in
            try backend.hearing(model: nil, language: options.language)
        }
    }

    /// Understands a sound file, from the first read on, with a recognizer that is let go afterwards.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        let backend = backend
        return SpeechTranscription(path, options) { () throws(SpeechError) in
            try backend.hearing(model: nil, language: options.language)
        }
    }
}

/// What is said in a sound file, as it is understood: `for try await event in transcription`.
///
/// The file may have any format that libsndfile reads or, if it is installed, ffmpeg, also a video, and last up to 24 hours; it is understood in pieces that are cut in pauses, in
/// the order of the sound. Who reads slowly holds it up. Leaving the loop, cancelling its task and `cancel()` end it. It is read
/// once. A loop that ends without an error has had all of the file.
public struct SpeechTranscription: AsyncSequence, Sendable {
    /// What happens.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded.
        case loading
        /// The next sentence.
        case segment(TranscriptSegment)
        /// So much of the file is understood; how long it says that it is, if it says so.
        case progress(Duration, of: Duration?)
    }

    public typealias Element = Event
    public typealias Failure = SpeechError

    private let run: EventRun<Event>

    /// - Parameter source: gives the recognizer. May block.
    init(
        _ path: String, _ options: TranscriptionOptions,
        by source: @escaping @Sendable () throws(SpeechError) -> HearingSource
    ) {
        run = EventRun("transcription") { run throws(SpeechError) in
            try Self.transcribe(path, options, by: try source(), run)
        }
    }

    /// Ends it: nothing more is told. From any thread; returns at once.
    public func cancel() { run.cancel() }

    /// Reads it to its end.
    ///
    /// - Returns: all of the text, in paragraphs with an empty line between them; a longer pause begins one.
    /// - Throws: as the loop.
    public func text() async throws(SpeechError) -> String {
        var (text, paragraphs) = ("", TranscriptParagraphs())
        for try await event in self {
            guard case .segment(let segment) = event else { continue }
            text += paragraphs.add(segment.text, from: segment.start.seconds, to: segment.end.seconds)
        }
        return text
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: EventLease(run)) }

    /// Waits for one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let lease: EventLease<Event>

        /// The next event; nil after the last.
        ///
        /// - Throws: `cancelled` as soon as it was cancelled; `clip` if the file cannot be read, after what was understood of it;
        ///   `engine` if the recognizer failed.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Event? {
            try await lease.next(isolation: actor)
        }
    }

    /// On a thread of its own.
    private static func transcribe(
        _ path: String, _ options: TranscriptionOptions, by source: HearingSource, _ run: EventRun<Event>
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
        // Also what was understood of a file that cannot be read to its end.
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
