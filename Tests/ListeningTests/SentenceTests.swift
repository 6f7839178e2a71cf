import SynthEngineWire
import SynthListening
import SynthSystem
import Testing

/// Recognized text whose words divide its time range (in milliseconds) equally.
func spoken(_ text: String, _ frames: Range<UInt64>, words: Bool = true, language: String? = nil) -> RecognizedText {
    let parts = text.split(separator: " ")
    let each = UInt64(frames.count) / UInt64(max(1, parts.count))
    let heard = parts.enumerated().map { index, word in
        let place = text.utf8.distance(from: text.startIndex, to: word.startIndex)
        let begin = frames.lowerBound + UInt64(index) * each
        return RecognizedWord(text: place..<place + word.utf8.count, frames: begin..<begin + each, confidence: 0.5)
    }
    return RecognizedText(text, frames: frames, language: language, words: words ? heard : [], confidence: 0.75)
}

@Suite("Transcript sentences")
struct SentenceTests {
    /// Joins texts, which are given with their times in milliseconds. Each text's piece ends 100 ms after the text.
    private func sentences(_ texts: [(String, Range<UInt64>)], words: Bool = true) -> [String] {
        var maker = TranscriptSentences(rate: 1000)
        var found: [RecognizedText] = []
        for (index, text) in texts.enumerated() {
            let piece = TranscribedPiece(
                index: index, frames: Int(text.1.lowerBound)..<Int(text.1.upperBound) + 100,
                texts: [spoken(text.0, text.1, words: words)])
            found += maker.add(piece)
        }
        found += maker.finish()
        for text in found {
            #expect(text.isWellFormed && text.stable == text.text.utf8.count)
            #expect(text.frames.lowerBound <= text.frames.upperBound)
        }
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.frames.upperBound <= $1.frames.lowerBound })
        return found.map(\.text)
    }

    @Test(
        "Sentences are joined across pieces according to punctuation, gaps and lowercase letters",
        arguments: [
            // A period at the end of a piece, three dots, and a comma.
            (["Press dial, answer.", "and hang up."], 300, ["Press dial, answer and hang up."]),
            (["I wanted to...", "...go home."], 300, ["I wanted to go home."]),
            (["It is for you,", "not for me. And then"], 900, ["It is for you, not for me.", "And then"]),
            (["He went to the", "store. She", "stayed."], 200, ["He went to the store.", "She stayed."]),
            (["Next week on", "Monday."], 800, ["Next week on Monday."]),
            // Two sentences stay separate, and a long pause ends a sentence.
            (["Go home.", "And stay."], 200, ["Go home.", "And stay."]),
            (["Go home.", "and stay."], 2000, ["Go home.", "and stay."]),
            (["Well. It is for you,", "not for me."], 6000, ["Well.", "It is for you,", "not for me."]),
            // Abbreviations and names.
            (["I met Mr.", "Brown. He is"], 200, ["I met Mr. Brown.", "He is"]),
            (["It is new.", "iPhone owners like it."], 200, ["It is new.", "iPhone owners like it."]),
            // Other languages.
            (["Er ging in das", "Haus. Wirklich?", "Ja."], 200, ["Er ging in das Haus.", "Wirklich?", "Ja."]),
            (["今日は", "天気です。明日は"], 200, ["今日は天気です。", "明日は"]),
            (["Он пошёл", "домой. Она осталась."], 200, ["Он пошёл домой.", "Она осталась."]),
            (["", "One.", ""], 200, ["One."]),
        ] as [([String], Int, [String])])
    func joined(texts: [String], gap: Int, expected: [String]) {
        for words in [true, false] {
            var time = 0
            let timed = texts.map { text -> (String, Range<UInt64>) in
                defer { time += 1000 + gap }
                return (text, UInt64(time)..<UInt64(time + 1000))
            }
            #expect(sentences(timed, words: words) == expected)
        }
    }

    @Test("Text without punctuation is split at pauses")
    func unsigned() {
        #expect(
            sentences([("this is one", 0..<900), ("sentence", 1200..<1500), ("and this another", 2500..<3500)])
                == ["this is one sentence", "and this another"])
        // A long pause also ends a sentence within a single text.
        var text = spoken("one two three", 0..<900)
        text.words[2].frames = 1800..<2100
        text.frames = 0..<2100
        var maker = TranscriptSentences(rate: 1000)
        let found = maker.add(TranscribedPiece(index: 0, frames: 0..<2200, texts: [text])) + maker.finish()
        #expect(found.map(\.text) == ["one two", "three"])
        #expect(found.map(\.frames) == [0..<600, 1800..<2100])
        #expect(found[1].words == [RecognizedWord(text: 0..<5, frames: 1800..<2100, confidence: 0.5)])
    }

    @Test("Within a piece, sentences end where the recognizer ends them")
    func ended() {
        var maker = TranscriptSentences(rate: 1000)
        let texts = [spoken("Hello, world.", 0..<1000), spoken("forty-two point five", 1000..<2000)]
        let found = maker.add(TranscribedPiece(index: 0, frames: 0..<2100, texts: texts)) + maker.finish()
        #expect(found == texts)
    }

    @Test("A sentence is returned as soon as it is complete")
    func early() {
        var maker = TranscriptSentences(rate: 1000)
        func add(_ text: String, _ frames: Range<UInt64>, until end: Int) -> [String] {
            maker.add(
                TranscribedPiece(index: 0, frames: Int(frames.lowerBound)..<end, texts: [spoken(text, frames)])
            ).map(\.text)
        }
        #expect(add("One. Two. Thr", 0..<3000, until: 3100) == ["One.", "Two."])
        #expect(add("ee.", 3200..<4000, until: 4100) == [])
        // The speech has ended.
        #expect(add("Four.", 4200..<5000, until: 6000) == ["Thr ee.", "Four."])
        #expect(maker.finish().isEmpty)
    }

    @Test("No word is ever lost, and times never decrease")
    func anything() {
        var generator = SystemRandomNumberGenerator()
        let parts = [
            "one", "Two", "three.", "four,", "Mr.", "5.", "...", "六。", "seven?\"", "…eight", "nine\nten", "e.g.",
        ]
        for _ in 0..<300 {
            var time: UInt64 = 0
            let texts = (0..<Int.random(in: 1...8, using: &generator)).map { _ -> (String, Range<UInt64>) in
                let text = (0..<Int.random(in: 1...6, using: &generator)).map { _ in parts.randomElement() ?? "" }
                    .joined(separator: " ")
                let start = time + UInt64.random(in: 0...3000, using: &generator)
                time = start + UInt64.random(in: 1...4000, using: &generator)
                return (text, start..<time)
            }
            func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }
            let found = sentences(texts, words: Bool.random(using: &generator))
            #expect(letters(found.joined()) == letters(texts.map(\.0).joined()))
        }
    }
}
