import SynthScript
import Testing

@Suite("Plain text")
struct PlainTextTests {
    @Test("English sentences end where a reader would pause", arguments: Corpus.english)
    func english(_ example: CorpusCase) throws {
        #expect(try Splitting.texts(example.document) == example.expected)
    }

    @Test("Sentences in other languages end at their own punctuation", arguments: Corpus.languages)
    func languages(_ example: CorpusCase) throws {
        #expect(try Splitting.texts(example.document) == example.expected)
    }

    @Test("Lines are joined, except for paragraphs, list items and lines after a colon", arguments: Corpus.lines)
    func lines(_ example: CorpusCase) throws {
        #expect(try Splitting.texts(example.document) == example.expected)
    }

    @Test(
        "The result does not depend on the chunk size",
        arguments: Corpus.english + Corpus.languages + Corpus.lines)
    func chunks(_ example: CorpusCase) throws {
        let bytes = Array(example.document.utf8)
        let whole = try Splitting.utterances(bytes)
        for size in 1...4 { #expect(try Splitting.utterances(bytes, chunk: size) == whole) }
        for border in 1..<max(bytes.count, 2) { #expect(try Splitting.utterances(bytes, chunk: border) == whole) }
    }

    @Test("Each utterance has the pause that follows its sentence or paragraph")
    func pauses() throws {
        let utterances = try Splitting.utterances(Array("One. Two.\n\nThree\n\n- four\n- five".utf8))
        #expect(utterances.map(\.pauseAfter) == [.sentence, .paragraph, .paragraph, .sentence, .sentence])
    }

    @Test("Text that contains only white space and control characters yields no utterance")
    func blank() throws {
        #expect(try Splitting.texts(" \t\r\n\u{A0}\u{3000}\u{0}\u{1B}[0m\u{FEFF}\n\n") == [])
        #expect(try Splitting.texts("") == [])
    }
}
