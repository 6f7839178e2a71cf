/// A JSON value with the line on which it begins.
struct JSONNode: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        let name: String
        let line: Int
        var node: JSONNode
    }

    indirect enum Value: Equatable, Sendable {
        case null
        case boolean(Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    var value: Value
    var line: Int

    init(_ value: Value, line: Int = 0) {
        self.value = value
        self.line = line
    }

    /// The members of an object, empty for any other value.
    var members: [Member] {
        if case .object(let members) = value { members } else { [] }
    }

    /// The value in the words of an error message.
    var kindName: String {
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
