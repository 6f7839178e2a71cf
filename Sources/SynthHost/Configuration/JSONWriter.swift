/// Writes JSON for people: two spaces, one member a line, keys sorted.
enum JSONWriter {
    /// The text without a newline at its end.
    static func text(of node: JSONNode, indentation: Int = 0) -> String {
        switch node.value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let number): text(of: number)
        case .string(let string): quote(string)
        case .array(let elements):
            block("[", elements.map { text(of: $0, indentation: indentation + 1) }, "]", indentation)
        case .object(let members):
            block(
                "{",
                members.sorted { $0.name < $1.name }.map { member in
                    "\(quote(member.name)): \(text(of: member.node, indentation: indentation + 1))"
                },
                "}", indentation)
        }
    }

    /// The shortest text that reads back as the same number; whole numbers without a fraction.
    static func text(of number: Double) -> String {
        if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
        return number.description
    }

    private static func block(_ opening: String, _ lines: [String], _ closing: String, _ indentation: Int) -> String {
        guard !lines.isEmpty else { return opening + closing }
        let outer = String(repeating: "  ", count: indentation)
        return opening + "\n" + lines.map { outer + "  " + $0 }.joined(separator: ",\n") + "\n" + outer + closing
    }

    private static func quote(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let control where control.value < 0x20 || control.value == 0x7F:
                let digits = String(control.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
