import SynthScript
import Testing
import TestNumbers

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Subtitle timing")
struct CueTests {
    /// At 1000 frames per second, a frame is a millisecond.
    private let timer = CueTimer(sampleRate: 1000)

    private func sentence(_ text: String, _ frames: Range<Int>, words: [(String, Int)] = []) -> TimedSentence {
        var timed = TimedSentence(
            text: text, source: SourceMap(offset: 0), characters: .copied(), frames: frames)
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

    @Test("Subtitles start with the first word and end with the last")
    func words() {
        let cues = timer.cues(
            of: sentence(Self.long, 100..<9000, words: [("When", 150), ("ships", 400), ("nobody", 4321), ("go", 8000)]))
        #expect(cues.map(\.start) == [150, 4321])
        #expect(cues.map(\.end) == [4321, 9000])
    }

    @Test("Without word timings, the duration of a sentence is divided among its subtitles")
    func sentences() {
        let cues = timer.cues(of: sentence(Self.long, 1000..<11_000))
        #expect(cues.count == 2)
        #expect(cues.first?.start == 1000 && cues.last?.end == 11_000)
        // The first cue contains 52 of the 97 bytes.
        #expect(cues.first?.end == 6360 && cues.last?.start == 6360)
    }

    @Test("Symbols, empty texts and impossible times do not cause errors")
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

    @Test("Each subtitle is displayed long enough to be read if the next one allows this")
    func reading() {
        // It takes two seconds to read 40 columns.
        let line = String(repeating: "x", count: 40)
        #expect(
            sequence(
                [(0, 200, "One."), (5000, 5200, line), (6500, 6700, "Two."), (9000, 12_000, "Three.")], end: 12_500
            )
            .map(\.end) == [1000, 6500, 7500, 12_000])
        #expect(sequence([(0, 200, "One.")], end: 600).map(\.end) == [600])
    }

    @Test("Subtitles are in order and never overlap, and none are empty")
    func overlap() {
        let cues = sequence([(5, 5, "a"), (5, 90, "b"), (3, 4, "c"), (50, 20, "d")], end: 50)
        #expect(cues.map(\.start) == [5, 6, 7, 50])
        #expect(cues.map(\.end) == [6, 7, 50, 51])
    }

    @Test("Subtitles are in order regardless of what an engine reports", arguments: 0..<100)
    func property(seed: UInt64) {
        var random = SeededRandom(seed)
        let signs = ["word ", "longer, ", "词，", "🎉", "x", " ", "end. "]
        var sequence = CueSequence()
        var cues: [Cue] = []
        var frame = 0
        for _ in 0..<10 {
            let text = (0..<Int.random(in: 0...80, using: &random)).map { _ in signs.randomElement(using: &random) ?? ""
            }
            .joined()
            let end = frame + Int.random(in: 0...5000, using: &random)
            var timed = TimedSentence(
                text: text, source: SourceMap(offset: 0), characters: .copied(), frames: frame..<end)
            for _ in 0..<Int.random(in: 0...20, using: &random) where !text.isEmpty {
                let byte = Int.random(in: 0..<text.utf8.count, using: &random)
                let start = Int.random(in: 0...60_000, using: &random)
                timed.words.append(.init(text: byte..<byte + 1, frames: start..<start + 1))
            }
            for cue in timer.cues(of: timed) {
                if let done = sequence.append(cue) { cues.append(done) }
            }
            frame = end
        }
        if let last = sequence.finish(at: frame) { cues.append(last) }
        #expect(cues.allSatisfy { $0.start < $0.end })
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
}
