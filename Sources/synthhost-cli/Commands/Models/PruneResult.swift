import ModelStore

/// A candidate for pruning in `models prune --json`.
struct PruneResult: Encodable {
    let path: String
    let bytes: Int64
    let reason: String
    /// Whether it is kept, because it does not belong to the store or may be wanted.
    let stays: Bool

    init(_ candidate: PruneCandidate, stays: Bool) {
        path = candidate.path
        bytes = candidate.size
        reason = candidate.reason.words
        self.stays = stays
    }
}
