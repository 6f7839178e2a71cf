import SynthEngineWire
import TestNumbers

/// A sequence of sentences that is the same on every run.
struct Sentences {
    private static let words = """
        the harbour wakes before sun boats leave one by slowly nobody speaks gulls follow them home thousand waves \
        glitter where light falls and old pier creaks under weight of nets while children count stones along a quiet \
        shore until evening brings fishermen lamps stories bread warm soup another morning begins without wind
        """.split(separator: " ").map(String.init)

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed) }

    mutating func next(words count: ClosedRange<Int>) -> String {
        let count = Int.random(in: count, using: &random)
        var text = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
        text.replaceSubrange(...text.startIndex, with: text.prefix(1).uppercased())
        return text + [".", ".", "?", "!"][Int.random(in: 0..<4, using: &random)]
    }

    /// A short sentence or, with a probability of 20%, a very long sentence.
    mutating func next() -> String {
        next(words: Int.random(in: 0..<5, using: &random) == 0 ? 60...80 : 1...15)
    }

    mutating func delay(upTo most: Duration) -> Duration { most * Double.random(in: 0..<1, using: &random) }

    static func request(_ text: String) -> LaneRequest {
        LaneRequest(.text(text), voices: [VoiceUse(id: "measured")])
    }
}
