import Testing

@testable import SynthScript

@Suite("Script planning")
struct ScriptPlanTests {
    /// Returns the steps in short form: each utterance, with the bytes of the document that it represents.
    private func steps(_ parts: [ScriptPart], of document: String) throws -> [String] {
        var plan = ScriptPlan(ScriptPartList(parts), characters: CharacterIndex(Array(document.utf8)))
        var steps: [String] = []
        while let step = try plan.next() {
            switch step {
            case .utterance(let utterance):
                let place = utterance.sourceRange
                let marks = utterance.marks.map { " @\($0.name):\($0.offset)" }.joined()
                steps.append(
                    "\(utterance.text) <\(place.lowerBound)-\(place.upperBound) \(utterance.pauseAfter)>\(marks)")
            case .silence(let duration): steps.append("silence \(duration)")
            case .mark(let name, _): steps.append("mark \(name)")
            case .clip(let clip): steps.append("clip \(clip.name)")
            }
        }
        return steps
    }

    /// Text that is identical to the document.
    private func text(_ text: String, at offset: Int, _ style: ScriptStyle = ScriptStyle()) -> ScriptPart {
        var mapped = MappedText()
        let bytes = Array(repeating: UInt8(0), count: offset) + Array(text.utf8)
        mapped.append(copied: offset..<bytes.count, of: bytes.span)
        return .text(ScriptText(text, source: mapped.source, style: style))
    }

    @Test("A sentence continues across marks and across parts with the same style")
    func joined() throws {
        let parts = [text("One ", at: 0), .mark("a", source: 4..<5), text("two. Three", at: 5), text(" four.", at: 20)]
        #expect(
            try steps(parts, of: String(repeating: "x", count: 26)) == [
                "One two. <0-9 sentence> @a:4", "Three four. <10-26 sentence>",
            ])
    }

    @Test("A change of style splits a sentence without adding a pause between the parts")
    func styles() throws {
        var fast = ScriptStyle()
        fast.rate = 2
        let parts = [text("One ", at: 0), text("two. ", at: 4, fast), text("Three.", at: 9)]
        #expect(
            try steps(parts, of: String(repeating: "x", count: 15)) == [
                "One <0-3 none>", "two. <4-8 sentence>", "Three. <9-15 sentence>",
            ])
    }

    @Test("A change of pitch does not split a sentence")
    func pitches() throws {
        let high = ScriptStyle(pitch: 2)
        let document = String(repeating: "x", count: 30)
        let parts = [
            text("One ", at: 0), text("two ", at: 4, high), text("three. Four", at: 8), text(" five.", at: 19, high),
        ]
        #expect(try steps(parts, of: document) == ["One two three. <0-14 sentence>", "Four five. <15-25 sentence>"])
        var plan = ScriptPlan(ScriptPartList(parts), characters: CharacterIndex(Array(document.utf8)))
        let first = try #require(try plan.next()?.utterance)
        let second = try #require(try plan.next()?.utterance)
        #expect(
            first.pitches == [.init(offset: 0, factor: 1), .init(offset: 4, factor: 2), .init(offset: 8, factor: 1)])
        #expect(first.style.pitch == 1)
        #expect(second.pitches == [.init(offset: 0, factor: 1), .init(offset: 4, factor: 2)])
        #expect(first.cutAtPitches.map(\.text) == ["One", "two", "three."])
        #expect(first.cutAtPitches.map(\.style.pitch) == [1, 2, 1])
        #expect(first.cutAtPitches.map(\.pauseAfter) == [.none, .none, .sentence])
        #expect(first.cutAtPitches.allSatisfy { $0.pitches.isEmpty })
    }

    @Test("A pitch that applies to an entire sentence becomes part of its style")
    func pitchOfSentence() throws {
        let high = ScriptStyle(pitch: 2)
        var plan = ScriptPlan(
            ScriptPartList([text("One. ", at: 0), text("Two. ", at: 5, high), text("", at: 10)]),
            characters: CharacterIndex([UInt8](repeating: 120, count: 20)))
        let first = try #require(try plan.next()?.utterance)
        let second = try #require(try plan.next()?.utterance)
        #expect(first.style.pitch == 1 && first.pitches.isEmpty && second.style.pitch == 2 && second.pitches.isEmpty)
    }

    @Test("Pitch changes keep their positions when words are replaced")
    func editedPitches() {
        let pitches: [Utterance.Pitch] = [
            .init(offset: 0, factor: 1), .init(offset: 4, factor: 2), .init(offset: 9, factor: 3),
        ]
        let utterance = Utterance(
            text: "One 2 or 345", source: SourceMap(offset: 0), pauseAfter: .sentence, pitches: pitches)
        let edited = utterance.applying([
            TextEdit(range: 4..<5, replacement: .text("twooo")),
            TextEdit(range: 9..<12, replacement: .pronunciation("x")),
        ])
        #expect(edited.text == "One twooo or 345")
        #expect(edited.pitches.map(\.offset) == [0, 4, 13] && edited.pitches.map(\.factor) == [1, 2, 3])
        let joined = utterance.applying([TextEdit(range: 2..<10, replacement: .text("e"))])
        #expect(
            joined.text == "One45" && joined.pitches.map(\.offset) == [0, 2] && joined.pitches.map(\.factor) == [1, 3])
        #expect(joined.cutAtPitches.map(\.text) == ["On", "e45"])
        #expect(edited.rest(from: 9).style.pitch == 3)
    }

    @Test("An explicit silence replaces the pause of the preceding utterance, even within a sentence")
    func silences() throws {
        let silence = ScriptPart.silence(.milliseconds(700), source: 0..<0)
        let parts = [silence, text("One", at: 0), silence, silence, text("two.", at: 4), silence]
        let seconds = "silence \(Duration.milliseconds(700))"
        #expect(
            try steps(parts, of: "One two.") == [
                seconds, "One <0-3 silence>", seconds, seconds, "two. <4-8 silence>", seconds,
            ])
    }

    @Test("Paragraph ends, clips and marks keep their order relative to the text")
    func ends() throws {
        let parts = [
            text("Title", at: 0), .end(.paragraph), text("One two", at: 6), .mark("z", source: 13..<13),
            .clip(ScriptClip(name: "chime", source: 13..<14)), .mark("y", source: 14..<15),
        ]
        #expect(
            try steps(parts, of: String(repeating: "x", count: 15)) == [
                "Title <0-5 paragraph>", "One two <6-13 none>", "mark z", "clip chime", "mark y",
            ])
    }

    @Test("Phonetic notation is neither split nor lost")
    func notation() throws {
        let document = "Say [[a. B. c]] now."
        let pronunciation = ScriptPronunciation(ipa: "a. B. c", hasWords: false)
        var notation = MappedText()
        notation.append(copied: 4..<15, of: Array(document.utf8).span)
        let parts = [
            text("Say ", at: 0),
            .text(ScriptText(notation.text, source: notation.source, pronunciation: pronunciation)),
            text(" now.", at: 15),
        ]
        var plan = ScriptPlan(ScriptPartList(parts), characters: CharacterIndex(Array(document.utf8)))
        guard case .utterance(let utterance) = try plan.next() else {
            Issue.record("The plan did not return an utterance.")
            return
        }
        #expect(utterance.text == document)
        #expect(utterance.pronunciations == [.init(range: 4..<15, value: pronunciation)])
        #expect(SpokenForm(utterance, takesPhonemes: true).text == document)
        #expect(SpokenForm(utterance, takesPhonemes: false).text == "Say  now.")
        #expect(try plan.next() == nil)
    }

    @Test("Only the first utterance may end after a clause")
    func early() throws {
        let long = "One two three four five six, seven eight nine ten eleven twelve thirteen. "
        var plan = ScriptPlan(
            ScriptPartList([text(long, at: 0), .end(.paragraph), text(long, at: 80)]),
            characters: CharacterIndex(Array(repeating: 0x78, count: 160)), limits: .early)
        var texts: [String] = []
        while case .utterance(let utterance) = try plan.next() { texts.append(utterance.text) }
        #expect(texts.count == 3)
        #expect(texts.first == "One two three four five six,")
    }

    /// All scripts from the tables for the three formats.
    private static let scripts: [(document: [UInt8], parts: [ScriptPart])] = {
        let ssml = SSMLExamples.all.compactMap { example in
            (try? SSMLScript(Array(example.document.utf8)).rest())?.parts(of: example.document)
        }
        let tokens = TokenCases.valid.compactMap { example in
            (try? TokenScript(Array(example.document.utf8)).rest())?.parts(of: example.document)
        }
        let documents =
            MarkdownCases.valid + MarkdownCases.references + MarkdownCases.quotesAndLists + MarkdownCases.tables
            + MarkdownCases.leftOut
        let markdown = documents.compactMap { example in
            (try? MarkdownScript(Array(example.document.utf8)).rest())?.parts(of: example.document)
        }
        return ssml + tokens + markdown
    }()

    @Test("For each script in the tables, a plan speaks the complete text in order, and positions are valid")
    func tables() throws {
        #expect(Self.scripts.count > 100)
        for script in Self.scripts {
            var plan = ScriptPlan(ScriptPartList(script.parts), characters: CharacterIndex(script.document))
            var said = ""
            while let step = try plan.next() {
                guard let utterance = step.utterance else { continue }
                said += utterance.text.filter { $0.isLetter || $0.isNumber }
                let place = utterance.sourceRange
                #expect(place.lowerBound >= 0 && place.upperBound <= script.document.count)
                #expect(utterance.pronunciations.allSatisfy { $0.range.upperBound <= utterance.text.utf8.count })
                #expect(utterance.marks.allSatisfy { $0.offset <= utterance.text.utf8.count })
            }
            let written = script.parts.map { part in
                if case .text(let text) = part { text.text.filter { $0.isLetter || $0.isNumber } } else { "" }
            }
            #expect(said == written.joined())
        }
    }
}

extension [ScriptPart] {
    fileprivate func parts(of document: String) -> (document: [UInt8], parts: [ScriptPart]) {
        ([UInt8](document.utf8), self)
    }
}
