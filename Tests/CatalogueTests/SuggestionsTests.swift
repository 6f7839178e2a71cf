import SynthCatalogue
import Testing

@Suite struct SuggestionsTests {
    private let options = ["voice", "volume", "verbose", "version", "rate", "raw", "engine", "speaker", "output"]

    @Test(
        "The suggestions for a mistyped word include the intended one",
        arguments: [
            ("voise", "voice"), ("vocie", "voice"), ("oice", "voice"), ("VOICE", "voice"), ("volum", "volume"),
            ("rat", "rate"), ("enginee", "engine"), ("verb", "verbose"), ("speker", "speaker"),
        ])
    func finds(word: String, expected: String) {
        #expect(Suggestions.nearest(to: word, among: options).first == expected)
    }

    @Test("The suggestions for a mistyped prefix include the longer word")
    func mistypedBeginning() {
        #expect(Suggestions.nearest(to: "espek", among: ["tone", "espeak-ng", "piper"]) == ["espeak-ng"])
        #expect(Suggestions.nearest(to: "esepak", among: ["tone", "espeak-ng"]) == ["espeak-ng"])
        #expect(Suggestions.nearest(to: "limit", among: ["rate", "limits.loadSeconds"]) == ["limits.loadSeconds"])
        #expect(Suggestions.nearest(to: "tine", among: ["tone-deaf", "tone"]) == ["tone", "tone-deaf"])
        #expect(Suggestions.nearest(to: "abc", among: ["abdomen"]) == [])
    }

    @Test(
        "There are no suggestions for a word that resembles no candidate",
        arguments: ["", "xyzzy", "q", "configuration"])
    func findsNothing(word: String) {
        #expect(Suggestions.nearest(to: word, among: options) == [])
    }

    @Test("If several words start with a prefix, they are suggested in the given order, up to the limit")
    func beginnings() {
        #expect(Suggestions.nearest(to: "ver", among: options, limit: 2) == ["verbose", "version"])
        #expect(Suggestions.nearest(to: "ver", among: options, limit: 1) == ["verbose"])
    }

    @Test("A very long word is not compared with the candidates")
    func bounded() {
        #expect(Suggestions.nearest(to: String(repeating: "a", count: 1_000_000), among: options) == [])
        #expect(Suggestions.nearest(to: "rate", among: [String(repeating: "r", count: 1_000_000), "rate"]) == ["rate"])
    }
}
