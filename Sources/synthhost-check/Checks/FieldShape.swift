import SynthEngineLoading
import SynthSystem

/// Validates the format of strings in a description. A string is nil if it is missing or not UTF-8.
enum FieldShape {
    static func isRoleName(_ text: String?) -> Bool { isMade(text) { isLower($0) || isDigit($0) || $0 == 0x2D } }

    /// Returns the rule that a voice or model ID violates, or nil if the ID is valid.
    static func flaw(ofID text: String?) -> String? {
        guard let text else { return "an ID must be UTF-8" }
        return PlainID.flaw(of: text)?.rule
    }

    /// Returns the rule that an engine or recognizer ID violates, or nil if the ID is valid.
    static func flaw(ofPluginID text: String?) -> String? {
        guard isRoleName(text) else { return "an ID may contain only a-z, 0-9 and -" }
        return flaw(ofID: text)
    }

    /// Whether the text is not empty and contains no control characters.
    static func isLine(_ text: String?) -> Bool {
        guard let text, !text.isEmpty else { return false }
        return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Whether the text consists of numbers separated by periods, with optional Semantic Versioning suffixes, such as
    /// "1.0" or "2.1.0-beta.1+5".
    static func isVersion(_ text: String?) -> Bool {
        guard let text, isLine(text) else { return false }
        let core = text.prefix { $0 != "-" && $0 != "+" }
        let numbers = core.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(numbers.count), numbers.allSatisfy({ isMade(String($0), isDigit) }) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || ".+-".utf8.contains($0) }
    }

    /// Whether the text has the form of an SPDX license expression: IDs joined by AND, OR and WITH, with balanced
    /// parentheses.
    static func isLicense(_ text: String?) -> Bool {
        guard let text else { return false }
        var depth = 0
        var expectsID = true
        let spaced = text.replacing("(", with: " ( ").replacing(")", with: " ) ")
        for word in spaced.split(separator: " ") {
            switch word {
            case "(" where expectsID: depth += 1
            case ")" where !expectsID && depth > 0: depth -= 1
            case "AND" where !expectsID, "OR" where !expectsID, "WITH" where !expectsID: expectsID = true
            default:
                guard expectsID, isMade(String(word), { isLetter($0) || isDigit($0) || ".+-:".utf8.contains($0) })
                else { return false }
                expectsID = false
            }
        }
        return !expectsID && depth == 0
    }

    /// Whether the text has the form of a BCP 47 tag (RFC 5646): a language of 2 to 8 letters, followed by subtags of 1
    /// to 8 letters and digits.
    static func isLanguage(_ text: String?) -> Bool {
        guard let text else { return false }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = parts.first else { return false }
        let isPrivate = language == "x" || language == "i"
        guard isPrivate ? parts.count > 1 : (2...8).contains(language.utf8.count), isMade(String(language), isLetter)
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.utf8.count) && isMade(String(part)) { isLetter($0) || isDigit($0) }
        }
    }

    static func isWebAddress(_ text: String?) -> Bool {
        guard let text, isLine(text), !text.contains(" ") else { return false }
        let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
        let host = rest?.prefix { $0 != "/" } ?? ""
        return !host.isEmpty
    }

    static func isSHA256(_ text: String?) -> Bool {
        text?.utf8.count == 64
            && isMade(text) { isDigit($0) || (0x61...0x66).contains($0) || (0x41...0x46).contains($0) }
    }

    /// Returns the strings in a C array. An element is nil if it is NULL or not UTF-8.
    static func strings(_ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [String?] {
        guard let list, count > 0 else { return count > 0 ? [nil] : [] }
        return (0..<min(count, 10_000)).map { known(list[$0]) }
    }

    private static func isMade(_ text: String?, _ of: (UInt8) -> Bool) -> Bool {
        guard let text, !text.isEmpty else { return false }
        return text.utf8.allSatisfy(of)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) && byte >= 0x41 }
}
