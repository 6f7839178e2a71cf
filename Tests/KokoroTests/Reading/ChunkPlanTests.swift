import SynthPhonemes
import Testing
import TestSupport

@testable import SynthKokoro
@testable import SynthSymbols

@Suite(.espeakTurn) struct ChunkPlanTests {
    private func chunks(_ sentences: [SpokenSentence]) -> [Chunk] {
        var rest = sentences[...]
        var plan = ChunkPlan(.kokoro)
        var chunks: [Chunk] = []
        while let chunk = plan.next({ rest.popFirst() }) { chunks.append(chunk) }
        return chunks
    }

    private func sentence(_ symbols: String, at byte: Int = 0) -> SpokenSentence {
        var sentence = SpokenSentence(bytes: byte..<byte + symbols.utf8.count)
        var position = byte
        for word in symbols.split(separator: " ", omittingEmptySubsequences: false) {
            sentence.append(word: Array(word.unicodeScalars), from: position..<position + word.utf8.count)
            sentence.append(SpokenSentence.space)
            position += word.utf8.count + 1
        }
        sentence.removeTrailingSpace()
        return sentence
    }

    private func text(_ chunk: Chunk) -> String { String(String.UnicodeScalarView(chunk.symbols)) }

    @Test("Short sentences are joined until they reach a suitable length")
    func joinsShortSentences() {
        let short = sentence(String(repeating: "ab ", count: 9) + "ab.")
        let made = chunks(Array(repeating: short, count: 30))
        #expect(made.dropLast().allSatisfy { $0.count >= RunLengths.kokoro.enough })
        #expect(made.allSatisfy { $0.count <= RunLengths.kokoro.limit })
        #expect(made.map(\.sentences.count).reduce(0, +) == 30)
        #expect(made.map(\.words.count).reduce(0, +) == 300)
    }

    @Test("A short sentence is joined with the long sentence before or after it")
    func joinsShortToLong() {
        let long = sentence(Array(repeating: "abcde", count: 40).joined(separator: " ") + ".")
        #expect(chunks([sentence("ab."), long]).count == 1)
        #expect(chunks([long, sentence("ab.")]).count == 1)
        #expect(chunks([sentence("ab.")]).map(text) == ["ab."])
    }

    @Test("A long sentence is split after commas into parts of similar length")
    func cutsAfterCommas() {
        let clause = Array(repeating: "abcde", count: 12).joined(separator: " ")
        let long = sentence([clause, clause, clause, clause, clause].joined(separator: ", ") + ".")
        let made = chunks([long])
        #expect(made.count == 2)
        #expect(made[0].symbols.last == ",")
        #expect(made.allSatisfy { $0.count > 100 && $0.count <= RunLengths.kokoro.limit })
        #expect(made.map(text).joined(separator: " ") == String(String.UnicodeScalarView(long.symbols)))
    }

    @Test("A sentence without commas is split between words, and one without spaces is split at the length limit")
    func hardCuts() {
        let words = sentence(Array(repeating: "abcdefg", count: 200).joined(separator: " "))
        let made = chunks([words])
        #expect(made.allSatisfy { $0.count <= RunLengths.kokoro.hardLimit && $0.symbols.count % 8 == 7 })
        #expect(made.map(text).joined(separator: " ") == String(String.UnicodeScalarView(words.symbols)))
        let endless = sentence(String(repeating: "a", count: 2000))
        let parts = chunks([endless])
        #expect(parts.allSatisfy { $0.count <= RunLengths.kokoro.limit })
        #expect(parts.map(\.count).reduce(0, +) == 2000)
        #expect(parts.map(\.words.count).reduce(0, +) == 1)
    }

    @Test("Without sentences, there are no chunks")
    func emptyInput() {
        #expect(chunks([]).isEmpty)
    }

    @Test("In paragraphs of any length, no word is missing or repeated, and no chunk is too long", arguments: 0..<20)
    func paragraphs(seed: Int) throws {
        let text = Paragraph(seed: seed)
        let utf8 = Array(text.text.utf8)
        let made = chunks(try ReadingTests.sentences(text.text))
        var words: [String] = []
        for chunk in made {
            #expect(chunk.count <= RunLengths.kokoro.hardLimit)
            #expect(chunk.tokens.count == chunk.count)
            words += chunk.words.map { String(decoding: utf8[$0.bytes], as: UTF8.self) }
        }
        let isComplete = words == text.words
        #expect(isComplete)
        // Only the last chunk may be too short.
        #expect(made.dropLast().allSatisfy { $0.count >= RunLengths.kokoro.few })
        if let last = made.last, let before = made.dropLast().last, last.count < RunLengths.kokoro.few {
            #expect(before.count + 1 + last.count > RunLengths.kokoro.hardLimit)
        }
    }
}
