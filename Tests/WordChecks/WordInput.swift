import SynthVerbalization

/// A text with its language and kind. The first line contains the language and the kind, and the text follows. Any
/// bytes are valid.
package struct WordInput {
    private let language: String
    private let kind: SpokenKind
    private let format: String?
    private let text: String

    private static let formats = [nil, "dmy", "mdy", "ymd", "md", "dm", "my", "y"]

    /// Reads the first line, such as `en date dmy`. Unknown words in it are mapped to valid words.
    package init(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
        let words = bytes[..<end].split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        func choice<Value>(_ position: Int, of values: [Value], named name: (Value) -> String?) -> Value? {
            guard position < words.count else { return values.first }
            if let known = values.first(where: { name($0) == words[position] }) { return known }
            let sum = words[position].utf8.reduce(0) { $0 + Int($1) }
            return values[sum % values.count]
        }
        language = choice(0, of: Verbalizers.languages) { $0 } ?? "en"
        kind = choice(1, of: SpokenKind.allCases) { $0.rawValue } ?? .cardinal
        format = choice(2, of: Self.formats) { $0 } ?? nil
        text = String(decoding: bytes[min(end + 1, bytes.count)...], as: UTF8.self)
    }

    /// The violated invariants; empty if there are none.
    package func violations() -> [String] {
        let verbalizer = Verbalizers.verbalizer(of: language)
        var found = WordInvariants.violations(in: text, by: verbalizer)
        if let words = verbalizer.words(for: text, as: kind, format: format) {
            if !words.contains(where: { !$0.isWhitespace }) { found.append("\(kind): \(text) has no words") }
            if words.utf8.count > WordInvariants.most(for: text.utf8.count) { found.append("\(kind): \(words)") }
        }
        return found
    }
}
