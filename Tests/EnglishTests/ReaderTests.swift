import Testing

@testable import SynthEnglish

/// Readers for both accents, created once.
enum Readers {
    static let american = Result { try EnglishReader(.american) }
    static let british = Result { try EnglishReader(.british) }

    static func of(_ accent: EnglishAccent) throws -> EnglishReader {
        try accent == .british ? british.get() : american.get()
    }

    static func symbols(_ text: String, _ accent: EnglishAccent = .american) throws -> String {
        String(String.UnicodeScalarView(try of(accent).read(text).symbols))
    }
}

@Suite("Reading English") struct ReaderTests {
    /// The symbols for which Kokoro's models have IDs.
    static let vocabulary = Set(
        ";:,.!?—…\"()“” \u{303}ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ"
            .unicodeScalars)

    @Test(
        "American English is transcribed",
        arguments: [
            (
                "The quick brown fox, aren't you \"happy\"?",
                "ðə kwˈɪk bɹˈWn fˈɑks, ˌɑɹnt ju “hˈæpi”?"
            ),
            ("The old owl and an apple.", "ði ˈOld ˈWl ænd ɐn ˈæpᵊl."),
            ("I used to play the piano in the U.S. every day.", "ˌI jˈust tə plˈA ðə piˈænO ɪn ðə jˌuˈɛs ˈɛvəɹi dˈA."),
            ("Dr. Smith and T. H. White came in.", "dˈɑktəɹ smˈɪθ ænd tˈi ˈAʧ wˈIt kˈAm ˈɪn."),
            ("IBM and NASA agreed.", "ˌIbˌiˈɛm ænd nˈæsə əɡɹˈid."),
            ("Go to Ohio, to Maine, or to.", "ɡˌO tʊ OhˈIO, tə mˈAn, ɔɹ tu."),
            ("The dogs' bowls were in Kate's kitchen.", "ðə dˈɔɡz bˈOlz wɜɹ ɪn kˈAts kˈɪʧᵊn."),
            ("They waited, begged and wished -- briefly.", "ðˌA wˈATᵻd, bˈɛɡd ænd wˈɪʃt — bɹˈifli."),
        ])
    func american(text: String, symbols: String) throws {
        #expect(try Readers.symbols(text) == symbols)
    }

    @Test(
        "British English is transcribed",
        arguments: [
            ("The water was hotter than they expected.", "ðə wˈɔːtə wɒz hˈɒtə ðən ðA ɪkspˈɛktɪd."),
            ("I can't dance.", "ˌI kˈɑːnt dˈɑːns."),
            ("She waited in the garage.", "ʃˌiː wˈAtɪd ɪn ðə ɡˈaɹɑːʤ."),
        ])
    func british(text: String, symbols: String) throws {
        #expect(try Readers.symbols(text, .british) == symbols)
    }

    @Test("Diacritics are ignored, and words keep their positions")
    func accents() throws {
        let text = "Müller ate at a café."
        let reading = try Readers.of(.american).read(text)
        let words = reading.words.map { String(decoding: Array(text.utf8)[$0.bytes], as: UTF8.self) }
        #expect(words == ["Müller", "ate", "at", "a", "café"])
        #expect(reading.unreadable.isEmpty)
        #expect(try Readers.symbols("naïve") == Readers.symbols("naive"))
    }

    @Test("Unreadable text is reported")
    func unreadable() throws {
        let text = "We saw москва and 42 日本."
        let reading = try Readers.of(.american).read(text)
        let missing = reading.unreadable.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
        #expect(missing == ["москва", "日本"])
        #expect(String(String.UnicodeScalarView(reading.symbols)) == "wˌi sˈɔ ænd fˈɔɹ tˈu.")
    }

    @Test("Digits are read one by one and keep their positions")
    func digits() throws {
        #expect(try Readers.symbols("I have 12 apples.") == Readers.symbols("I have one two apples."))
        #expect(try Readers.symbols("7") == Readers.symbols("seven"))
        let text = "He’s at R2D2, ٣."
        let reading = try Readers.of(.british).read(text)
        let words = reading.words.map { String(decoding: Array(text.utf8)[$0.bytes], as: UTF8.self) }
        #expect(words == ["He’s", "at", "R", "2", "D", "2"])
        #expect(reading.unreadable == [16..<18])
    }

    @Test("Parts of words next to curly apostrophes keep their positions")
    func apostrophes() throws {
        let text = "O’Neill’sFoo&Bar’sBaz/d’Arc"
        let words = try Readers.of(.american).read(text).words.map { word in
            String(validating: Array(text.utf8)[word.bytes], as: UTF8.self)
        }
        #expect(words == ["O’Neill’s", "Foo", "&", "Bar’s", "Baz", "d’Arc"])
    }

    @Test("The source of a word's pronunciation is reported")
    func sources() throws {
        let sources = try Readers.of(.american).read("The zorbling sailors sat.").words.map(\.source)
        #expect(sources == [.context, .letters, .inflected, .list])
    }

    @Test("The pronunciation of an unlisted word's ending depends on the preceding consonant")
    func unknownWords() throws {
        #expect(try Readers.symbols("Zorblat's").hasSuffix("s"))
        #expect(try Readers.symbols("Zorblad's").hasSuffix("z"))
    }

    @Test("A long unknown word is read 40 letters at a time, up to 2,000 letters")
    func longWord() throws {
        let reader = try Readers.of(.american)
        let piece = String(repeating: "zorblatimu", count: 4)
        #expect(reader.guess(piece + piece + "k") == reader.guess(piece) + reader.guess(piece) + reader.guess("k"))
        let long = String(repeating: piece, count: 50)
        #expect(reader.guess(long + "k") == reader.guess(long))
    }

    @Test("Every symbol is in Kokoro's vocabulary", arguments: EnglishAccent.allCases)
    func vocabulary(accent: EnglishAccent) throws {
        let text = """
            «Well» – „so“ [he] {said}: isn't it…? R&D, and/or 100% @home; 'quoted' ‘words’ --- rock'n'roll \u{0}\u{301}é \u{FFFD} \
            McDonald JavaScript iPhone ﬁne x-ray A.M. Ph.D. zzzz qqq 🙂 e\u{301} ''
            """
        for symbol in try Readers.of(accent).read(text).symbols {
            #expect(Self.vocabulary.contains(symbol), "\(symbol)")
        }
    }

    @Test(
        "Positions are in order and within the text",
        arguments: ["", " ", ".", "'", "-", "a-", "--", "…", "\u{301}", "A. B. c."])
    func places(text: String) throws {
        let reading = try Readers.of(.american).read(text)
        for word in reading.words {
            #expect(word.bytes.upperBound <= text.utf8.count && word.symbols.upperBound <= reading.symbols.count)
        }
    }

    @Test(
        "Processing time depends only on the length of the text",
        .timeLimit(.minutes(1)),
        arguments: [
            String(repeating: "a-", count: 20_000), String(repeating: "read ", count: 20_000),
            String(repeating: "x", count: 200_000), String(repeating: "A.", count: 20_000),
            String(repeating: "'", count: 20_000), String(repeating: "aB", count: 20_000),
            String(repeating: "\u{301}", count: 20_000),
        ])
    func longTexts(text: String) throws {
        let reading = try Readers.of(.american).read(text)
        #expect(reading.words.allSatisfy { $0.bytes.upperBound <= text.utf8.count })
    }

    @Test("Several threads can read concurrently")
    func threads() async throws {
        let reader = try Readers.of(.american)
        let expected = reader.read("The wind blew over the unkempt Zorblat.")
        await withTaskGroup(of: EnglishReading.self) { group in
            for _ in 0..<8 { group.addTask { reader.read("The wind blew over the unkempt Zorblat.") } }
            for await reading in group { #expect(reading == expected) }
        }
    }
}

@Suite("Splitting English into sentences") struct EnglishSentencesTests {
    @Test("The period at the end of an abbreviation does not end a sentence")
    func abbreviations() {
        let text = "Dr. Smith met T. H. White in the U.S. today. \"Really?\" Yes… It was so."
        let parts = EnglishSentences.ranges(of: text).map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
        #expect(
            parts == ["Dr. Smith met T. H. White in the U.S. today. ", "\"Really?\" ", "Yes… ", "It was so."])
    }

    @Test("The sentences cover the entire text")
    func cover() {
        for text in ["", "  ", "No end", "One. Two", " A! b"] {
            let ranges = EnglishSentences.ranges(of: text)
            #expect(ranges.reduce(0) { $0 + $1.count } == text.utf8.count)
        }
    }
}
