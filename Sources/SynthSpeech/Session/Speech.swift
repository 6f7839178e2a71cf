import SynthEngineWire
public import SynthSystem

/// Speech that is synthesized as you iterate over it: `for try await part in speech`.
///
/// The engine synthesizes a limited amount of audio ahead of the reader. If the reader stops, the engine stops. The
/// sequence can be read only once. Leaving the loop, cancelling its task or calling `cancel()` stops the speech
/// immediately. The session remains usable.
///
/// A loop that ends without an error has received the entire text. The sequence can be read from any thread or task, but
/// only from one at a time.
public struct Speech: AsyncSequence, Sendable {
    /// An element of the sequence, in playback order.
    @nonexhaustive
    public enum Part: Equatable, Sendable {
        /// The audio format. Sent once, before the first audio; never sent if the text contains no speech.
        case format(SpeechFormat)
        /// A chunk of audio that follows the previous one without a gap.
        case audio(Audio)
        /// The start of a sentence. Sent before the audio that contains its frame.
        case sentence(Event)
        /// The start of a word. Sent before the audio that contains its frame.
        case word(Event)
        /// The start of a phoneme. Sent before the audio that contains its frame.
        case phoneme(Event, ipa: String)
        /// A mark in a script. Sent before the audio that contains its frame or, if no audio follows, at the end.
        case mark(Event, name: String)
    }

    /// A chunk of audio.
    public struct Audio: Equatable, Sendable {
        /// The position of the first frame, relative to the start of the speech.
        public let frame: Int
        /// Interleaved samples of complete frames.
        public let samples: [Float]

        /// Creates a chunk from its position and the interleaved samples of complete frames.
        public init(frame: Int, samples: [Float]) {
            self.frame = frame
            self.samples = samples
        }
    }

    /// A position in the audio and the text that starts there.
    public struct Event: Equatable, Sendable {
        /// The frame, relative to the start of the speech.
        public let frame: Int
        /// The UTF-8 byte range in the text.
        public let source: Range<Int>

        /// Creates an event from a frame and a UTF-8 byte range in the text.
        public init(frame: Int, source: Range<Int>) {
            self.frame = frame
            self.source = source
        }
    }

    public typealias Element = Part
    public typealias Failure = SpeechError

    package let run: SpeechRun

    init(_ run: SpeechRun) { self.run = run }

    /// Cancels the speech. The reader receives no more parts, and the engine stops. Can be called from any thread; does not
    /// block.
    public func cancel() { run.cancel() }

    /// The deviations from the request. The list is complete once the speech has ended.
    public var notices: [SpeechNotice] { run.notices }

    /// Sets a callback that is called once for each notice, on the synthesis thread. Call this before the first read.
    package func noting(by body: @escaping @Sendable (SpeechNotice) -> Void) -> Speech {
        run.noting(by: body)
        return self
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: SpeechLease(run)) }

    /// Iterates over the parts of a ``Speech``.
    public struct Iterator: AsyncIteratorProtocol {
        private let lease: SpeechLease
        /// The remaining parts of the current chunk.
        private var parts: ArraySlice<Part> = []
        private var frames = 0
        private var channels = 0

        init(lease: SpeechLease) { self.lease = lease }

        /// Returns the next part, or nil after the last one.
        ///
        /// - Throws: `cancelled` as soon as the speech is cancelled; other errors after all parts that precede them.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Part? {
            if !parts.isEmpty, lease.run.isCancelled { throw .cancelled }
            // A chunk may contain no parts, only the end of an utterance.
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
        let position = Speech.Event(frame: event.frame, source: event.source)
        switch event.kind {
        case .sentence: self = .sentence(position)
        case .word: self = .word(position)
        case .phoneme: self = .phoneme(position, ipa: event.label ?? "")
        case .mark: self = .mark(position, name: event.label ?? "")
        default: return nil
        }
    }
}

/// Exclusive read access to a ``Speech``. Released when the reading loop exits.
package final class SpeechLease: Sendable {
    package let run: SpeechRun
    /// The reader's ID. The first reader to read owns the speech.
    package let number: Int

    package init(_ run: SpeechRun) {
        self.run = run
        number = run.newReader()
    }

    deinit { run.end(self) }
}

/// Reads a ``Speech`` synchronously on a thread that may block. Releasing the reader cancels the speech. Not thread-safe.
package struct SpeechReader {
    private var iterator: Speech.Iterator
    private let lease: SpeechLease
    private let listener: SpeechRun.Listener

    /// - Parameters:
    ///   - isAwaited: whether a listener is waiting for the first audio.
    ///   - isHeard: whether the audio is played as it arrives, in which case only the next sentence is urgent.
    package init(_ speech: Speech, isAwaited: Bool = true, isHeard: Bool = false) {
        lease = SpeechLease(speech.run)
        iterator = Speech.Iterator(lease: lease)
        listener = SpeechRun.Listener(isAwaited: isAwaited, isHeard: isHeard)
    }

    /// Returns the next parts, or nil after the last part or after cancellation. Blocks until parts are available.
    package mutating func next() throws(SpeechError) -> [Speech.Part]? {
        while let piece = try lease.run.take(lease, for: listener) {
            let parts = iterator.unfolded(piece)
            if !parts.isEmpty { return parts }
        }
        return nil
    }
}
