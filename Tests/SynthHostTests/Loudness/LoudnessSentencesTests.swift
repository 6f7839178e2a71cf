import Foundation
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Sentences for loudness measurement")
struct LoudnessSentencesTests {
    private static let folder = LanguageFolders.path

    @Test(
        "Each language has ten sentences without numbers or abbreviations",
        arguments: LanguageFolders.codes(with: "language.txt").filter { !$0.contains("-") })
    func sentences(language: String) {
        let sentences = LoudnessSentences.sentences(in: language, of: Self.folder)
        #expect(Set(sentences).count == 10)
        #expect(sentences != LoudnessSentences.numbers)
        for sentence in sentences {
            #expect(sentence.last.map(".?。？".contains) == true, "\(sentence)")
            #expect(!sentence.dropLast().contains { "0123456789.#".contains($0) }, "\(sentence)")
        }
    }

    @Test(
        "A language is found by any of its codes regardless of the region",
        arguments: [("en-GB-x-rp", "en"), ("pt-BR", "pt"), ("cmn", "zh"), ("cmn-latn-pinyin", "zh"), ("zh-CN", "zh")])
    func names(language: String, same: String) {
        #expect(
            LoudnessSentences.sentences(in: language, of: Self.folder)
                == LoudnessSentences.sentences(in: same, of: Self.folder))
    }

    @Test(
        "For a language without sentences, the measurement uses numbers",
        arguments: ["xx", "", "-", "../en", "en/../de", "."])
    func numbers(language: String) {
        #expect(LoudnessSentences.sentences(in: language, of: Self.folder) == LoudnessSentences.numbers)
        #expect(LoudnessSentences.sentences(in: "en", of: nil) == LoudnessSentences.numbers)
    }

    @Test("If a file has too few sentences, not counting comments, numbers are used instead")
    func short() throws {
        let folder = try TemporaryFolder()
        try folder.write("# Mine.\n\(String(repeating: "One.\n", count: 9))".utf8, to: "xy/sentences.txt")
        #expect(LoudnessSentences.sentences(in: "xy", of: folder.path) == LoudnessSentences.numbers)
        try folder.write("# Mine.\n\(String(repeating: "One.\n", count: 12))".utf8, to: "xy/sentences.txt")
        #expect(LoudnessSentences.sentences(in: "xy", of: folder.path) == Array(repeating: "One.", count: 10))
    }
}
