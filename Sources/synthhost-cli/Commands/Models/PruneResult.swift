import ModelStore

/// Something that nothing needs, in `models prune --json`.
struct LeftoverResult: Encodable {
    let path: String
    let bytes: Int64
    let reason: String
    /// Whether it is left where it is, because it is not ours or may be wanted.
    let stays: Bool

    init(_ leftover: Leftover, stays: Bool) {
        path = leftover.path
        bytes = leftover.size
        reason = leftover.reason
        self.stays = stays
    }
}
