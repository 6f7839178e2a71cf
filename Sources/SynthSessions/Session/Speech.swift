import SynthEngineWire
public import SynthSpeech
public import SynthSystem

/// A text that is spoken while it is read: `for try await part in speech`.
///
/// The sound is made as it is asked for, ahead of the reader by a bounded time. A reader that stops reading stops the engine. A speech
/// is read once. Leaving the loop, cancelling its task and `cancel()` end it at once; the session speaks on.
///
/// A loop that ends without an error has had the whole text. Any thread or task may read it, one at a time.
public struct Speech: AsyncSequence, Sendable {
    /// What comes out of a speech, in the order in which it sounds.
    @nonexhaustive
    public enum Part: Equatable, Sendable {
        /// Once, before the first sound. A text without anything to say has none.
        case format(SpeechFormat)
        /// A piece of sound, which follows the one before it without a gap.
        case audio(Audio)
        /// Before the audio that holds its frame.
        case sentence(Event)
        /// Before the audio that holds its frame.
        case word(Event)
        /// Before the audio that holds its frame.
        case phoneme(Event, ipa: String)
        /// A mark of a script is reached. Before the audio that holds its frame, or the last part.
        case mark(Event, name: String)
    }

    /// A piece of sound.
    public struct Audio: Equatable, Sendable {
        /// Its first frame, counted from the beginning of the speech.
        public let frame: Int
        /// Interleaved; whole frames.
        public let samples: [Float]

        /// Sound that begins at a frame; interleaved, whole frames.
        public init(frame: Int, samples: [Float]) {
            self.frame = frame
            self.samples = samples
        }
    }

    /// Something in the text begins to sound.
    public struct Event: Equatable, Sendable {
        /// Its first frame, counted from the beginning of the speech.
        public let frame: Int
        /// Its bytes (UTF-8) in the text.
        public let source: Range<Int>

        /// An event at a frame, for bytes of the text.
        public init(frame: Int, source: Range<Int>) {
            self.frame = frame
            self.source = source
        }
    }

    public typealias Element = Part
    public typealias Failure = SpeechError

    package let run: SpeechRun

    init(_ run: SpeechRun) { self.run = run }

    /// Ends it: nothing more is given, and the engine stops. From any thread; returns at once.
    public func cancel() { run.cancel() }

    /// What was done otherwise than the text asks; all of it once the speech has ended.
    public var notices: [SpeechNotice] { run.notices }

    /// The same speech, which also tells each notice as it comes up, each once, on the thread that makes the sound. Before the
    /// first read.
    package func noting(by body: @escaping @Sendable (SpeechNotice) -> Void) -> Speech {
        run.noting(by: body)
        return self
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: SpeechLease(run)) }

    /// Reads the parts of a speech.
    public struct Iterator: AsyncIteratorProtocol {
        private let lease: SpeechLease
        /// Parts of the last piece of sound that were not given yet.
        private var parts: ArraySlice<Part> = []
        private var frames = 0
        private var channels = 0

        init(lease: SpeechLease) { self.lease = lease }

        /// The next part; nil after the last.
        ///
        /// - Throws: `cancelled` as soon as it was cancelled; what went wrong, after everything that was spoken before.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Part? {
            if !parts.isEmpty, lease.run.isCancelled { throw .cancelled }
            // A piece may only say that an utterance ends.
            while parts.isEmpty {
                guard let piece = try await lease.run.next(lease, isolation: actor) else { return nil }
                parts = unfolded(piece)[...]
            }
            return parts.popFirst()
        }

        mutating func unfolded(_ piece: SoundQueue.Piece) -> [Part] {
            var unfolded: [Part] = []
            if channels == 0, let format = lease.run.format {
                channels = format.channels
                unfolded.append(.format(format))
            }
            unfolded += piece.events.compactMap(Part.init)
            if !piece.samples.isEmpty {
                unfolded.append(.audio(Audio(frame: frames, samples: piece.samples)))
                frames += piece.samples.count / Swift.max(channels, 1)
            }
            return unfolded
        }
    }
}

extension Speech.Part {
    package init?(_ event: SpokenEvent) {
        let place = Speech.Event(frame: event.frame, source: event.source)
        switch event.kind {
        case .sentence: self = .sentence(place)
        case .word: self = .word(place)
        case .phoneme: self = .phoneme(place, ipa: event.label ?? "")
        case .mark: self = .mark(place, name: event.label ?? "")
        default: return nil
        }
    }
}

/// The right to read a speech, which ends with the loop that reads it, however it is left.
package final class SpeechLease: Sendable {
    package let run: SpeechRun
    /// The number of this reader; the first that reads has the speech.
    package let number: Int

    package init(_ run: SpeechRun) {
        self.run = run
        number = run.newReader()
    }

    deinit { run.end(self) }
}

/// Reads a speech on a thread that may block. Its end counts as a cancel. One thread uses it.
package struct SpeechReader {
    private var iterator: Speech.Iterator
    private let lease: SpeechLease
    private let listener: SpeechRun.Listener

    /// - Parameters:
    ///   - isAwaited: somebody waits for the first sound.
    ///   - isHeard: it is played as it comes, so that no more is wanted than the next sentence in time.
    package init(_ speech: Speech, isAwaited: Bool = true, isHeard: Bool = false) {
        lease = SpeechLease(speech.run)
        iterator = Speech.Iterator(lease: lease)
        listener = SpeechRun.Listener(isAwaited: isAwaited, isHeard: isHeard)
    }

    /// The next parts; nil after the last, and once it was cancelled. Blocks until there are some.
    package mutating func next() throws(SpeechError) -> [Speech.Part]? {
        while let piece = try lease.run.take(lease, for: listener) {
            let parts = iterator.unfolded(piece)
            if !parts.isEmpty { return parts }
        }
        return nil
    }
}
