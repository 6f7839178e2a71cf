import EngineKit
import SynthPhonemes
import Testing

@testable import SynthKokoro
@testable import SynthSymbols

@Suite struct ChunkEventsTests {
    private func chunk() -> Chunk {
        var sentence = SpokenSentence(bytes: 0..<9)
        sentence.append(word: Array("ʧˈIː".unicodeScalars), from: 0..<4)
        sentence.append(" ")
        sentence.append(word: Array("ɡO".unicodeScalars), from: 5..<8)
        sentence.append(".")
        var chunk = Chunk()
        chunk.append(sentence, isBeginning: true)
        return chunk
    }

    @Test("Phonemes are letters with their modifiers, in IPA")
    func phonemes() {
        let phonemes = SpokenPhoneme.all(in: chunk().symbols)
        #expect(phonemes.map(\.label) == ["tʃ", "ˈaɪː", "ɡ", "oʊ"])
        #expect(phonemes.map(\.symbols) == [0..<1, 1..<4, 5..<6, 6..<7])
        #expect(SpokenPhoneme.all(in: Array("ː ,ˈ.\u{303}".unicodeScalars)).isEmpty)
    }

    @Test("Sentences, words and phonemes are reported in spoken order")
    func order() throws {
        let chunk = chunk()
        // The durations are three frames for the first pad, one frame per symbol, and one frame for the last pad. A
        // frame has 100 samples.
        let durations = [3.0] + chunk.symbols.map { _ in 1 } + [1]
        let times = try #require(
            TokenTimes(
                durations: durations, symbols: chunk.symbols, frameCount: 100 * Int(durations.reduce(0, +)), lead: 3))
        let events = ChunkEvents.events(of: chunk, times, sound: 0..<1200, wanted: [.sentences, .words, .phonemes])
        #expect(
            events.map(\.kind) == [
                .sentence, .word, .phoneme("tʃ"), .phoneme("ˈaɪː"), .word, .phoneme("ɡ"), .phoneme("oʊ"),
            ])
        #expect(events.map(\.frames.lowerBound) == [0, 0, 0, 100, 450, 500, 600])
        #expect(events.map(\.bytes) == [0..<9, 0..<4, 0..<4, 0..<4, 5..<8, 5..<8, 5..<8])
        let cut = ChunkEvents.events(of: chunk, times, sound: 500..<650, wanted: [.words, .phonemes])
        #expect(cut.map(\.frames.lowerBound) == [0, 0, 0, 0, 0, 100])
        #expect(cut.last?.frames == 100..<150)
    }

    @Test("If there are no times, only the sentence is reported")
    func untimed() {
        let events = ChunkEvents.events(of: chunk(), nil, sound: 0..<100, wanted: [.sentences, .words, .phonemes])
        #expect(events.map(\.kind) == [.sentence])
    }
}
