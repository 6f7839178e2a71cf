/// A voice in `models pull --json` and `models verify --json`.
struct PullResult: Encodable {
    let engine: String
    let id: String
    /// "ready" or "failed".
    let state: String
    /// Why it failed.
    let reason: String?
}
