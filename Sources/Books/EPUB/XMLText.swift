/// How things are written in XML.
enum XMLText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // XML has no way to write these.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Empty for what is no language.
    static func language(_ language: String) -> String {
        tag(language).map { "xml:lang=\"\($0)\" lang=\"\($0)\"" } ?? ""
    }

    /// A language as XML takes it (BCP-47): "en-US" for "en_US"; nil = it is none.
    static func tag(_ language: String) -> String? {
        let parts = language.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isTag = parts.enumerated().allSatisfy { index, part in
            (index == 0 ? 2...3 : 1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte | 0x20) || index > 0 && (0x30...0x39).contains(byte)
                }
        }
        return isTag ? parts.joined(separator: "-") : nil
    }

    /// Empty for what is written from left to right.
    static func direction(_ language: String) -> String {
        isRightToLeft(language) ? " dir=\"rtl\"" : ""
    }

    static func isRightToLeft(_ language: String) -> Bool {
        let base = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return ["ar", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(base)
    }

    static func milliseconds(_ seconds: Double) -> Int { Int((max(0, min(seconds, 1e9)) * 1000).rounded()) }

    static func clock(milliseconds: Int) -> String {
        let part = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - part.utf8.count) + part + "s"
    }
}
