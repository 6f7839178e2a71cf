import Engines

/// Another lane for a speech, while nobody else wants one.
struct SpareLane: Sendable {
    private let pool: LanePool
    /// Takes one of the pool's lanes for each utterance; nil = one is taken for the whole text.
    private let shared: SharedLane?

    init(_ pool: LanePool, taking shared: SharedLane? = nil) {
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
