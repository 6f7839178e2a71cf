/// How a list of downloaded voices is sorted.
enum ModelOrder: String, Sendable {
    case language
    /// The largest first.
    case size
}
