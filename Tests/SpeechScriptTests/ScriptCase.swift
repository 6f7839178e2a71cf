import Testing

/// A document and its expected parts, or the error, in `PartNotation`.
struct ScriptCase: Sendable, CustomTestStringConvertible {
    let document: String
    let expected: String

    init(_ document: String, _ expected: String) {
        self.document = document
        self.expected = expected
    }

    var testDescription: String { document.debugDescription }
}
