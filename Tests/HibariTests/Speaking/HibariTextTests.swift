import EngineKit
import SynthEnglish
import SynthSymbols
import Testing

@testable import SynthHibari

/// A source that returns each word as written.
private struct Verbatim: EnglishSource {
    func sentences(of text: String) -> [Range<Int>] { EnglishSentences.ranges(of: text) }

    func read(_ sentence: String) -> SpokenSentence { WrittenPhonemes.sentence(sentence) }
}

@Suite("The text of a request for a small voice") struct HibariTextTests {
    private func sentences(_ text: String, _ kind: SpeechRequest.Kind) -> [SpokenSentence] {
        var reader = HibariText(text, kind, Verbatim())
        var sentences: [SpokenSentence] = []
        while let sentence = reader.next() { sentences.append(sentence) }
        return sentences
    }

    private func symbols(_ text: String, _ kind: SpeechRequest.Kind = .textAndPhonemes) -> [String] {
        sentences(text, kind).map { String(String.UnicodeScalarView($0.symbols)) }
    }

    @Test("A text is split at the ends of sentences")
    func cuts() {
        #expect(symbols("ab. bc! \"de?\" fh", .text) == ["ab.", "bc!", "\"de?\"", "fh"])
        #expect(symbols("b.e.d fh. b", .text) == ["b.e.d fh.", "b"])
        #expect(symbols(" . ! ", .text).isEmpty)
    }

    @Test("Inline phonemes become part of the surrounding sentence")
    func inline() {
        #expect(symbols("de [[tˈɛst]] ab. fh") == ["de tˈɛst ab.", "fh"])
        #expect(symbols("de [[tˈɛst]]. ab") == ["de tˈɛst.", "ab"])
        #expect(symbols("[[tˈɛst]], [[wˈʌn]]!") == ["tˈɛst, wˈʌn!"])
        #expect(symbols("ab. [[tˈɛst]] de.") == ["ab.", "tˈɛst de."])
    }

    @Test("Each word keeps its position")
    func places() {
        let text = "de [[tˈɛst]] ab. fh"
        let words = sentences(text, .textAndPhonemes).flatMap(\.words).map { word in
            String(decoding: Array(text.utf8)[word.bytes], as: UTF8.self)
        }
        #expect(words == ["de", "[[tˈɛst]]", "ab.", "fh"])
        let written = sentences("tˈɛst wˈʌn.", .phonemes)
        #expect(written.map { String(String.UnicodeScalarView($0.symbols)) } == ["tˈɛst wˈʌn."])
        #expect(written.flatMap(\.words).map(\.bytes) == [0..<7, 8..<15])
    }

    @Test("The voice and its language, which must be English, determine the accent")
    func accents() throws {
        #expect(try EnglishAccent(voice: "bf_emma-small", tag: "en-US") == .british)
        #expect(try EnglishAccent(voice: "af_heart-small", tag: "en-GB") == .american)
        #expect(try EnglishAccent(voice: "mine", tag: "en-GB") == .british)
        #expect(try EnglishAccent(voice: "mine", tag: nil) == .american)
        #expect(throws: EngineError.self) { try EnglishAccent(voice: "bf_emma-small", tag: "de") }
    }
}
