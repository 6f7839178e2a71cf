/// Formats JSON for readability: indented by two spaces, with one member per line.
package enum JSONWriter {
    /// Returns the formatted text, without a final newline.
    ///
    /// - Parameter sortsKeys: whether to sort members by key instead of keeping their order.
    package static func text(of node: JSONNode, sortsKeys: Bool = false) -> String {
        text(of: node, sortsKeys, indentation: 0)
    }

    /// Returns the text on a single line, without white space.
    package static func line(of node: JSONNode, sortsKeys: Bool = false) -> String {
        switch node.value {
        case .array(let elements):
            "[" + elements.map { line(of: $0, sortsKeys: sortsKeys) }.joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + inOrder(members, sortsKeys).map {
                    "\(JSONString.quoted($0.name)):\(line(of: $0.node, sortsKeys: sortsKeys))"
                }.joined(separator: ",") + "}"
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
                inOrder(members, sortsKeys).map { member in
                    "\(JSONString.quoted(member.name)): \(text(of: member.node, sortsKeys, indentation: indentation + 1))"
                },
                "}", indentation)
        }
    }

    private static func inOrder(_ members: [JSONNode.Member], _ sortsKeys: Bool) -> [JSONNode.Member] {
        sortsKeys ? members.sorted { $0.name < $1.name } : members
    }

    /// Returns the shortest text that parses to the same number; integers have no fraction.
    package static func text(of number: Double) -> String {
        if let whole = Int64(exactly: number), abs(number) <= 0x1p53 { return String(whole) }
        return number.description
    }

    private static func block(_ opening: String, _ lines: [String], _ closing: String, _ indentation: Int) -> String {
        guard !lines.isEmpty else { return opening + closing }
        let outer = String(repeating: "  ", count: indentation)
        return opening + "\n" + lines.map { outer + "  " + $0 }.joined(separator: ",\n") + "\n" + outer + closing
    }
}

/// JSON strings that are safe to print on a terminal.
package enum JSONString {
    /// Returns the text as a JSON string, including its quotation marks.
    package static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: append(scalar, to: &result)
            }
        }
        return result + "\""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        guard isUnseen(scalar) else { return text.unicodeScalars.append(scalar) }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Control characters, line separators, and format characters.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7F else { return scalar.value < 0x20 }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
