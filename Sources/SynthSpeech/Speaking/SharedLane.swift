package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

/// A lane for a speech that lets others speak between its utterances, and does not hold an engine while nobody takes its
/// sound. It takes one of the model's lanes for each utterance.
package final class SharedLane: SpeakingLane {
    private struct State {
        var ticket: LanePool.Ticket?
        var lane: (any SpeakingLane)?
    }
    private let pool: LanePool
    private let priority: SpeechPriority
    private let sound: any HurriedSound
    private let state = Monitor(State())

    /// - Parameter sound: where the speech goes.
    package init(_ pool: LanePool, _ priority: SpeechPriority, into sound: any HurriedSound) {
        self.pool = pool
        self.priority = priority
        self.sound = sound
    }

    package var isAlive: Bool { true }

    package func cancel() {
        if let ticket = state.read({ $0.ticket }) { pool.giveUp(ticket) }
        // With the lock held: a lane that was given back speaks for somebody else.
        state.read { $0.lane?.cancel() }
    }

    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        // What was queued beyond the look-ahead is read first: others may have hurried many utterances.
        guard sound.waitForRoom() else { return false }
        var hasPart = false
        do throws(EngineFailure) {
            return try speakOnce(request, unless: isStopped, whileReplaceable: isReplaceable) { piece in
                hasPart = true
                return part(piece)
            }
        } catch {
            // Speeches of others share the process. One that does not stop takes it along.
            guard error.isOfAnother, !hasPart, !isStopped() else { throw error }
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
        pool.share(ticket.number) { [sound] in sound.setHurried(true) }
        defer {
            pool.leave(ticket.number)
            state.update { $0.lane = nil }
            sound.setHurried(false)
            pool.giveBack(lane)
        }
        var request = request
        // What begins to sound sooner takes longer as a whole, and others wait for the lane.
        if pool.isAwaited(atLeast: priority) { request.isAwaited = false }
        return try lane.speak(request, unless: isStopped, whileReplaceable: isReplaceable, part)
    }
}

/// Where the sound of a shared lane goes: a bounded amount of it, unless somebody else waits for the lane.
package protocol HurriedSound: Sendable {
    /// Blocks while it holds as much as it may; false once nothing more is wanted.
    func waitForRoom() -> Bool

    /// Whether all that comes is to be taken at once, so that the lane is soon free.
    func setHurried(_ isHurried: Bool)
}

extension SoundQueue: HurriedSound {}

/// Another lane for a speech, while nobody else wants one.
package struct SpareLane: Sendable {
    private let pool: LanePool
    /// Takes one of the pool's lanes for each utterance; nil = one is taken for the whole text.
    private let shared: SharedLane?

    package init(_ pool: LanePool, taking shared: SharedLane? = nil) {
        self.pool = pool
        self.shared = shared
    }

    /// Calls `body` with the lane, unless there is none, and with what tells between two utterances whether it is still
    /// spare. May block.
    func use(_ body: (any SpeakingLane, _ isSpare: () -> Bool) -> Void) {
        if let shared { return body(shared) { pool.hasSpare } }
        guard let lane = try? pool.takeSpare() else { return }
        body(lane) { !pool.isAwaited }
        pool.giveBack(lane)
    }
}
