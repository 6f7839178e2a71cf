/// A JSON value with the line on which it begins. Members keep their order.
package struct JSONNode: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package let name: String
        /// The line of the key.
        package let line: Int
        package var node: JSONNode

        package init(name: String, line: Int = 0, node: JSONNode) {
            self.name = name
            self.line = line
            self.node = node
        }
    }

    package indirect enum Value: Equatable, Sendable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    package var value: Value
    /// Counted from 1; 0 = it was not read from a text.
    package var line: Int

    package init(_ value: Value, line: Int = 0) {
        self.value = value
        self.line = line
    }

    /// The members of an object, empty for any other value.
    package var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The value as error messages describe it.
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
