/// Why a text is no value of an option.
struct ValueError: Error, Equatable, Sendable {
    /// What would have been right, to stand behind "must be".
    let expectation: String
}
