/// A JSON value with the line on which it begins. Members keep their order.
package struct JSONNode: Equatable, Sendable {
    /// A member of an object.
    package struct Member: Equatable, Sendable {
        package let name: String
        /// The key's line.
        package let line: Int
        package var node: JSONNode

        package init(name: String, line: Int = 0, node: JSONNode) {
            self.name = name
            self.line = line
            self.node = node
        }
    }

    /// A node's content.
    package indirect enum Value: Equatable, Sendable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package var value: Value
    /// The line number, starting at 1; 0 if the value was not parsed from text.
    package var line: Int

    package init(_ value: Value, line: Int = 0) {
        self.value = value
        self.line = line
    }

    /// Creates an object.
    package init(_ members: [Member]) { self.init(.object(members)) }

    /// The members of an object; empty for any other value.
    package var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The type of the value, for error messages.
    package var kindName: String {
        switch value {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): "the number \(JSONWriter.text(of: number))"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONNode.Value {
    /// The number, or nil if the value is neither a number nor a string that contains one. Many clients send numbers as
    /// strings.
    package var numberOrText: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(decimal: text)
        default: nil
        }
    }
}

extension Double {
    /// Parses a single number in JSON notation, which excludes hexadecimal and "nan"; returns nil for any other text. A zero before
    /// the decimal point may be omitted.
    package init?(decimal text: String) {
        let text = text.hasPrefix(".") ? "0\(text)" : text
        guard text.utf8.count <= 64, case .number(let number)? = try? JSONReader.read(Array(text.utf8)).value else {
            return nil
        }
        self = number
    }
}

extension JSONNode {
    /// A path component: the key of a member, or the index of an element.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// Returns the number of the line on which the value at `path` begins, starting at 1. If the path does not exist,
    /// returns the line number of its longest existing prefix.
    package func line(of path: [Step]) -> Int {
        var node = self
        for step in path {
            guard let next = node.value(at: step) else { break }
            node = next
        }
        return node.line
    }

    /// Returns the value at a path of nested members; nil if it does not exist.
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
