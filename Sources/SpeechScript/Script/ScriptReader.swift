/// Gives the parts of a script one after the other, and holds no more of them than it needs to know the next one. Used by one
/// thread at a time; nothing blocks.
package protocol ScriptReader {
    /// The next part; nil after the last.
    mutating func next() throws(ScriptError) -> ScriptPart?
}

extension ScriptReader {
    /// All that are left.
    package mutating func rest() throws(ScriptError) -> [ScriptPart] {
        var parts: [ScriptPart] = []
        while let part = try next() { parts.append(part) }
        return parts
    }
}

/// Parts that are there.
package struct ScriptPartList: ScriptReader {
    /// In reverse, so that the next one is taken from the end.
    private var parts: [ScriptPart]

    package init(_ parts: [ScriptPart]) { self.parts = parts.reversed() }

    package mutating func next() -> ScriptPart? { parts.popLast() }
}
