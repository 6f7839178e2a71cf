/// Where a text is not valid JSON, and why. Line and column count from 1, columns in Unicode scalars.
package struct JSONSyntaxError: Error, Equatable, Sendable {
    package let line: Int
    package let column: Int
    /// A clause without a capital or a full stop: "expected a comma".
    package let reason: String
}
