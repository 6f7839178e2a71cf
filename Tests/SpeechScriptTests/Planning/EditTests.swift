import Testing

@testable import SynthScript

@Suite("Replacing text with its spoken form")
struct EditTests {
    private let utterance = Utterance(
        text: "I paid 5 € to Dr. Wu.", source: SourceMap(offset: 100), pauseAfter: .sentence,
        characters: .copied(first: 90), marks: [.init(name: "m", offset: 14, source: 0..<0)])

    private func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
        TextEdit(range: range, replacement: .text(text))
    }

    @Test("Replaced text, and the text after it, keep their positions")
    func places() {
        let edited = utterance.applying([edit(7..<12, "five euros"), edit(16..<19, "Doctor")])
        #expect(edited.text == "I paid five euros to Doctor Wu.")
        // "five" is part of the replacement for 5 €, which is mapped as a unit.
        #expect(edited.source.sourceRange(of: 7..<11) == 107..<112)
        #expect(edited.source.sourceRange(of: 21..<27) == 116..<119)
        #expect(edited.source.sourceRange(of: 28..<30) == 120..<122)
        #expect(edited.sourceRange == utterance.sourceRange)
        // The euro sign is a single three-byte character.
        #expect(edited.characters.range(of: 28..<30, in: edited.text) == 108..<110)
        #expect(edited.characters.range(of: 7..<17, in: edited.text) == 97..<100)
        #expect(edited.marks.map(\.offset) == [19])
    }

    @Test("A replacement of the same length is mapped as a whole, even after another edit")
    func sameLength() {
        var edited = utterance.applying([edit(7..<12, "fiver")])
        #expect(edited.text == "I paid fiver to Dr. Wu.")
        for _ in 0..<2 {
            #expect(edited.source.sourceRange(of: 8..<9) == 107..<112)
            #expect(edited.characters.range(of: 8..<9, in: edited.text) == 97..<100)
            #expect(edited.written?.range(of: 8..<9) == 7..<12)
            #expect(edited.source.sourceRange(of: 13..<14) == 113..<114)
            edited = edited.applying([edit(16..<19, "Dok")])
        }
        #expect(edited.source.sourceRange(of: 17..<18) == 116..<119)
    }

    @Test("After a second edit, positions still refer to the document")
    func twice() {
        let edited = utterance.applying([edit(7..<12, "five euros")]).applying([edit(12..<17, "dollars")])
        #expect(edited.text == "I paid five dollars to Dr. Wu.")
        #expect(edited.source.sourceRange(of: 12..<19) == 107..<112)
        #expect(edited.source.sourceRange(of: 23..<26) == 116..<119)
        #expect(edited.characters.range(of: 23..<26, in: edited.text) == 104..<107)
    }

    @Test("Edits preserve pronunciations and do not change text that has a pronunciation")
    func pronunciations() {
        let known = utterance.applying([TextEdit(range: 16..<19, replacement: .pronunciation("dɒktə"))])
        #expect(known.text == utterance.text)
        #expect(known.pronunciations.map(\.range) == [16..<19])
        let again = known.applying([edit(7..<12, "five euros"), edit(17..<20, "x")])
        #expect(again.text == "I paid five euros to Dr. Wu.")
        #expect(again.pronunciations.map(\.range) == [21..<24])
        let form = SpokenForm(again, takesPhonemes: true)
        #expect(form.text == "I paid five euros to [[dɒktə]] Wu.")
        #expect(form.places.sourceRange(of: 23..<25) == 21..<24)
        #expect(SpokenForm(again, takesPhonemes: false).text == again.text)
    }

    @Test(
        "Edits that cannot be applied are ignored",
        arguments: [
            [7..<7], [20..<40], [8..<12, 7..<9], [0..<0],
        ])
    func impossible(ranges: [Range<Int>]) {
        let edits = ranges.map { edit($0, "xyz") }
        let edited = utterance.applying(edits)
        #expect(edited == utterance || edited.text == utterance.applying([edits[0]]).text)
        #expect(utterance.applying([edit(0..<23, "")]).text.isEmpty)
        #expect(utterance.applying([edit(0..<1, String(repeating: "x", count: 70_000))]) == utterance)
    }

    @Test("Double brackets in the text are not mistaken for phonemes")
    func brackets() {
        let text = Utterance(
            text: "a [[b]] Dr.", source: SourceMap(offset: 0), pauseAfter: .none,
            pronunciations: [.init(range: 8..<11, value: ScriptPronunciation(ipa: "d", hasWords: true))])
        let form = SpokenForm(text, takesPhonemes: true)
        #expect(form.text == "a [ [b]] [[d]]")
        #expect(form.places.sourceRange(of: 5..<6) == 4..<5)
    }

    @Test("An utterance is split at its marks, and each part keeps its positions")
    func cuts() {
        let text = Utterance(
            text: "One two three.", source: SourceMap(offset: 10), pauseAfter: .paragraph,
            marks: [
                .init(name: "a", offset: 0, source: 0..<0), .init(name: "b", offset: 4, source: 0..<0),
                .init(name: "c", offset: 8, source: 0..<0), .init(name: "d", offset: 14, source: 0..<0),
            ])
        let parts = text.cutAtMarks
        #expect(parts.map(\.text) == ["One", "two", "three."])
        #expect(parts.map(\.sourceRange) == [10..<13, 14..<17, 18..<24])
        #expect(parts.map { $0.marks.map(\.name) } == [["a"], ["b"], ["c", "d"]])
        #expect(parts.map(\.pauseAfter) == [.none, .none, .paragraph])
        #expect(parts.last?.marks.map(\.offset) == [0, 6])
    }
}
