import SynthCommandSyntax
import SynthJSON
import SynthSystem

/// An object in the output of `--json`. Members whose values are nil are omitted.
struct JSONMembers: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private var members: [(name: String, value: any Encodable)]

    init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.compactMap { name, value in value.map { (name, $0) } }
    }

    static func + (first: JSONMembers, second: JSONMembers) -> JSONMembers {
        var sum = first
        sum.members += second.members
        return sum
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

/// Formats results as JSON.
enum JSONText {
    /// Returns a line with sorted keys.
    static func line(of value: some Encodable) throws -> String {
        let node = try rethrowing(JSONNode(encoding: value)) { (error: EncodingError) in
            CommandFailure(.failure, "The result cannot be written as JSON: \(error).")
        }
        return JSONWriter.line(of: node, sortsKeys: true)
    }
}
