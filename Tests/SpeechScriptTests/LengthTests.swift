import SynthScript
import Testing

@Suite("Utterance length")
struct LengthTests {
    @Test("A long sentence is split after a clause, or else between words, or else between letters")
    func places() throws {
        let limits = UtteranceLimits(scalars: 20)
        #expect(
            try Splitting.texts("One two three, four five six", limits: limits) == ["One two three,", "four five six"])
        #expect(try Splitting.texts("One two three four five", limits: limits) == ["One two three four", "five"])
        #expect(
            try Splitting.texts("abcdefghijklmnopqrstuvwxyz", limits: limits) == ["abcdefghijklmnopqrst", "uvwxyz"])
        #expect(
            try Splitting.texts("it is 1,000,000,000,000,000", limits: limits) == ["it is 1,000,000,000,", "000,000"])
        #expect(try Splitting.texts("one two — three four five", limits: limits).first == "one two — three four")
        #expect(
            try Splitting.texts("一二三四五六七八九，十一二三四五六七八九十", limits: UtteranceLimits(scalars: 16))
                == ["一二三四五六七八九，", "十一二三四五六七八九十"])
    }

    @Test("There is no pause where a sentence is split, and no utterance exceeds the limit")
    func pause() throws {
        let text = Array("one two three four five six seven. End.".utf8)
        let utterances = try Splitting.utterances(text, limits: UtteranceLimits(scalars: 16))
        #expect(utterances.map(\.pauseAfter) == [.none, .none, .sentence, .sentence])
        #expect(utterances.allSatisfy { $0.text.unicodeScalars.count <= 16 })
    }

    @Test("A sentence is not split within a grapheme")
    func graphemes() throws {
        let family = "👩‍👩‍👧‍👦"
        let limits = UtteranceLimits(scalars: 10)
        for piece in [family, "e\u{301}\u{302}", "🇩🇪", "👍🏽", "क्षि", "각"] {
            let count = 40
            let texts = try Splitting.texts(String(repeating: piece, count: count), limits: limits)
            #expect(texts.map(\.count).reduce(0, +) == count)
            #expect(texts.allSatisfy { $0.unicodeScalars.count <= 10 })
        }
    }

    @Test("A clause mark is not separated from its accent")
    func accentedMark() throws {
        let texts = try Splitting.texts("一二三四五六七八，\u{301}九十", limits: UtteranceLimits(scalars: 10))
        #expect(texts.map(\.unicodeScalars.count) == [10, 2])
    }

    @Test("A character that exceeds the limit is split between Unicode scalars")
    func monster() throws {
        let text = "e" + String(repeating: "\u{301}", count: 25)
        let texts = try Splitting.texts(text, limits: UtteranceLimits(scalars: 10))
        #expect(texts.map(\.unicodeScalars.count) == [10, 10, 6])
    }

    @Test("With any limit, the complete text is kept", arguments: [-1, 0, 1, 2, 3, 7, 100_000])
    func limits(scalars: Int) throws {
        let limits = UtteranceLimits(scalars: scalars)
        let text = "Hello, dear “world”. Dr. Who… 👍🏽 你好。 1. x\n- e\u{301}a; b\n\n…"
        let joined = try Splitting.texts(text, limits: limits).joined()
        #expect(Visible.bytes(of: joined) == Visible.bytes(of: text))
    }

    @Test("No utterance is larger than 65,536 bytes, regardless of the limit")
    func bytes() throws {
        let text = String(repeating: "😀", count: 50_000)
        let texts = try Splitting.texts(text, limits: UtteranceLimits(scalars: .max))
        #expect(texts.allSatisfy { $0.utf8.count <= 65_536 })
        #expect(texts.joined() == text)
    }

    @Test("The first utterance may end early, namely after a clause")
    func early() throws {
        let limits = UtteranceLimits(firstClauseAfter: 10)
        let text = "Well, on the whole, it was good, I think. And so, well, the end, I think."
        #expect(
            try Splitting.texts(text, limits: limits)
                == ["Well, on the whole,", "it was good, I think.", "And so, well, the end, I think."])
        #expect(
            try Splitting.texts("It costs 10,000,000 or 10:30, then more", limits: limits).first
                == "It costs 10,000,000 or 10:30,")
        #expect(try Splitting.texts("I would like to have that, too.", limits: limits).count == 1)
        #expect(try Splitting.texts("I would like to have that, pl", limits: limits).count == 1)
        #expect(try Splitting.texts("Short. A longer one, which goes on, and on.", limits: limits).count == 2)
        for size in 1...30 {
            #expect(try Splitting.texts(text, limits: limits, chunk: size).first == "Well, on the whole,")
        }
        let first = try Splitting.utterances(Array(text.utf8), limits: limits).first
        #expect(first?.pauseAfter == PauseKind.none)
    }

    @Test("The first utterance after a restart may also end early unless it has already begun")
    func anew() throws {
        let sentence = "Well, on the whole, it was good, I think. "
        var script = PlainTextScript(limits: UtteranceLimits(firstClauseAfter: 10))
        func texts() -> [String] { Array(sequence(state: ()) { _ in script.next()?.text }) }
        try script.append(sentence + sentence)
        #expect(texts() == ["Well, on the whole,", "it was good, I think."])
        script.restartFromBeginning()
        try script.append(sentence)
        #expect(texts() == ["Well, on the whole, it was good, I think."])
        try script.append("\u{C}")
        #expect(texts() == ["Well, on the whole, it was good, I think."])
        script.restartFromBeginning()
        try script.append(sentence)
        #expect(texts() == ["Well, on the whole,"])
    }
}
