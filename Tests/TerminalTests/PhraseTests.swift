import SynthTerminal
import Testing

@Suite struct PhraseTests {
    private static let german = PhraseBook(
        ["%1 of %2": "%2, davon %1", "Paused": "Angehalten", "%1%": "%1 %", "%1 min left": "noch %1 min"],
        decimalMark: ",")

    @Test("The interpolated values of a phrase are numbered in its key")
    func keys() {
        let phrase: Phrase = "\(34)% of \("8.1 MB")"
        #expect(phrase.key == "%1% of %2")
        #expect(phrase.arguments == ["34", "8.1 MB"])
        #expect(("Paused" as Phrase) == Phrase(key: "Paused"))
    }

    @Test("A translation may change the order of the values, and a phrase without a translation stays in English")
    func translations() {
        let german = Self.german
        #expect(german("Paused") == "Angehalten")
        #expect(german("\(3) of \(5)") == "5, davon 3")
        #expect(german("\(3) from \(5)") == "3 from 5")
        #expect(german("\(40)%") == "40 %")
        #expect(PhraseBook.english("\(3) of \(5): \(60)%") == "3 of 5: 60%")
    }

    @Test("Placeholders and percent signs in values and texts are kept")
    func percentSigns() {
        #expect(Self.german("\("%2") of \("%1 100%")") == "%1 100%, davon %2")
        #expect(PhraseBook.english("100% of \("%%1")") == "100% of %%1")
        #expect(PhraseBook.english("100%") == "100%")
        #expect(PhraseBook.english("%2 of \(1)") == "%2 of 1")
    }

    @Test("Numbers use the decimal mark of the language")
    func numbers() {
        #expect(Self.german(number: "8.1 MB") == "8,1 MB")
        #expect(PhraseBook.english(number: "8.1 MB") == "8.1 MB")
        for typed in ["1,25", "1.25"] { #expect(Self.german.plain(number: typed) == "1.25") }
        #expect(PhraseBook.english.plain(number: "1,25") == "1,25")
    }

    @Test("Remaining times and percentages can be translated")
    func quantities() {
        #expect(HumanReadable.timeLeft(.seconds(840), in: Self.german) == "noch 14 min")
        #expect(HumanReadable.timeLeft(.seconds(4), in: Self.german) == "4 s left")
        #expect(HumanReadable.percentage(0.19, in: Self.german) == "19 %")
    }
}
