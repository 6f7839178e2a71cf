import Listening
import SynthAudio
import Synthesis
import System
public import UserVoices

/// What is said in a sound file, as it is understood: `for try await event in transcription`.
///
/// The file may have any format that libsndfile reads, and last up to 24 hours; it is understood in pieces that are cut in pauses, in
/// the order of the sound. Who reads slowly holds it up. Leaving the loop, cancelling its task and `cancel()` end it. It is read
/// once. A loop that ends without an error has had all of the file.
public struct SpeechTranscription: AsyncSequence, Sendable {
    /// What happens.
    @nonexhaustive
    public enum Event: Sendable {
        /// The model is being loaded.
        case loading
        /// What was understood of the next part.
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
    /// - Returns: all of the text, a line for each segment.
    /// - Throws: as the loop.
    public func text() async throws(SpeechError) -> String {
        var lines: [String] = []
        for try await event in self { if case .segment(let segment) = event { lines.append(segment.text) } }
        return lines.joined(separator: "\n")
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
        let transcription = source.transcription(language: options.language, isTranslated: options.isTranslated)
        let (clip, rate) = (ClipFile(path: path), transcription.rate)
        let whole: Duration?
        do { whole = try transcription.seconds(of: clip).map { .seconds($0) } } catch {
            throw SpeechError(.clip(path, .file(error)))
        }
        run.tell(.loading)
        do {
            try transcription.run(
                clip, skipping: 0, unless: { run.isCancelled }, stopping: { stop in run.stopping(by: stop) }
            ) { piece in
                for text in piece.texts { run.tell(.segment(TranscriptSegment(text, rate: rate))) }
                run.tell(.progress(.seconds(Double(piece.frames.upperBound) / Double(rate)), of: whole))
                return !run.isCancelled
            }
        } catch {
            switch error {
            case .sound(let error): throw SpeechError(.clip(path, .file(error)))
            case .recognizer(let failure): throw SpeechError(.engine(failure))
            case .noThread: throw SpeechError(.noThread)
            }
        }
    }
}
