/// Why a text is not a valid value of an option.
struct ValueError: Error, Equatable, Sendable {
    /// What would have been right, to follow "must be".
    let expectation: String
}
