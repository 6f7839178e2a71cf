/// JSON strings that are safe to show on a terminal.
package enum JSONString {
    /// The text as a JSON string with its quotation marks.
    package static func quoted(_ text: String) -> String {
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

    /// An equivalent JSON text with `\u` escapes for all characters that steer a terminal. JSON writers escape what
    /// JSON forbids, and leave delete, C1 controls, line separators and the reading order's marks as they are.
    package static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isUnseen) else { return json }
        var result = ""
        for scalar in json.unicodeScalars { append(scalar, to: &result) }
        return result
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
