import Phonemes
import Testing
import TestSupport

@testable import Kokoro

@Suite(.espeakTurn) struct EnglishNumberTests {
    @Test(
        "years, numbers of four digits and sums of money are written as they are said",
        arguments: [
            ("In 1998, yes.", "In nineteen ninety eight, yes."), ("1905", "nineteen oh five"),
            ("2000 and 2007", "two thousand and two thousand seven"), ("(1900)", "(nineteen hundred)"),
            ("2010", "twenty ten"), ("1010", "ten ten"), ("the 1960s", "the nineteen sixties"),
            ("1806s", "eighteen oh sixes"), ("1998's", "nineteen ninety eight's"),
            ("1914–1918", "nineteen fourteen–nineteen eighteen"), ("It was 1969.", "It was nineteen sixty nine."),
            ("$19.99", "19 dollars and 99 cents"), ("$1", "1 dollar"), ("$1.01!", "1 dollar and 1 cent!"),
            ("£4.50", "4 pounds and 50 pence"), ("€0.20", "20 cents"), ("$1,250,", "1250 dollars,"),
            ("$5.00.", "5 dollars."), ("$3.5 million", "3.5 million dollars"), ("“$1250”", "“1250 dollars”"),
            ("-5 and −1.5", "minus 5 and minus 1.5"), ("(-1998)", "(minus 1998)"), ("$2 a day", "2 dollars a day"),
            ("£7.5", "7 pounds and 50 pence"), ("1998-2005", "nineteen ninety eight to two thousand five"),
            ("from $5-$10", "from 5 dollars to 10 dollars"), ("1998–2005", "nineteen ninety eight–two thousand five"),
        ])
    func spelled(text: String, expected: String) {
        #expect(EnglishNumbers.spelled(text).text == expected)
    }

    @Test(
        "other numbers do not change",
        arguments: [
            "", "no number", "12", "999", "12345", "0123", "1,998", "1998.5", "19:98", "1998:30", "v1998", "1998th",
            "x-1998", "1-2", "--5", "#1998", "3.1998", "1998/99", "US$5", "$5bn", "$", "$ 5", "$x", "$1.234", "1998mm",
            "5$", "٣٣٣٣",
            "19\u{301}98", "123-4567", "555-123-4567", "12–1998", "51998-2005",
        ])
    func others(text: String) {
        #expect(EnglishNumbers.spelled(text).text == text)
    }

    @Test("every number from 1000 to 9999 has words of its own")
    func years() {
        let words = (1000...9999).map { EnglishNumbers.year($0) }
        #expect(Set(words).count == 9000)
        #expect(words.allSatisfy { word in word.allSatisfy { $0.isLetter || $0 == " " } })
    }

    @Test("a place in the spelled text is found in the text as it was written")
    func places() {
        let text = "é $5, in 1998 and 2001."
        let spelled = EnglishNumbers.spelled(text)
        let written = Array(text.utf8)
        func source(_ words: String) -> String? {
            guard let range = spelled.text.firstRange(of: words) else { return nil }
            let utf8 = spelled.text.utf8
            let start = utf8.distance(from: utf8.startIndex, to: range.lowerBound)
            let bytes = spelled.written(start..<start + words.utf8.count)
            return String(decoding: written[bytes], as: UTF8.self)
        }
        #expect(source("é") == "é" && source("5") == "$5" && source("dollars") == "$5" && source(", in") == ", in")
        #expect(source("nineteen") == "1998" && source("ninety eight") == "1998")
        #expect(source("and") == "and" && source("in nineteen") == "in 1998" && source("thousand one.") == "2001.")
        #expect(spelled.written(0..<spelled.utf8.count) == 0..<written.count)
        #expect(SpelledText("a b").written(1..<2) == 1..<2)
    }

    @Test("a number of several words is one word of the text")
    func words() throws {
        let text = "It cost $19.99 in 1998, not 2005."
        let sentences = try ReadingTests.sentences(text)
        let utf8 = Array(text.utf8)
        let words = sentences.flatMap(\.words).map { String(decoding: utf8[$0.bytes], as: UTF8.self) }
        #expect(words == ["It", "cost", "$19.99", "in", "1998", "not", "2005"])
        #expect(sentences.map(\.bytes) == [0..<utf8.count])
        let symbols = sentences.map { String(String.UnicodeScalarView($0.symbols)) }.joined()
        #expect(symbols.contains("nˈIntin nˈInti ˈAt"), "\(symbols)")
    }
}
