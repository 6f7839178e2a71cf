import Testing

/// A script and its expected parts, in the notation of `ScriptRendering`.
struct ScriptExample: Sendable, CustomTestStringConvertible {
    let document: String
    let expected: [String]

    init(_ document: String, _ expected: String...) {
        self.document = document
        self.expected = expected
    }

    var testDescription: String { document.debugDescription }
}
