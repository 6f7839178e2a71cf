import Foundation
import SynthEnglish
import SynthPhonemes
import Testing
import TestSupport

@testable import SynthKokoro
@testable import SynthSymbols

@Suite(.espeakTurn) struct ReadingTests {
    static let english = EnglishReaders()

    static func sentences(
        _ text: String, _ language: KokoroLanguage = .american, lexicon: PronunciationLexicon? = nil
    ) throws -> [SpokenSentence] {
        let voice = try #require(language.espeakVoice)
        var reader = try KokoroReader(
            text, language, voice: voice, lexicon: lexicon, english: english.reader(for: language))
        var sentences: [SpokenSentence] = []
        while let sentence = try reader.next() { sentences.append(sentence) }
        return sentences
    }

    private func symbols(
        _ text: String, _ language: KokoroLanguage = .american, lexicon: PronunciationLexicon? = nil
    ) throws -> String {
        try Self.sentences(text, language, lexicon: lexicon).map { String(String.UnicodeScalarView($0.symbols)) }
            .joined(separator: " ")
    }

    @Test("Punctuation, quotation marks and brackets keep their positions")
    func punctuation() throws {
        let read = try symbols("He said, \"no!\" (twice) — and left… “Why?”")
        #expect(read.filter { ",“”!()—….?".contains($0) } == ",“!”()—…“?”")
        #expect(read.contains("nˈO!”") && read.contains("(t") && read.hasSuffix("?”"))
    }

    @Test("A sentence begins with its own opening quotation mark, not with the closing mark of the previous sentence")
    func quotes() throws {
        let read = try Self.sentences("“Stop.” “Go.”").map { String(String.UnicodeScalarView($0.symbols)) }
        #expect(read == ["“stˈɑp.”", "“ɡˌO.”"])
    }

    @Test("Titles and abbreviations do not end a sentence, and their periods are omitted")
    func titles() throws {
        let read = try Self.sentences("Dr. Smith met Mrs. Jones, e.g. on Monday. Then it rained.")
        #expect(read.count == 2)
        #expect(read.first?.symbols.filter { $0 == "." }.count == 1)
        #expect(read.first?.words.count == 8)
    }

    @Test("Numbers in a text are read as numbers")
    func numbers() throws {
        #expect(try symbols("3.5") == "θɹˈi pYnt fˈIv")
        #expect(try symbols("It cost 1,000.").hasSuffix("wˈʌn θˈWzənd."))
    }

    @Test(
        "Digits and adjacent symbols are spoken, and every word of the text keeps its position",
        arguments: [
            ("It cost $19.99 in 1998, not 2005.", 7), ("From 1998 to 2005", 4), ("I have 3 dogs and 21 cats.", 7),
            ("The 21st of May, 12:30", 5), ("x² is 50% of 1/2", 5), ("Call 555-1234", 2),
        ])
    func digits(text: String, count: Int) throws {
        let utf8 = Array(text.utf8)
        for language in [KokoroLanguage.american, .british] {
            let sentences = try Self.sentences(text, language)
            let words = sentences.flatMap(\.words)
            let written = words.map { String(decoding: utf8[$0.bytes], as: UTF8.self) }
            #expect(words.count >= count, "\(written)")
            var end = 0
            for word in words {
                #expect(word.bytes.lowerBound >= end, "\(written)")
                end = word.bytes.upperBound
            }
            // Every digit is part of a spoken word.
            var covered = Set<Int>()
            for word in words { covered.formUnion(word.bytes) }
            for (offset, byte) in utf8.enumerated() where (0x30...0x39).contains(byte) {
                #expect(covered.contains(offset), "\(written)")
            }
            let spoken = sentences.flatMap(\.symbols)
            #expect(!spoken.contains { ("0"..."9").contains($0) })
        }
    }

    @Test("Numbers on either side of a hyphen are separate words")
    func hyphenatedNumbers() throws {
        let range = try symbols("12-15")
        #expect(range.hasPrefix("twˈɛlv ") && range.hasSuffix(" fˈɪftin"), "\(range)")
        let number = try Self.sentences("Call 123-4567 now.")
        #expect(number.first?.words.count == 3)
        #expect(try symbols("Call 123-4567 now.").contains("θˈWzənd"))
    }

    @Test("A word that is pronounced weakly in the training data is pronounced that way only when it is unstressed")
    func weakWords() throws {
        #expect(try symbols("a cat and an owl").hasPrefix("ɐ kˈæt ænd ɐn "))
        #expect(try symbols("I think so.").hasPrefix("ˌI "))
        #expect(try symbols("Vitamin A.").hasSuffix("ˈA."))
        #expect(try symbols("It ran between them and over our house.").contains("twˈin ðˌɛm ænd ˈOvəɹ ˌWəɹ"))
    }

    @Test("The words of a text are found in order, each with its symbols")
    func words() throws {
        let text = "All of the “big” dogs (25) sat — na\u{EF}ve, cafe\u{301}! And 👍🏽 so on."
        let utf8 = Array(text.utf8)
        var found: [String] = []
        for sentence in try Self.sentences(text) {
            var position = 0
            for word in sentence.words {
                #expect(word.symbols.lowerBound >= position && !word.symbols.isEmpty)
                #expect(!sentence.symbols[word.symbols].contains { ".,!()“”—".unicodeScalars.contains($0) })
                position = word.symbols.upperBound
                found.append(String(decoding: utf8[word.bytes], as: UTF8.self))
            }
        }
        let expected = ["All", "of", "the", "big", "dogs", "25", "sat", "na\u{EF}ve", "cafe\u{301}", "And"]
        #expect(Array(found.prefix(expected.count)) == expected)
        #expect(Array(found.suffix(2)) == ["so", "on"])
    }

    @Test(
        "A symbol followed by a hyphen and a letter from another script does not cause a crash",
        arguments: ["❥-नमस्ते", "\u{7EBDA}-नम", "\u{E000}-नम", "⓷-नम", "a ❥-नम, ❥--नम"])
    func hyphens(text: String) throws {
        #expect(try !Self.sentences(text).isEmpty)
    }

    @Test("A word list in either format takes precedence over espeak-ng, even for inflected words")
    func lexicon() throws {
        let folder = try TemporaryFolder()
        let json = """
            {"tomato": "təmˈɑːtQ", "bake": "bˈAk", "wait": "wˈAt", "low": "lˈO", "read": {"DEFAULT": "ɹˈid", "None": "ɹˈɛd"}}
            """
        let words = try PronunciationLexicon(path: try folder.write(Data(json.utf8), to: "words.json"))
        #expect(try symbols("Tomato!", lexicon: words) == "təmˈɑːtQ!")
        #expect(try symbols("tomatos", lexicon: words) == "təmˈɑːtQz")
        #expect(try symbols("baked", lexicon: words) == "bˈAkt")
        #expect(try symbols("waited", lexicon: words) == "wˈATᵻd")
        #expect(try symbols("baking", .british, lexicon: words) == "bˈAkɪŋ")
        #expect(try symbols("read it", lexicon: words).hasPrefix("ɹˈid "))
        let lines = try PronunciationLexicon(
            path: try folder.write(Data("tomato t ə m A\nonly\n".utf8), to: "words.txt"))
        #expect(try symbols("A tomato.", lexicon: lines) == "ɐ təmA.")
    }

    @Test("The context determines a word's pronunciation, even if the word has an ending")
    func neighbours() throws {
        let folder = try TemporaryFolder()
        let json = """
            {"wind": {"DEFAULT": "wˈɪnd", "VERB": "wˈInd"}, "live": {"DEFAULT": "lˈIv", "VERB": "lˈɪv"},
             "record": {"DEFAULT": "ɹˈɛkəɹd", "VERB": "ɹəkˈɔɹd"}, "that": {"DEFAULT": "ðæt", "DT": "ðˈæt"}}
            """
        let words = try PronunciationLexicon(path: try folder.write(Data(json.utf8), to: "words.json"))
        #expect(try symbols("the wind", lexicon: words).hasSuffix(" wˈɪnd"))
        #expect(try symbols("to wind", lexicon: words).hasSuffix(" wˈInd"))
        #expect(try symbols("the record", lexicon: words).hasSuffix(" ɹˈɛkəɹd"))
        #expect(try symbols("to record", lexicon: words).hasSuffix(" ɹəkˈɔɹd"))
        #expect(try symbols("they lived", lexicon: words).hasSuffix(" lˈɪvd"))
        #expect(try symbols("live music", lexicon: words).hasPrefix("lˈIv "))
        #expect(try symbols("that dog", lexicon: words).hasPrefix("ðˈæt "))
    }

    @Test(
        "An inflected word is derived from the stem that its spelling indicates",
        arguments: [
            ("marched", "mˈɑɹʧt"), ("hoping", "hˈOpɪŋ"), ("hopping", "hˈɑpɪŋ"), ("pasted", "pˈAstᵻd"),
            ("helped", "hˈɛlpt"), ("singing", "sˈɪŋɪŋ"), ("changed", "ʧˈAnʤd"), ("cleaning", "klˈinɪŋ"),
        ])
    func stems(word: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let json = """
            {"march": "mˈɑɹʧ", "marche": "mˈɑɹkA", "hop": "hˈɑp", "hope": "hˈOp", "past": "pˈæst", "paste": "pˈAst",
             "help": "hˈɛlp", "sing": "sˈɪŋ", "singe": "sˈɪnʤ", "chang": "ʧˈæŋ", "change": "ʧˈAnʤ", "clean": "klˈin"}
            """
        let words = try PronunciationLexicon(path: try folder.write(Data(json.utf8), to: "words.json"))
        #expect(try symbols(word, lexicon: words) == expected)
    }

    @Test(
        "After a voiceless consonant, a possessive ends with a voiceless s",
        arguments: [("Kate's", "s"), ("Ann's", "z")])
    func possessive(word: String, ending: String) throws {
        #expect(try symbols(word).hasSuffix(ending))
    }

    @Test("A list is used only for its own variety of English, and context-dependent words need no list")
    func variety() throws {
        let folder = try TemporaryFolder()
        let american = try PronunciationLexicon(
            path: try folder.write(Data(#"{"boat": "bˈOt", "the": "ðʌ", "bath": "bˈæθ"}"#.utf8), to: "us.json"))
        let british = try PronunciationLexicon(
            path: try folder.write(Data(#"{"boat": "bˈQt", "bath": "bˈɑːθ"}"#.utf8), to: "gb.json"))
        let both = try PronunciationLexicon(
            path: try folder.write(Data(#"{"boat": "bˈQt", "bath": "bˈæθ"}"#.utf8), to: "both.json"))
        let lines = try PronunciationLexicon(path: try folder.write(Data("boat bˈOːt\n".utf8), to: "own.txt"))
        #expect(american.variety == .american && british.variety == .british)
        #expect(both.variety == nil && lines.variety == nil)
        #expect(try symbols("The boat.", lexicon: american) == "ðə bˈOt.")
        #expect(try symbols("Bath.", .british, lexicon: american) == "bˈɑːθ.")
        #expect(try symbols("Boat.", .british, lexicon: british) == "bˈQt.")
        #expect(try symbols("Boat.", .british, lexicon: lines) == "bˈOːt.")
        #expect(try symbols("Un boat.", .french, lexicon: lines) == symbols("Un boat.", .french))
    }

    @Test("A minus sign is spoken even if the preceding word is in the list")
    func minus() throws {
        let folder = try TemporaryFolder()
        let words = try PronunciationLexicon(path: try folder.write(Data("fell fˈɛl\n".utf8), to: "own.txt"))
        #expect(try symbols("It fell -5 degrees.", lexicon: words).contains("fˈɛl mˈInəs fˈIv"))
    }

    @Test("In every clause, function words sound as in the training data, and a capital letter adds slight stress")
    func functionWords() throws {
        #expect(try symbols("She did not look for the end of it.") == "ʃˌi dˈɪd nˌɑt lˈʊk fɔɹ ði ˈɛnd ʌv ɪt.")
        #expect(try symbols("It has been on.", .british) == "ˌɪt haz biːn ˌɒn.")
        #expect(try symbols("Every one.", .british) == "ˈɛvəɹi wˈʌn.")
        #expect(try symbols("THE cat").hasPrefix("ðə "))
        #expect(EnglishWords.stressed(Array("ɪt".unicodeScalars), as: "IT") == Array("ˈɪt".unicodeScalars))
        #expect(EnglishWords.stressed(Array("ˌɔn".unicodeScalars), as: "ON") == Array("ˈɔn".unicodeScalars))
    }

    @Test("A British linking r is not spoken")
    func linkingR() throws {
        #expect(try symbols("There are four eggs near a car.", .british).contains("ɹ") == false)
        #expect(try symbols("A very red rose.", .british).filter { $0 == "ɹ" }.count == 3)
    }

    @Test("A file that is not a word list is rejected", arguments: ["<html>", "", "{\"a\": 1}", "{", "word\n"])
    func noLexicon(content: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data(content.utf8), to: "words")
        let error = #expect(throws: (any Error).self) { try PronunciationLexicon(path: path) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("lexicon"))
    }

    @Test("IPA written by hand is converted to Kokoro's symbols")
    func written() {
        let sentence = WrittenPhonemes.sentence("həlˈoʊ  t͡ʃaɪ kˈæts gI")
        #expect(String(String.UnicodeScalarView(sentence.symbols)) == "həlˈO ʧI kˈæts ɡI")
        #expect(sentence.words.map(\.bytes) == [0..<9, 11..<19, 20..<27, 28..<30])
    }

    @Test("The text's language, but not its regional variety, overrides the language of the voice's ID")
    func languages() throws {
        #expect(try KokoroLanguage(voice: "bf_emma", tag: nil) == .british)
        #expect(try KokoroLanguage(voice: "af_heart", tag: "en-GB") == .american)
        #expect(try KokoroLanguage(voice: "af_heart", tag: "fr-CA") == .french)
        #expect(try KokoroLanguage(voice: "mine", tag: "en-GB") == .british)
        #expect(throws: (any Error).self) { try KokoroLanguage(voice: "mine", tag: nil) }
        let error = #expect(throws: (any Error).self) { try KokoroLanguage(voice: "af_heart", tag: "de") }
        #expect("\(error.map { "\($0)" } ?? "")".contains("\"de\""))
    }
}
