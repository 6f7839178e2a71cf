package import SynthAudio
import SynthEngineWire
public import SynthSystem

/// Speech that is synthesized as you iterate over it: `for try await part in speech`.
///
/// The engine synthesizes a limited amount of audio ahead of the reader. If the reader stops, the engine stops. The
/// sequence can be read only once. Leaving the loop, cancelling its task or calling `cancel()` stops the speech
/// immediately. The session remains usable.
///
/// If the loop ends without an error, it has received the speech for the entire text. The sequence can be read from any
/// thread or task, but only from one at a time.
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
        /// A mark in a script. Sent before the audio that contains its frame or, if no more audio follows, at the end.
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

    /// Sets a callback that is called once for each notice, on the synthesis thread. Call this method before the first
    /// read.
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
            // A chunk may contain only the end of an utterance and no parts.
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
    /// The reader's ID. Whichever reader reads first owns the speech.
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

/// The audio device for playback.
public struct AudioOutput: Hashable, Sendable {
    package let device: String?

    /// The configured device or, if none is configured, the default device.
    public static let standard = AudioOutput(device: nil)

    /// Returns the device with this ALSA name.
    public static func device(_ name: String) -> AudioOutput { AudioOutput(device: name) }
}

extension Speech {
    /// Plays the speech. Suspends until playback is complete. Cancelling the task stops the audio immediately.
    ///
    /// - Parameters:
    ///   - output: the audio device.
    ///   - timings: the path of a file for word timings, as in ``write(to:_:timings:)``, or nil for none.
    /// - Throws: `cancelled`; an error such as `deviceNotOpened` or `deviceFailed` if the device cannot play the audio;
    ///   `timingsFormatUnknown` or `timingsNotWritten` if the timings file cannot be written; or any error that reading the speech throws.
    public func play(
        on output: AudioOutput = .standard, timings: String? = nil
    ) async throws(SpeechError) {
        let timings = try file(timings)
        try await run.play(into: ALSASink(device: output.device ?? run.device ?? "default"), timings: timings)
    }

    /// Starts playback and returns a handle to observe and control it. If you release the handle, playback continues
    /// unless it is paused, in which case it stops.
    public func startPlaying(on output: AudioOutput = .standard) -> SpeechPlayback {
        start(into: ALSASink(device: output.device ?? run.device ?? "default"))
    }

    package func start(into sink: any AudioSink) -> SpeechPlayback {
        let control = PlaybackControl<SpokenEvent>(sink: sink)
        let run = run
        let work = Task { () -> Result<Void, SpeechError> in
            do throws(SpeechError) {
                try await run.play(into: sink, steeredBy: control)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        return SpeechPlayback(run, control, work)
    }

    /// Writes the speech to a file in the format that its extension specifies: `.wav`, `.flac`, `.mp3`, `.opus` or `.ogg`. Without an
    /// extension, the format is WAV. Suspends until the file is complete.
    ///
    /// The audio is written to a temporary file, which is given its final name when the speech is complete. Until then,
    /// an existing file remains unchanged. If the speech ends early, the audio is stored as "name (stopped).wav". Files
    /// that the host is using, such as clips, lexicons or voices, are never overwritten. WAV files larger than 4 GiB
    /// are written as RF64. A pipe receives the audio during synthesis.
    ///
    /// A second file can contain word timings: subtitles (`.srt` or `.vtt`) or JSON (`.json`). The times are relative
    /// to the start of the written audio. If the engine does not report word timings, the file contains sentence
    /// timings instead; `.vtt` and `.json` files indicate this. If the speech ends early, an existing timings file
    /// remains unchanged, and the new one is stored next to it under an unused name.
    ///
    /// - Parameters:
    ///   - path: the path of the audio file.
    ///   - options: the format and the tags.
    ///   - timings: the path of the timings file, or nil for none. The speech options need not request events.
    /// - Throws: `cancelled`; `nothingToSay`; an error such as `fileNotCreated`, `diskFull` or `timingsNotWritten` if a file cannot be
    ///   written; `formatUnknown`, `formatContradicted`, `formatUnsupported` or `timingsFormatUnknown` if a format cannot be used; or any
    ///   error that reading the speech throws. Errors in the paths and options are thrown before synthesis starts.
    public func write(
        to path: String, _ options: SpeechFileOptions = .init(), timings: String? = nil
    ) async throws(SpeechError) {
        if let timings, areOneFile(path, timings) { throw .outputsCollide(path: path) }
        let timings = try file(timings)
        let sink = try rethrowing(
            options.resolved(for: path).sink(path: path, sparing: run.inUse), as: AudioError.asSpeechError)
        if try await run.play(into: sink, timings: timings).frames == 0 { throw .nothingToSay }
    }

    private func file(_ timings: String?) throws(SpeechError) -> TimingsFile? {
        return try timings.map { path throws(SpeechError) in
            try TimingsFile(path: path, sparing: run.inUse)
        }
    }

    /// Passes all audio to a sink on the calling thread, which must not belong to the cooperative pool. Blocks until the sink
    /// has received all audio or the speech is cancelled. Finishes the sink even after an error, so that a file contains all
    /// audio up to the error.
    ///
    /// - Parameters:
    ///   - timings: the timings file, which is written in parallel and renamed when the speech ends.
    ///   - progress: called on the same thread.
    package func deliver(
        to sink: any AudioSink, timings: TimingsFile? = nil, _ progress: (SpeechProgress) -> Void = { _ in }
    ) throws(SpeechError) -> SpeechSummary {
        let lease = SpeechLease(run)
        defer { withExtendedLifetime(lease) {} }
        return try run.deliver(lease, to: sink, timings: timings, progress)
    }
}
