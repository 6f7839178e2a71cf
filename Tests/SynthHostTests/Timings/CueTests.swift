import SpeechScript
import Testing

@testable import SynthHost

@Suite("The times of subtitles")
struct CueTests {
    /// At 1000 frames a second, a frame is a millisecond.
    private let timer = CueTimer(sampleRate: 1000)

    private func sentence(_ text: String, _ frames: Range<Int>, words: [(String, Int)] = []) -> TimedSentence {
        var timed = TimedSentence(
            text: text, source: SourceMap(offset: 0), characters: CharacterPlaces(), frames: frames)
        for (index, word) in words.enumerated() {
            let bytes = Array(text.utf8)
            let wanted = Array(word.0.utf8)
            guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: wanted) }) else { continue }
            let next = index + 1 < words.count ? words[index + 1].1 : frames.upperBound
            timed.words.append(.init(text: start..<start + wanted.count, frames: word.1..<max(word.1, next)))
        }
        return timed
    }

    private static let long =
        "When the ships had left the harbour in the morning, nobody on the shore knew where they would go."

    @Test("begin with the first word and end with the last one")
    func words() {
        let cues = timer.cues(
            of: sentence(Self.long, 100..<9000, words: [("When", 150), ("ships", 400), ("nobody", 4321), ("go", 8000)]))
        #expect(cues.map(\.start) == [150, 4321])
        #expect(cues.map(\.end) == [4321, 9000])
    }

    @Test("share the time of a sentence without words")
    func sentences() {
        let cues = timer.cues(of: sentence(Self.long, 1000..<11_000))
        #expect(cues.count == 2)
        #expect(cues.first?.start == 1000 && cues.last?.end == 11_000)
        // 52 of 97 bytes.
        #expect(cues.first?.end == 6360 && cues.last?.start == 6360)
    }

    @Test("of signs, of nothing and of times that make no sense are harmless")
    func odd() {
        #expect(timer.cues(of: sentence("🎉", 5..<10)) == [Cue(start: 5, end: 10, lines: ["🎉"])])
        #expect(timer.cues(of: sentence("  ", 5..<10)) == [])
        #expect(timer.cues(of: sentence("a b", 5..<10, words: [("b", 100), ("a", 50)])).map(\.start) == [10])
        #expect(CueTimer(sampleRate: 22_050).milliseconds(22_050 * 3600 * 100 + 11) == 360_000_000)
    }

    private func sequence(_ cues: [(Int, Int, String)], end: Int) -> [Cue] {
        var sequence = CueSequence()
        var found = cues.compactMap { sequence.append(Cue(start: $0.0, end: $0.1, lines: [$0.2])) }
        if let last = sequence.finish(at: end) { found.append(last) }
        return found
    }

    @Test("leave each long enough to be read, if the next one lets it")
    func reading() {
        // 40 columns take two seconds.
        let line = String(repeating: "x", count: 40)
        #expect(
            sequence(
                [(0, 200, "One."), (5000, 5200, line), (6500, 6700, "Two."), (9000, 12_000, "Three.")], end: 12_500
            )
            .map(\.end) == [1000, 6500, 7500, 12_000])
        #expect(sequence([(0, 200, "One.")], end: 600).map(\.end) == [600])
    }

    @Test("never overlap, are in order, and are never empty")
    func overlap() {
        let cues = sequence([(5, 5, "a"), (5, 90, "b"), (3, 4, "c"), (50, 20, "d")], end: 50)
        #expect(cues.map(\.start) == [5, 6, 7, 50])
        #expect(cues.map(\.end) == [6, 7, 50, 51])
    }
}
