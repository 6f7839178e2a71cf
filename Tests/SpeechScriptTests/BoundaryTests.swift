import SynthScript
import Testing

@Suite("Sentence boundaries")
struct BoundaryTests {
    @Test("A sentence ends where a listener would expect it to", arguments: Boundaries.all.map(CorpusCase.init))
    func boundaries(_ example: CorpusCase) throws {
        #expect(try Splitting.texts(example.document) == example.expected)
        for size in 1...3 { #expect(try Splitting.texts(example.document, chunk: size) == example.expected) }
    }

    @Test("The spelling determines whether a word is an abbreviation")
    func spelling() throws {
        #expect(try Splitting.texts("Me. Girard plaide.") == ["Me. Girard plaide."])
        #expect(try Splitting.texts("It was me. Girard left.") == ["It was me.", "Girard left."])
    }
}
