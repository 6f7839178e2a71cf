package import SynthAudio
import SynthSpeech
import SynthSystem

/// A queue of speech, recorded sounds and pauses on one or more channels.
///
/// The next items of each channel are prepared during playback, so that items follow one another without a gap, even if
/// their voices, engines, rates and formats differ. Items can be appended, skipped and cleared at any time, from any
/// thread or task, whether or not the queue is playing.
///
/// ```swift
/// let queue = SpeechQueue(host)
/// queue.append(.speech("Thank you,"))
/// queue.append(.clip("name.wav", gain: .decibels(12)))
/// queue.append(.clip("rain.flac"), to: "background")
/// try await queue.play()
/// ```
///
/// A queue plays until all of its channels are empty. It can then be filled and played again. The mix of the channels
/// never clips. Memory use does not depend on the number or length of the queued items.
public final class SpeechQueue: Sendable {
    /// The options passed to the initializer.
    public var options: Options { runner.options }
    private let runner: QueueRunner
    private var board: QueueBoard { runner.board }

    /// Creates an empty queue. A clip is specified by its name in the configuration or by a path.
    public convenience init(_ host: SpeechHost, _ options: Options = Options()) {
        self.init(host, options, clips: host.backend.clips.with(.anywhere))
    }

    /// - Parameter clips: resolves clip names.
    package init(_ host: SpeechHost, _ options: Options = Options(), clips: ClipLibrary) {
        runner = QueueRunner(
            host: host, options: options, clips: clips, sessions: QueueSessions(host), board: QueueBoard())
    }

    // No more items can be appended once the queue is released, so playback ends after the last item.
    deinit { board.finish() }

    /// Appends an item to a channel.
    ///
    /// - Returns: the item's identifier, as reported in its events.
    @discardableResult
    public func append(_ item: Item, to channel: Channel = .main) -> Item.ID { board.append(item, to: channel) }

    /// Skips the current item of a channel, or the next one if none is current, and continues with the item after it.
    /// Does nothing if the queue is not playing or the channel is empty. Up to 200 ms of audio that the device has
    /// already buffered is still played.
    public func skip(_ channel: Channel = .main) { board.skip(channel) }

    /// Drops all items on a channel, including the current one.
    public func clear(_ channel: Channel = .main) { board.clear(channel) }

    /// Drops all items on all channels.
    public func clearAll() { for channel in board.channels { board.clear(channel) } }

    /// Sets the level of a channel for current and later items. The level changes smoothly within 10 ms.
    public func setLevel(_ level: SoundLevel, of channel: Channel) { board.setLevel(level.factor, of: channel) }

    /// Closes a queue that was created with ``Options/staysOpen``. Playback then ends as soon as all channels are
    /// empty.
    public func finish() { board.finish() }

    /// Stops playback immediately and drops the queued items.
    public func stop() { board.cancel() }

    /// Plays the queue and suspends until playback is complete. Cancelling the task stops the audio immediately and drops the queued items.
    ///
    /// - Throws: `cancelled`, `alreadyRead` if the queue is already playing, an error such as `deviceFailed` if the
    ///   device fails, or the error of a failed item if `Options.onFailure` is `end`.
    public func play(on output: AudioOutput = .standard) async throws(SpeechError) {
        let sink = sink(output)
        try await runner.run(board.begin { sink.stop() }, into: sink) { _, _ in }
    }

    /// Starts playback and returns a handle for observing and stopping it. Playback continues even if you release the
    /// handle. If you release a queue that stays open, playback ends after the last item.
    public func startPlaying(on output: AudioOutput = .standard) -> QueuePlayback { start(into: sink(output)) }

    /// Writes the queue to a file in the format given by its extension, as in ``Speech/write(to:_:timings:)``. All
    /// channels wait for one another, so every run writes the same audio.
    ///
    /// - Parameters:
    ///   - path: the path of the audio file.
    ///   - options: the format and the tags.
    ///   - onEvent: called for each event in order, on the writing thread. It should return quickly.
    /// - Throws: `cancelled`, `alreadyRead` if the queue is already playing, `nothingToSay` if there was no audio, an
    ///   error such as `formatUnknown` or `fileNotCreated` if the file cannot be written, or the error of a failed item
    ///   if `Options.onFailure` is `end`.
    public func write(
        to path: String, _ options: SpeechFileOptions = SpeechFileOptions(),
        onEvent: (@Sendable (Event) -> Void)? = nil
    ) async throws(SpeechError) {
        let sink = try rethrowing(
            options.resolved(for: path).sink(path: path, sparing: runner.host.backend.inUse),
            as: AudioError.asSpeechError)
        try await write(into: sink, onEvent)
    }

    func write(into sink: any AudioSink, _ onEvent: (@Sendable (Event) -> Void)? = nil) async throws(SpeechError) {
        let summary = try await runner.run(board.begin { sink.stop() }, into: sink) { events, _ in
            for event in events { onEvent?(event) }
        }
        if summary.frames == 0 { throw .nothingToSay }
    }

    func start(into sink: any AudioSink) -> QueuePlayback {
        let control = PlaybackControl<Event>(sink: sink, sampleRate: options.format.sampleRate)
        // Register the playback now, so that it can be stopped at any time after this call.
        let play = board.begin { sink.stop() }
        let runner = runner
        let work = Task { () -> Result<Void, SpeechError> in
            do throws(SpeechError) {
                try await runner.run(play, into: sink) { events, written in
                    control.handed(frames: written, level: 0)
                    control.append(events)
                }
                control.end(wasPlayed: true)
                return .success(())
            } catch {
                if case .cancelled = error { control.end(wasPlayed: false) } else { control.end(wasPlayed: true) }
                return .failure(error)
            }
        }
        return QueuePlayback(control, work) { [board] in if let play { board.cancel(play) } }
    }

    private func sink(_ output: AudioOutput) -> any AudioSink {
        ALSASink(device: output.device ?? runner.host.backend.presets.device ?? "default")
    }

    /// Passes the audio of the entire queue to a sink on the calling thread, which must not belong to the cooperative
    /// pool. Blocks until the sink has received all of the audio or the queue is stopped. The sink is always finished,
    /// so that a file contains all audio up to an error.
    ///
    /// - Parameter onEvents: called on the same thread with the events of the next block and the number of frames that
    ///   the sink already has.
    package func deliver(
        to sink: any AudioSink, _ onEvents: @escaping (_ events: [Event], _ written: Int) -> Void = { _, _ in }
    ) throws(SpeechError) -> QueueSummary {
        guard board.begin(stoppingBy: { sink.stop() }) != nil else { throw .alreadyRead }
        return try runner.mix(into: sink, onEvents)
    }
}

extension SpeechQueue {
    /// Queue options.
    public struct Options: Hashable, Sendable {
        /// The policy for items that fail, for example because a clip is missing or an engine crashes.
        @nonexhaustive
        public enum FailurePolicy: Hashable, Sendable {
            /// End the queue with the error when the item's turn comes.
            case end
            /// Report the error in the failed item's last event and continue with the next item.
            case leaveOut
        }

        /// The output format, to which voices and clips are converted.
        public var format: SpeechFormat
        /// The policy for failed items.
        public var onFailure: FailurePolicy
        /// Whether the queue waits for more items when all channels are empty, until ``SpeechQueue/finish()`` is called.
        public var staysOpen: Bool

        /// Creates options. The default format is 48,000 Hz stereo.
        public init(
            format: SpeechFormat = SpeechFormat(sampleRate: 48_000, channels: 2), onFailure: FailurePolicy = .end,
            staysOpen: Bool = false
        ) {
            self.format = format
            self.onFailure = onFailure
            self.staysOpen = staysOpen
        }
    }
}

extension SpeechQueue {
    /// A queue channel. Items on the same channel are played in order; channels are played in parallel.
    public struct Channel: Hashable, Sendable, ExpressibleByStringLiteral {
        /// A name chosen by the program.
        public let name: String

        /// Creates a reference to the channel with this name. The channel itself is created on first use.
        public init(_ name: String) { self.name = name }

        /// Creates a reference to the channel with this name.
        public init(stringLiteral name: String) { self.name = name }

        /// The default channel.
        public static let main = Channel("main")
    }
}
