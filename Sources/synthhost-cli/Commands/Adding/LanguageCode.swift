/// A language as files name it ("en_GB", "en-gb", "de"), in the form of BCP-47.
struct LanguageCode {
    let tag: String

    /// nil if the text is not a language.
    init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "_" || $0 == "-" }).map(String.init)
        guard let language = parts.first, (2...3).contains(language.count), parts.count <= 3,
            parts.allSatisfy({ part in part.utf8.allSatisfy { ($0 | 32) >= 0x61 && ($0 | 32) <= 0x7A } })
        else { return nil }
        let rest = parts.dropFirst().map { $0.count == 2 ? $0.uppercased() : $0.lowercased() }
        tag = ([language.lowercased()] + rest).joined(separator: "-")
    }
}
