package import SynthAudio
import SynthSpeech
import SynthSystem

/// Plays a queue. The mixing thread retains the runner but not the queue, so that the queue can be released during playback.
struct QueueRunner: Sendable {
    let host: SpeechHost
    let options: SpeechQueue.Options
    let clips: ClipLibrary
    let sessions: QueueSessions
    let board: QueueBoard

    /// Plays the queue on a separate thread. Suspends the caller until playback ends.
    ///
    /// - Parameters:
    ///   - play: the playback number from the board, or nil if the queue is already playing.
    ///   - onEvents: called on the mixing thread.
    @discardableResult
    func run(
        _ play: Int?, into sink: any AudioSink,
        _ onEvents: @escaping @Sendable ([SpeechQueue.Event], _ written: Int) -> Void
    ) async throws(SpeechError) -> QueueSummary {
        guard let play else { throw .alreadyRead }
        let result = await withTaskCancellationHandler {
            await onThread("queue") { Result { () throws(SpeechError) in try mix(into: sink, onEvents) } }
        } onCancel: {
            board.cancel(play)
        }
        let summary = try result.get()
        if summary.wasCancelled { throw .cancelled }
        return summary
    }

    /// Runs a playback that has been registered with the board. Blocks the calling thread until playback ends.
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

/// The result of playing or writing a queue.
package struct QueueSummary: Equatable, Sendable {
    package var format: AudioFormat
    /// The number of frames passed to the sink. 0 if no audio was produced.
    package var frames: Int
    package var wasCancelled: Bool

    package var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}

/// A queue's output. The sink is started with the first block.
struct QueueOutput {
    let sink: any AudioSink
    let format: AudioFormat
    /// The number of frames passed to the sink.
    private(set) var frames = 0
    private(set) var hasBegun = false
    /// A copy of `frames` that can be read from any thread.
    private let written = Monitor(0)

    /// When the device has no more than this amount of audio left to play, the mixer continues without late channels.
    private static let margin = Duration.milliseconds(40)

    init(_ sink: any AudioSink, _ format: AudioFormat) {
        self.sink = sink
        self.format = format
    }

    /// How long the mixer can wait for late audio without an audible gap.
    var timeout: Duration {
        guard hasBegun else { return .zero }
        return max(.zero, .seconds(Double(sink.queuedFrames()) / Double(format.sampleRate)) - Self.margin)
    }

    /// Returns the time until `end` frames have been played, or all available frames if there are fewer. Can be called
    /// on any thread.
    func left(until end: Int) -> Duration {
        // Read `written` first, so that frames written after this point are treated as not yet played.
        let written = written.read { $0 }
        let queued = sink.queuedFrames()
        return .seconds(Double(max(0, min(queued, end - (written - queued)))) / Double(format.sampleRate))
    }

    /// Passes samples to the sink. Blocks while the sink is full.
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

    /// Finishes the sink if it was started. If it was not started, an existing file is left unchanged.
    ///
    /// - Parameter isWhole: whether the audio is complete.
    func finish(isWhole: Bool) throws(SpeechError) {
        guard hasBegun else { return }
        try rethrowing(isWhole ? sink.finish() : sink.finishEarly(), as: AudioError.asSpeechError)
    }
}
