import ModelStore

/// Something that nothing needs, in `models prune --json`.
struct LeftoverResult: Encodable {
    let path: String
    let bytes: Int64
    let reason: String

    init(_ leftover: Leftover) {
        path = leftover.path
        bytes = leftover.size
        reason = leftover.reason
    }
}
