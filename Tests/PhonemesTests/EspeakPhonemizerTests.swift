import SynthPhonemes
import SynthSymbols
import Testing
import TestSupport

@Suite(.espeakTurn) struct EspeakPhonemizerTests {
    private let english = EspeakPhonemizer(voice: "en-us")

    private func written(_ text: String, inline: Bool = false) throws -> [String] {
        try english.sentences(of: text, readingInlinePhonemes: inline).map { sentence in
            String(String.UnicodeScalarView(sentence.scalars))
        }
    }

    @Test("Phonemes are followed by the punctuation with which the voices were trained")
    func terminators() throws {
        #expect(try written("Test 1.") == ["tˈɛst wˈʌn."])
        #expect(try written("Yes? No! Well.").map(\.last) == ["?", "!", "."])
        let pauses = try written("One, two; three: four.")
        #expect(pauses.count == 1)
        #expect(pauses[0].filter { ",;:.".contains($0) } == ",;:.")
        #expect(pauses[0].contains(", ") && pauses[0].contains("; ") && pauses[0].contains(": "))
    }

    @Test(
        "Sentences end where espeak-ng ends them",
        arguments: [
            ("It costs 3.14 today.", 1), ("Dr. Smith came.", 2), ("One. Two. Three.", 3), ("no end", 1), ("", 0),
            ("Wait... what", 1), ("One line\n\nAnother line", 2), ("“Come!” he said. “Now.”", 3),
        ])
    func sentences(text: String, count: Int) throws {
        #expect(try english.sentences(of: text).count == count)
    }

    @Test("No part of a text is carried over to the next text, regardless of how the first one ends")
    func leftovers() throws {
        let expected = try written("Hello.")
        for text in ["Hello, w", "A. B. C", "one, two, three", "What? I", "“Quoted", "a — b"] {
            _ = try written(text)
            #expect(try written("Hello.") == expected)
        }
    }

    @Test("Words in another language are spoken without the name of the language")
    func languageSwitch() throws {
        let german = EspeakPhonemizer(voice: "de")
        let sentences = try german.sentences(of: "Das ist ein Download mit Software.")
        #expect(!sentences.isEmpty)
        for sentence in sentences { #expect(!sentence.scalars.contains("(")) }
    }

    @Test(
        "Language names are removed from phonemes, with and without ties",
        arguments: [
            ("fr", "Le mot weekend est court."), ("de", "Das ist ein Download mit Software."),
            ("hi", "यह Software है।"), ("en-us", "The word नमस्ते is Hindi."),
        ])
    func languageNames(voice: String, text: String) throws {
        let tied = try Espeak.clauses(of: text, voice: voice, tied: true).map(\.phonemes).joined(separator: "|")
        let plain = try Espeak.clauses(of: text, voice: voice).map(\.phonemes).joined(separator: "|")
        let tie: Unicode.Scalar = "\u{361}"
        #expect(!tied.unicodeScalars.contains("(") && !tied.unicodeScalars.contains(")"))
        let united = String(String.UnicodeScalarView(tied.unicodeScalars.filter { $0 != tie }))
        #expect(united == plain)
    }

    @Test("Mandarin is read as Chinese, regardless of the voice's name", arguments: ["cmn", "sit/cmn", "zh", "cmn+f3"])
    func mandarin(voice: String) throws {
        let text = "你好，世界。"
        let heard = try Espeak.clauses(of: text, voice: voice).map(\.phonemes)
        #expect(heard == (try Espeak.clauses(of: text, voice: "cmn-latn-pinyin").map(\.phonemes)))
        // "shì jiè" contains this consonant, which English lacks.
        #expect(heard.joined().unicodeScalars.contains("ɕ"))
    }

    @Test("Phoneme symbols are decomposed")
    func decomposition() throws {
        let french = try EspeakPhonemizer(voice: "fr").sentences(of: "Bonjour, un bon vin blanc.")
        let scalars = french.flatMap(\.scalars)
        #expect(scalars.contains("\u{303}"))
        #expect(!scalars.contains("\u{1EBD}") && !scalars.contains("\u{E3}"))
    }

    @Test("Every clause has a position, and the positions cover the text in order")
    func places() throws {
        let text = "Hello there, my 👋🏽 friend! Café crème — naïve? 3.14 is “pi”. The end"
        let sentences = try english.sentences(of: text)
        var position = 0
        for clause in sentences.flatMap(\.clauses) {
            #expect(clause.bytes.lowerBound >= position)
            let index = text.utf8.index(text.startIndex, offsetBy: clause.bytes.upperBound)
            #expect(index.samePosition(in: text.unicodeScalars) != nil)
            position = clause.bytes.upperBound
        }
        #expect(position == text.utf8.count)
        let first = try #require(sentences.first?.clauses.first)
        #expect(String(decoding: Array(text.utf8)[first.bytes], as: UTF8.self) == "Hello there,")
    }

    @Test(
        "Words are found in the phonemes even if espeak-ng joins or splits them",
        arguments: [
            ("All of the men, in the 25 rooms.", ["All", "of", "the", "men", "in", "the", "25", "rooms"]),
            ("It was 1999; TV was new.", ["It", "was", "1999", "TV", "was", "new"]),
            (
                "A cafe\u{301} (na\u{EF}ve) in Zu\u{308}rich!",
                ["A", "cafe\u{301}", "na\u{EF}ve", "in", "Zu\u{308}rich"]
            ),
            ("“Well-known” isn't — it's 'new'.", ["Well-known", "isn't", "it's", "new"]),
            ("Price: $500, or 20%.", ["Price", "$500", "or", "20%"]),
        ])
    func words(text: String, expected: [String]) throws {
        let sentences = try english.sentences(of: text)
        var found: [String] = []
        for sentence in sentences {
            let words = try english.words(of: sentence, around: sentence.scalars.indices, in: text)
            var position = 0
            for word in words {
                #expect(word.symbols.lowerBound >= position && !word.symbols.isEmpty)
                position = word.symbols.upperBound
                found.append(String(decoding: Array(text.utf8)[word.bytes], as: UTF8.self))
            }
            let owned = words.reduce(into: Set<Int>()) { $0.formUnion($1.symbols) }
            for (index, scalar) in sentence.scalars.enumerated() where scalar.properties.isAlphabetic {
                #expect(owned.contains(index), "\(scalar) at \(index) has no word")
            }
        }
        #expect(found.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test("Each word is aligned with its own symbols")
    func wordSymbols() throws {
        let text = "All of the big dogs sat."
        let sentence = try #require(try english.sentences(of: text).first)
        let words = try english.words(of: sentence, around: sentence.scalars.indices, in: text)
        let spoken = words.map { String(String.UnicodeScalarView(sentence.scalars[$0.symbols])) }
        #expect(spoken.count == 6)
        #expect(spoken[0].hasPrefix("ˈɔːl"))
        #expect(spoken[1].hasSuffix("v") && spoken[2].hasPrefix("ð"))
        #expect(spoken[4].hasSuffix("dˈɑːɡz") && spoken[5].hasSuffix("sˈæt"))
    }

    @Test("Emoji are either spoken or omitted, and the surrounding words keep their positions")
    func emoji() throws {
        let text = "👍🏽 Good 🇩🇪 day 👨‍👩‍👧!"
        let utf8 = Array(text.utf8)
        var found: [String] = []
        for sentence in try english.sentences(of: text) {
            found += try english.words(of: sentence, around: sentence.scalars.indices, in: text).map {
                String(decoding: utf8[$0.bytes], as: UTF8.self)
            }
        }
        #expect(found.contains("Good") && found.contains("day"))
        for word in found { #expect(!word.unicodeScalars.contains("\u{FFFD}")) }
    }

    @Test("Brackets are treated as containing phonemes only on request")
    func inlinePhonemes() throws {
        #expect(try written("I am [[ bˈætmæn ]] not.", inline: true).count == 1)
        #expect(try written("I am [[ bˈætmæn ]] not.", inline: true)[0].contains(" bˈætmæn "))
        #expect(try !written("I am [[ bˈætmæn ]] not.")[0].contains("bˈætmæn"))
        #expect(try written("[[ ʤ ]]", inline: true) == ["ʤ"])
        #expect(try written("[[wˈɜːld]], [[tˈuː]]; so.", inline: true).first?.hasPrefix("wˈɜːld, tˈuː; ") == true)
        #expect(try written("The [[wˈɜːld]]. [[tˈuː]]! So [[ɪt ɪz]]…", inline: true).map(\.last) == [".", "!", "…"])
        #expect(try written("open [[ but not shut", inline: true) == written("open [[ but not shut"))
    }

    @Test("The error for an unknown espeak-ng voice includes its name")
    func unknownVoice() throws {
        #expect(throws: PhonemeError.unknownVoice("xx-none")) {
            try EspeakPhonemizer(voice: "xx-none").sentences(of: "Hello.")
        }
        #expect(try !EspeakPhonemizer(voice: "en-gb").sentences(of: "Hello.").isEmpty)
    }

    @Test("Many threads that use several voices get the same results as a single thread")
    func threads() async throws {
        let texts = ["Hello, world. How are you?", "Guten Tag, meine Damen.", "Bonjour tout le monde!"]
        let voices = ["en-us", "de", "fr"]
        let expected = try zip(voices, texts).map { try EspeakPhonemizer(voice: $0).sentences(of: $1) }
        try await withThrowingTaskGroup(of: (Int, [PhonemeSentence]).self) { group in
            for round in 0..<60 {
                group.addTask {
                    (round % 3, try EspeakPhonemizer(voice: voices[round % 3]).sentences(of: texts[round % 3]))
                }
            }
            for try await (index, sentences) in group { #expect(sentences == expected[index]) }
        }
    }

    @Test("A long text without punctuation is split into clauses")
    func endless() throws {
        let text = String(repeating: "word ", count: 13_000)
        let sentences = try english.sentences(of: text)
        #expect(sentences.flatMap(\.clauses).count > 1)
        #expect(sentences.map(\.scalars.count).reduce(0, +) > 13_000 * 4)
    }
}
