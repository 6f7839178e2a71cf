/// Writes readable JSON: an indentation of two spaces, one member per line.
package enum JSONWriter {
    /// The text without a newline at its end.
    ///
    /// - Parameter sortsKeys: otherwise members keep their order.
    package static func text(of node: JSONNode, sortsKeys: Bool = false) -> String {
        text(of: node, sortsKeys, indentation: 0)
    }

    /// The same without white space, on one line.
    package static func line(of node: JSONNode) -> String {
        switch node.value {
        case .array(let elements): "[" + elements.map(line).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONString.quoted($0.name)):\(line(of: $0.node))" }.joined(separator: ",") + "}"
        default: text(of: node)
        }
    }

    private static func text(of node: JSONNode, _ sortsKeys: Bool, indentation: Int) -> String {
        switch node.value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let number): text(of: number)
        case .string(let string): JSONString.quoted(string)
        case .array(let elements):
            block("[", elements.map { text(of: $0, sortsKeys, indentation: indentation + 1) }, "]", indentation)
        case .object(let members):
            block(
                "{",
                (sortsKeys ? members.sorted { $0.name < $1.name } : members).map { member in
                    "\(JSONString.quoted(member.name)): \(text(of: member.node, sortsKeys, indentation: indentation + 1))"
                },
                "}", indentation)
        }
    }

    /// The shortest text that is read back as the same number; whole numbers without a fraction.
    package static func text(of number: Double) -> String {
        if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
        return number.description
    }

    private static func block(_ opening: String, _ lines: [String], _ closing: String, _ indentation: Int) -> String {
        guard !lines.isEmpty else { return opening + closing }
        let outer = String(repeating: "  ", count: indentation)
        return opening + "\n" + lines.map { outer + "  " + $0 }.joined(separator: ",\n") + "\n" + outer + closing
    }
}
