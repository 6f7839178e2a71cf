import Testing

@testable import SynthEnglish

@Suite("Accuracy of English pronunciation") struct MeasuredEnglishTests {
    /// Returns the rows for an accent in a table, each with a text and its symbols.
    private func rows(_ file: String, _ accent: EnglishAccent) throws -> [(text: String, symbols: String)] {
        try EnglishTable.lines(file).map { $0.split(separator: "\t").map(String.init) }
            .filter { $0[0] == accent.rawValue }.map { ($0[1], $0[2]) }
    }

    /// The edit distance in symbols.
    private func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        var row = Array(0...right.count)
        for (line, symbol) in left.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for column in right.indices {
                let change = corner + (symbol == right[column] ? 0 : 1)
                corner = row[column + 1]
                row[column + 1] = min(change, corner + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }

    private func share(_ rows: [(text: String, symbols: String)], _ read: (String) throws -> String) rethrows -> Double
    {
        let wrong = try rows.reduce(0) { $0 + distance(try read($1.text), $1.symbols) }
        return Double(wrong) / Double(rows.reduce(0) { $0 + $1.symbols.unicodeScalars.count })
    }

    /// Sentences from State of the Union addresses that contain only words from misaki's lists. They were not used to train
    /// the tagger.
    @Test("At most 1% of the symbols differ from those produced by misaki", arguments: EnglishAccent.allCases)
    func misaki(accent: EnglishAccent) throws {
        let rows = try rows("misaki.tsv", accent)
        #expect(rows.count > 50)
        let wrong = try share(rows) { try Readers.symbols($0, accent) }
        #expect(wrong < 0.01)
    }

    /// The words are from word families that were not used to train the network.
    @Test("The network guesses unknown words with a symbol error rate below 8%", arguments: EnglishAccent.allCases)
    func unknownWords(accent: EnglishAccent) throws {
        let rows = try rows("held-out.tsv", accent)
        #expect(rows.count == 300)
        let reader = try Readers.of(accent)
        let wrong = share(rows) { String(String.UnicodeScalarView(reader.guess($0))) }
        #expect(wrong < 0.08)
    }
}
