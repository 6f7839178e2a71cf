/// One sound of a chunk: a letter with the marks that are written with it.
struct SpokenPhoneme: Equatable {
    /// In the chunk's symbols.
    var symbols: Range<Int>
    /// In IPA: Kokoro's own letters for two sounds are written out.
    var label: String

    private static let letters: [Unicode.Scalar: String] = [
        "A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "S": "s", "T": "ɾ", "W": "aʊ", "Y": "ɔɪ", "ʣ": "dz", "ʤ": "dʒ",
        "ʥ": "dʑ", "ʦ": "ts", "ʧ": "tʃ", "ʨ": "tɕ", "ᵊ": "ə",
    ]
    private static let before: Set<Unicode.Scalar> = ["ˈ", "ˌ"]
    private static let after: Set<Unicode.Scalar> = ["ː", "ʰ", "ʲ", "\u{303}", "ᵝ"]

    /// The sounds of these symbols, without spaces and punctuation.
    static func all(in symbols: [Unicode.Scalar]) -> [SpokenPhoneme] {
        var phonemes: [SpokenPhoneme] = []
        var start: Int?
        for (index, symbol) in symbols.enumerated() {
            if before.contains(symbol) {
                start = start ?? index
            } else if after.contains(symbol) {
                guard let last = phonemes.last, last.symbols.upperBound == index else { continue }
                phonemes[phonemes.count - 1].symbols = last.symbols.lowerBound..<index + 1
                phonemes[phonemes.count - 1].label.unicodeScalars.append(symbol)
            } else if symbol.properties.isAlphabetic {
                let marks = String(String.UnicodeScalarView(symbols[(start ?? index)..<index]))
                phonemes.append(
                    SpokenPhoneme(
                        symbols: (start ?? index)..<index + 1, label: marks + (letters[symbol] ?? String(symbol))))
                start = nil
            } else {
                start = nil
            }
        }
        return phonemes
    }
}
