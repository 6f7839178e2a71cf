import SynthEnglish
import SynthSymbols

/// Invariants for every text that the English reader receives.
enum TextInvariants {
    private static let readers = EnglishAccent.allCases.map { accent in Result { try EnglishReader(accent) } }

    /// The longest output for a byte is the name of the letter "W", with stress marks and a space.
    static func most(for count: Int) -> Int { 16 * count + 16 }

    static func violations(in text: String) -> [String] {
        let count = text.utf8.count
        var found: [String] = []
        for reader in readers {
            guard let reader = try? reader.get() else { return ["the built-in data cannot be read"] }
            let reading = reader.read(text)
            for symbol in reading.symbols where SymbolTable.ids[symbol] == nil {
                found.append("U+\(String(symbol.value, radix: 16)) is not a symbol")
            }
            if reading.symbols.count > most(for: count) {
                found.append("\(reading.symbols.count) symbols for \(count) bytes")
            }
            var (end, symbols) = (0, 0)
            for word in reading.words {
                if word.bytes.lowerBound < end || word.bytes.upperBound > count {
                    found.append("a word at \(word.bytes)")
                }
                if word.symbols.lowerBound < symbols || word.symbols.upperBound > reading.symbols.count {
                    found.append("symbols at \(word.symbols)")
                }
                (end, symbols) = (max(end, word.bytes.lowerBound), word.symbols.upperBound)
            }
            for range in reading.unreadable where range.isEmpty || range.upperBound > count {
                found.append("nothing to read at \(range)")
            }
        }
        let covered = EnglishSentences.ranges(of: text).reduce(0) { end, range in
            if range.lowerBound != end { found.append("a sentence at \(range) after \(end)") }
            return range.upperBound
        }
        if covered != count { found.append("sentences end at \(covered) of \(count)") }
        return found
    }
}
