extension JSONNode {
    /// One step from a value to one inside it.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// The line, counted from 1, on which the value at `path` begins. If the path does not exist, that of its longest
    /// existing part.
    package func line(of path: [Step]) -> Int {
        var node = self
        for step in path {
            guard let next = node.value(at: step) else { break }
            node = next
        }
        return node.line
    }

    /// The value of nested members; nil = there is none.
    package func value(at keys: [String]) -> Value? {
        var node = self
        for key in keys {
            guard let next = node.value(at: .key(key)) else { return nil }
            node = next
        }
        return node.value
    }

    private func value(at step: Step) -> JSONNode? {
        switch (step, value) {
        case (.key(let name), .object(let members)): members.first { $0.name == name }?.node
        case (.index(let index), .array(let elements)) where elements.indices.contains(index): elements[index]
        default: nil
        }
    }
}
