import SynthAudio
import System

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
            await onThread("queue") { () -> Result<QueueSummary, ItemFailure> in
                do throws(ItemFailure) {
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
        case .failure(let failure): throw failure.error
        }
    }

    /// Plays on this thread, after the board was begun. Blocks until it ends.
    func mix(
        into sink: any AudioSink, _ onEvents: @escaping ([SpeechQueue.Event], _ written: Int) -> Void
    ) throws(ItemFailure) -> QueueSummary {
        let maker = ItemMaker(format: options.format, clips: clips, sessions: sessions, isHeard: sink.isHeard)
        var mixer = QueueMixer(board, maker, options, to: sink, onEvents: onEvents)
        do throws(ItemFailure) {
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
