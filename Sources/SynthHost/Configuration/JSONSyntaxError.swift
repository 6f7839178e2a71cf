/// Where a text stops being JSON, and why. Line and column count from 1, columns in characters of Unicode.
struct JSONSyntaxError: Error, Equatable, Sendable {
    let line: Int
    let column: Int
    /// A clause without a capital or a full stop: "expected a comma".
    let reason: String
}
