import SynthEngineWire
import SynthListening
import Testing

@Suite("Subtitles")
struct SubtitleTests {
    private struct Cue {
        var lines: [Substring]
        var start: Double
        var end: Double
        var seconds: Double { end - start }
    }

    private func cues(_ sentences: [RecognizedText]) -> [Cue] {
        var page = TranscriptText(.srt, rate: 1000)
        let text = sentences.map { page.add($0) }.joined() + page.finish()
        return text.split(separator: "\n\n").map { cue in
            let lines = cue.split(separator: "\n")
            let times = lines[1].split(separator: " ").filter { $0 != "-->" }.map { time in
                let parts = time.replacing(",", with: ":").split(separator: ":").compactMap { Double($0) }
                return parts[0] * 3600 + parts[1] * 60 + parts[2] + parts[3] / 1000
            }
            return Cue(lines: Array(lines.dropFirst(2)), start: times[0], end: times[1])
        }
    }

    /// The width in columns. A wide character takes two.
    private func columns(_ line: Substring) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ((0x2E80...0xFFE6).contains($1.value) ? 2 : 1) }
    }

    private static let words: [String: [String]] = [
        "en":
            "the a of in we you people time really something government understand yesterday because, although, however,"
            .split(separator: " ").map(String.init),
        "de": "der in die und Bundesregierung Geschwindigkeitsbegrenzung gestern, weil, ich du Haus wirklich zwischen"
            .split(separator: " ").map(String.init),
        "fr": "le la l'homme aujourd'hui, parce que nous vous développement, maison toujours à de".split(separator: " ")
            .map(String.init),
        "ru": "в на дом правительство, потому что мы вы понимаем действительно вчера".split(separator: " ").map(
            String.init),
        "ja": ["今日", "は", "天気", "が", "とても", "いい", "です", "、", "ソフトウェア", "を", "開発", "しています", "。"],
        "ko": "오늘은 날씨가 매우 좋습니다, 그래서 우리는 산책을".split(separator: " ").map(String.init),
    ]

    @Test("Subtitles in several languages stay within the limits, and no text is lost", arguments: words.keys.sorted())
    func limits(language: String) {
        var generator = SystemRandomNumberGenerator()
        let separator = language == "ja" ? "" : " "
        var (count, sentences, time) = (0, [RecognizedText](), UInt64(0))
        for _ in 0..<120 {
            var (text, words) = ("", [RecognizedWord]())
            let start = time + UInt64.random(in: 50...2500, using: &generator)
            time = start
            for index in 0..<Int.random(in: 3...30, using: &generator) {
                let word = (Self.words[language]?.randomElement() ?? "") + (index == 29 ? "." : "")
                if !text.isEmpty { text += separator }
                let place = text.utf8.count
                text += word
                let end = time + UInt64(word.count) * UInt64.random(in: 50...90, using: &generator) + 20
                words.append(RecognizedWord(text: place..<text.utf8.count, frames: time..<end))
                time = end + UInt64.random(in: 0...80, using: &generator)
            }
            sentences.append(
                RecognizedText(text, frames: start..<time, language: language, words: Bool.random() ? words : []))
        }
        let cues = cues(sentences)
        count += cues.count
        for cue in cues {
            #expect(cue.lines.count <= 2 && cue.lines.allSatisfy { columns($0) <= 42 }, "\(cue.lines)")
            #expect(cue.seconds <= 7.001 && cue.seconds >= 0.999, "\(cue)")
        }
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(count >= 100)
        func letters(_ text: String) -> String { text.filter { !$0.isWhitespace } }
        #expect(letters(cues.flatMap(\.lines).joined()) == letters(sentences.map(\.text).joined()))
    }

    @Test(
        "Lines are broken where this disrupts reading least",
        arguments: [
            // Lines are balanced and do not end with an article or a preposition.
            (
                "We walked along the river and then we came to a small house.", 4000,
                [["We walked along the river", "and then we came to a small house."]]
            ),
            // The end of a clause ends a cue.
            (
                "When the weather is fine and the sun is shining, we go to the beach with all of our friends, and we stay there until the evening.",
                9000,
                [
                    ["When the weather is fine", "and the sun is shining,"],
                    ["we go to the beach", "with all of our friends,"], ["and we stay there until the evening."],
                ]
            ),
            ("Short.", 600, [["Short."]]),
            // A word longer than a line is split.
            (
                String(repeating: "x", count: 100), 5000,
                [
                    [String(repeating: "x", count: 42), String(repeating: "x", count: 42)],
                    [String(repeating: "x", count: 16)],
                ]
            ),
            // In Japanese, no line begins with a closing mark or a small kana.
            ("「ソフトウェアを開発しています」、ということでした。", 6000, [["「ソフトウェアを開発しています」、", "ということでした。"]]),
        ] as [(String, UInt64, [[String]])])
    func breaks(text: String, milliseconds: UInt64, expected: [[String]]) {
        #expect(cues([spoken(text, 0..<milliseconds)]).map { $0.lines.map(String.init) } == expected)
    }

    @Test("If possible, a cue lasts at least a second, and short adjacent sentences share a cue")
    func short() {
        let alone = cues([spoken("Yes.", 0..<300), spoken("I know.", 5000..<5400)])
        #expect(alone.map(\.start) == [0, 5] && alone.map(\.end) == [1, 6])
        let close = cues([spoken("Yes.", 0..<300), spoken("I know that you are right.", 400..<2400)])
        #expect(close.map { $0.lines } == [["Yes. I know that you are right."]] && abs(close[0].end - 2.4) < 0.01)
        // A long word, and a word whose end is unknown.
        let long = cues([spoken("Hm.", 0..<60_000)])
        #expect(long.map(\.end) == [7])
    }

    @Test("Sentences with overlapping or decreasing times become consecutive cues")
    func overlap() {
        let cues = cues([
            spoken("One two three four.", 1000..<6000), spoken("Five six.", 3000..<4000), spoken("Seven.", 2000..<2100),
            spoken("Eight nine ten.", 9000..<9000),
        ])
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(cues.allSatisfy { $0.start <= $0.end })
        #expect(cues.flatMap(\.lines).joined(separator: " ") == "One two three four. Five six. Seven. Eight nine ten.")
    }
}
