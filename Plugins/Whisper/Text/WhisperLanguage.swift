/// Languages as Whisper's tokens name them and as BCP-47 does.
enum WhisperLanguage {
    /// Where they differ: Whisper's codes by those of BCP-47.
    private static let codes = [
        "cmn": "zh", "fil": "tl", "iw": "he", "in": "id", "ji": "yi", "jv": "jw", "mo": "ro", "nb": "no",
        "arb": "ar", "ekk": "et", "lvs": "lv", "pes": "fa", "swh": "sw", "zsm": "ms",
    ]

    /// The code of a tag: of `pt-BR`, `pt`.
    static func code(of tag: String) -> String {
        let language = String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
        return codes[language] ?? language
    }

    /// The tag of a code.
    static func tag(of code: String) -> String { code == "jw" ? "jv" : code }

    /// Those that are written without spaces between words.
    static func hasNoSpaces(_ code: String) -> Bool {
        ["zh", "ja", "th", "lo", "my", "yue", "km", "bo"].contains(code)
    }
}
