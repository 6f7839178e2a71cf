package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

/// A lane that borrows one of the model's lanes for each utterance. Between utterances, and while this lane's consumer
/// is not reading, other requests can use the borrowed lane.
package final class SharedLane: SpeakingLane {
    private struct State {
        var ticket: LanePool.Ticket?
        var lane: (any SpeakingLane)?
    }
    private let pool: LanePool
    private let priority: SpeechPriority
    private let sound: any ExpandableBuffer
    private let state = Monitor(State())

    /// - Parameter sound: the destination of the audio.
    package init(_ pool: LanePool, _ priority: SpeechPriority, into sound: any ExpandableBuffer) {
        self.pool = pool
        self.priority = priority
        self.sound = sound
    }

    package var isAlive: Bool { true }

    package func cancel() {
        if let ticket = state.read({ $0.ticket }) { pool.giveUp(ticket) }
        // Called under the lock, because a returned lane may already be speaking for another client.
        state.read { $0.lane?.cancel() }
    }

    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        // While `setExpanded(true)` is in effect, the buffer accepts any amount of audio. Before starting another
        // utterance, wait until the buffered audio is back within the look-ahead limit.
        guard sound.waitForRoom() else { return false }
        var hasPart = false
        do throws(EngineFailure) {
            return try speakOnce(request, unless: isStopped, whileReplaceable: isReplaceable) { piece in
                hasPart = true
                return part(piece)
            }
        } catch {
            // Concurrent requests share the engine process, so another request that hangs can cause this request to
            // fail. In that case, retry.
            guard error.isCausedByAnotherRequest, !hasPart, !isStopped() else { throw error }
            return try speakOnce(request, unless: isStopped, whileReplaceable: isReplaceable, part)
        }
    }

    private func speakOnce(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let ticket = pool.ticket(priority)
        state.update { $0.ticket = ticket }
        defer { state.update { $0.ticket = nil } }
        if isStopped() { pool.giveUp(ticket) }
        guard let lane = try pool.take(ticket, whileReplaceable: isReplaceable) else { return false }
        state.update { $0.lane = lane }
        pool.share(ticket.number) { [sound] in sound.setExpanded(true) }
        defer {
            pool.leave(ticket.number)
            state.update { $0.lane = nil }
            sound.setExpanded(false)
            pool.release(lane)
        }
        var request = request
        // Requesting the first audio early would make the utterance take longer while other requests are waiting for
        // the lane.
        if pool.isAwaited(atLeast: priority) { request.isAwaited = false }
        return try lane.speak(request, unless: isStopped, whileReplaceable: isReplaceable, part)
    }
}

/// A buffer that receives a shared lane's audio. Its size is limited unless another client is waiting for the lane.
package protocol ExpandableBuffer: Sendable {
    /// Blocks while the buffer is full. Returns false if no more audio is needed.
    func waitForRoom() -> Bool

    /// Sets whether the buffer accepts all audio without blocking, so that the lane is freed soon.
    func setExpanded(_ isExpanded: Bool)
}

extension SoundQueue: ExpandableBuffer {}

/// An additional lane that is used while no other client needs it.
package struct SpareLane: Sendable {
    private let pool: LanePool
    /// A lane that is borrowed from the pool for each utterance, or nil to use one lane for the entire text.
    private let shared: SharedLane?

    package init(_ pool: LanePool, taking shared: SharedLane? = nil) {
        self.pool = pool
        self.shared = shared
    }

    /// Calls `body` with the lane if one is available. Between utterances, `body` calls its second argument to check
    /// whether the lane is still spare. May block.
    func use(_ body: (any SpeakingLane, _ isSpare: () -> Bool) -> Void) {
        if let shared { return body(shared) { pool.hasSpare } }
        guard let lane = try? pool.takeSpare() else { return }
        body(lane) { !pool.isAwaited }
        pool.release(lane)
    }
}
