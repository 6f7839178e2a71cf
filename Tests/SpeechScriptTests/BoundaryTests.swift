import SynthScript
import Testing

@Suite("Sentence boundaries")
struct BoundaryTests {
    @Test("a sentence ends where one would hear it end", arguments: Boundaries.all.map(CorpusCase.init))
    func boundaries(_ example: CorpusCase) throws {
        #expect(try Splitting.texts(example.document) == example.expected)
        for size in 1...3 { #expect(try Splitting.texts(example.document, chunk: size) == example.expected) }
    }

    @Test("a word is an abbreviation in one language and none in another by how it is written")
    func spelling() throws {
        #expect(try Splitting.texts("Me. Girard plaide.") == ["Me. Girard plaide."])
        #expect(try Splitting.texts("It was me. Girard left.") == ["It was me.", "Girard left."])
    }
}
