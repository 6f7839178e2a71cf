package import SynthAudio
import SynthSpeech

/// Speech, recorded sounds and pauses, one after the other and beside each other.
///
/// Items stand in line on channels. What comes next is prepared while something sounds, so that one item follows the other
/// without a gap, whatever voices, engines, rates and formats they have. Items may be appended, skipped and cleared at any
/// time, from any thread or task, while the queue plays or not.
///
/// ```swift
/// let queue = SpeechQueue(host)
/// queue.append(.speech("Thank you,"))
/// queue.append(.clip("name.wav", gain: .decibels(12)))
/// queue.append(.clip("rain.flac"), to: "background")
/// try await queue.play()
/// ```
///
/// A queue plays until all of its channels are empty, and may then be filled and played again. The sum of its channels
/// never clips. Its memory does not depend on how much stands in line and how long it is.
public final class SpeechQueue: Sendable {
    /// As it was made.
    public var options: Options { runner.options }
    private let runner: QueueRunner
    private var board: QueueBoard { runner.board }

    /// An empty queue. Names of clips are those of the configuration, or paths.
    public convenience init(_ host: SpeechHost, _ options: Options = Options()) {
        self.init(host, options, clips: host.backend.clips.with(.anywhere))
    }

    /// - Parameter clips: what the names of clips mean.
    package init(_ host: SpeechHost, _ options: Options = Options(), clips: ClipLibrary) {
        runner = QueueRunner(
            host: host, options: options, clips: clips, sessions: QueueSessions(host), board: QueueBoard())
    }

    // Nobody can append anything any more.
    deinit { board.finish() }

    /// Puts an item at the end of a channel's line.
    ///
    /// - Returns: how events call it.
    @discardableResult
    public func append(_ item: Item, to channel: Channel = .main) -> Item.ID { board.append(item, to: channel) }

    /// Ends the item that sounds on a channel, or is about to; the next one follows. Nothing happens if the queue does not
    /// play, or nothing is in line there. What the device has taken already still sounds, at most a fifth of a second.
    public func skip(_ channel: Channel = .main) { board.skip(channel) }

    /// Drops all items of a channel, also the one that sounds.
    public func clear(_ channel: Channel = .main) { board.clear(channel) }

    /// Drops all items of all channels.
    public func clearAll() { for channel in board.channels { board.clear(channel) } }

    /// How loud a channel is, at once and for all its items to come. It changes within a hundredth of a second, without a
    /// click.
    public func setLevel(_ level: SoundLevel, of channel: Channel) { board.setLevel(level.factor, of: channel) }

    /// Lets a queue that stays open end as soon as all of its channels are empty.
    public func finish() { board.finish() }

    /// Ends what plays, silence at once. What stands in line is dropped.
    public func stop() { board.cancel() }

    /// Plays it. Suspends until all of it was heard; cancelling the task is silence at once, and drops what stands in line.
    ///
    /// - Throws: `cancelled`, `alreadyRead` if it plays already, `output` if the device fails, and what ended an item if
    ///   the options say that this ends the queue.
    public func play(on output: AudioOutput = .standard) async throws(SpeechError) {
        let sink = sink(output)
        try await runner.run(board.begin { sink.stop() }, into: sink) { _, _ in }
    }

    /// Plays it beside whatever the caller does next, to be watched. It goes on whether somebody holds the playback or not.
    /// One that stays open ends once nobody holds the queue, after what was appended.
    public func startPlaying(on output: AudioOutput = .standard) -> QueuePlayback { start(into: sink(output)) }

    /// Writes it to a file, in the format of the name's ending, as ``Speech/write(to:_:timings:)`` does. All channels wait
    /// for each other, so that the file is the same each time.
    ///
    /// - Parameters:
    ///   - path: the sound file.
    ///   - options: how it is written.
    ///   - onEvent: called for each event, in order, on the thread that writes, which it should not hold up.
    /// - Throws: as ``play(on:)``; also `nothingToSay`, and `output` if the file cannot be written.
    public func write(
        to path: String, _ options: SpeechFileOptions = SpeechFileOptions(),
        onEvent: (@Sendable (Event) -> Void)? = nil
    ) async throws(SpeechError) {
        let sink: any AudioSink
        do {
            sink = try options.resolved(for: path).sink(path: path, sparing: runner.host.backend.inUse)
        } catch {
            throw SpeechError(error)
        }
        try await write(into: sink, onEvent)
    }

    func write(into sink: any AudioSink, _ onEvent: (@Sendable (Event) -> Void)? = nil) async throws(SpeechError) {
        let summary = try await runner.run(board.begin { sink.stop() }, into: sink) { events, _ in
            for event in events { onEvent?(event) }
        }
        if summary.frames == 0 { throw .nothingToSay }
    }

    func start(into sink: any AudioSink) -> QueuePlayback {
        let feed = QueueFeed(sink, sampleRate: options.format.sampleRate)
        // At once, so that it can be stopped at once.
        let play = board.begin { sink.stop() }
        let runner = runner
        let work = Task { () -> Result<Void, SpeechError> in
            do throws(SpeechError) {
                try await runner.run(play, into: sink) { feed.comes($0, written: $1) }
                feed.end(wasHeard: true)
                return .success(())
            } catch {
                if case .cancelled = error { feed.end(wasHeard: false) } else { feed.end(wasHeard: true) }
                return .failure(error)
            }
        }
        return QueuePlayback(feed, work) { [board] in if let play { board.cancel(play) } }
    }

    private func sink(_ output: AudioOutput) -> any AudioSink {
        ALSASink(device: output.device ?? runner.host.backend.device ?? "default")
    }

    /// Hands all of it to a sink, on this thread, which must not be one of the cooperative pool. Blocks until the sink has
    /// it or the queue was stopped. Whatever happens the sink is finished, so that a file holds what sounded so far.
    ///
    /// - Parameter onEvents: called on this thread for events whose sound goes to the sink next, and with how many frames
    ///   the sink has.
    package func deliver(
        to sink: any AudioSink, _ onEvents: @escaping (_ events: [Event], _ written: Int) -> Void = { _, _ in }
    ) throws(SpeechError) -> QueueSummary {
        guard board.begin(stoppingBy: { sink.stop() }) != nil else { throw .alreadyRead }
        return try runner.mix(into: sink, onEvents)
    }
}

extension SpeechQueue {
    /// How a queue sounds and ends.
    public struct Options: Hashable, Sendable {
        /// What becomes of the queue if an item cannot be heard, because a clip is missing or an engine crashed.
        @nonexhaustive
        public enum FailurePolicy: Hashable, Sendable {
            /// The queue ends as soon as the item would sound, with its error.
            case end
            /// The item ends with an event, and the next one follows.
            case leaveOut
        }

        /// The format of the whole sound. Voices and clips of other formats are converted.
        public var format: SpeechFormat
        /// What becomes of the queue if an item fails.
        public var onFailure: FailurePolicy
        /// Whether it waits for more items when all channels are empty, until ``SpeechQueue/finish()``.
        public var staysOpen: Bool

        /// What the properties say; 48 000 Hz and two channels, which holds every usual clip.
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
    /// What items stand in line on. The items of one channel sound one after the other, those of two beside each other.
    public struct Channel: Hashable, Sendable, ExpressibleByStringLiteral {
        /// Any text that the program chooses.
        public let name: String

        /// The channel of this name. It needs no making.
        public init(_ name: String) { self.name = name }

        /// The channel of this name.
        public init(stringLiteral name: String) { self.name = name }

        /// The channel of items that name none.
        public static let main = Channel("main")
    }
}
