package import SynthAudio
import SynthSpeech
import SynthSystem

/// What plays a queue. The thread that mixes holds it and not the queue, so that the program can let go of the queue.
struct QueueRunner: Sendable {
    let host: SpeechHost
    let options: SpeechQueue.Options
    let clips: ClipLibrary
    let sessions: QueueSessions
    let board: QueueBoard

    /// Plays on a thread of its own, and suspends until it ends.
    ///
    /// - Parameters:
    ///   - play: the number that the board gave; nil = it plays already.
    ///   - onEvents: called on that thread.
    @discardableResult
    func run(
        _ play: Int?, into sink: any AudioSink,
        _ onEvents: @escaping @Sendable ([SpeechQueue.Event], _ written: Int) -> Void
    ) async throws(SpeechError) -> QueueSummary {
        guard let play else { throw .alreadyRead }
        let result = await withTaskCancellationHandler {
            await onThread("queue") { () -> Result<QueueSummary, SpeechError> in
                do throws(SpeechError) {
                    return .success(try mix(into: sink, onEvents))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            board.cancel(play)
        }
        switch result {
        case .success(let summary):
            if summary.wasCancelled { throw .cancelled }
            return summary
        case .failure(let failure): throw failure
        }
    }

    /// Plays on this thread, after the board was begun. Blocks until it ends.
    func mix(
        into sink: any AudioSink, _ onEvents: @escaping ([SpeechQueue.Event], _ written: Int) -> Void
    ) throws(SpeechError) -> QueueSummary {
        let maker = ItemMaker(format: options.format, clips: clips, sessions: sessions, isHeard: sink.isHeard)
        var mixer = QueueMixer(board, maker, options, to: sink, onEvents: onEvents)
        do {
            let summary = try mixer.run()
            board.end(keepsItems: !summary.wasCancelled)
            return summary
        } catch {
            let wasCancelled = board.isCancelled
            board.end(keepsItems: false)
            if wasCancelled { return mixer.summary(wasCancelled: true) }
            throw error
        }
    }
}

/// What became of a queue.
package struct QueueSummary: Equatable, Sendable {
    package var format: AudioFormat
    /// Handed to the sink; 0 = nothing was heard.
    package var frames: Int
    package var wasCancelled: Bool

    package var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}

/// The sink of a queue, which begins with the first block.
struct QueueOutput {
    let sink: any AudioSink
    let format: AudioFormat
    /// Handed to the sink.
    private(set) var frames = 0
    private(set) var hasBegun = false
    /// The same frames, for any thread.
    private let written = Monitor(0)

    /// How long before a device runs dry the sound goes on without what is late.
    private static let margin = Duration.milliseconds(40)

    init(_ sink: any AudioSink, _ format: AudioFormat) {
        self.sink = sink
        self.format = format
    }

    /// How long one may wait for more without a gap in what sounds.
    var patience: Duration {
        guard hasBegun else { return .zero }
        return max(.zero, .seconds(Double(sink.queuedFrames()) / Double(format.sampleRate)) - Self.margin)
    }

    /// How long it takes until so many frames have sounded, or all that there are. On any thread.
    func left(until end: Int) -> Duration {
        // In this order: what comes between them counts as not yet played.
        let written = written.read { $0 }
        let queued = sink.queuedFrames()
        return .seconds(Double(max(0, min(queued, end - (written - queued)))) / Double(format.sampleRate))
    }

    /// Blocks while the sink takes nothing more.
    mutating func write(_ samples: [Float]) throws(SpeechError) {
        do {
            if !hasBegun { try sink.begin(format) }
            hasBegun = true
            guard !samples.isEmpty else { return }
            try sink.write(samples[...])
            frames += samples.count / format.channels
            written.update { [frames] in $0 = frames }
        } catch {
            throw SpeechError(error)
        }
    }

    /// Ends the sink, unless nothing began: a file that was there stays as it was.
    ///
    /// - Parameter isWhole: whether all of it came.
    func finish(isWhole: Bool) throws(SpeechError) {
        guard hasBegun else { return }
        do {
            if isWhole { try sink.finish() } else { try sink.finishEarly() }
        } catch {
            throw SpeechError(error)
        }
    }
}
