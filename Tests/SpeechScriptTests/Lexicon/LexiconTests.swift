import SynthScript
import SynthSystem
import Testing
import TestNumbers

@Suite("Lexicons")
struct LexiconTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let lexicon: String
        let text: String
        let language: String?
        let expected: [String]

        init(_ lexicon: String, _ text: String, in language: String? = nil, _ expected: String...) {
            self.lexicon = lexicon
            self.text = text
            self.language = language
            self.expected = expected
        }

        var testDescription: String { "\(lexicon.debugDescription) \(text.debugDescription)" }
    }

    static let cases: [Case] = [
        .init("gif = jif", "A gif, GIFs and a GIF.", "2:gif>jif", "18:GIF>jif"),
        .init("GIF = jif", "gif Gif GIF", "8:GIF>jif"),
        .init("us = them\nUS = U S", "us US Us", "0:us>them", "3:US>U S", "6:Us>them"),
        .init("gif = /dʒˈɪf/", "gif", "0:gif>/dʒˈɪf/"),
        .init("# gif = x\n\n  \t\r\ngif = b\r\n", "gif", "0:gif>b"),
        .init("gif = a\ngif = b", "gif", "0:gif>b"),
        .init("\u{FEFF}gif = b", "gif", "0:gif>b"),
        .init("en: chat = tchat\nchat = sha", "chat", in: "fr", "0:chat>sha"),
        .init("en: chat = tchat\nchat = sha", "chat", in: "en-GB", "0:chat>tchat"),
        .init("chat = sha\nen: chat = tchat\nEN_gb: chat = c", "chat", in: "en-GB", "0:chat>c"),
        .init("en: chat = tchat", "chat"),
        .init("en: chat = tchat", "chat", in: "eng"),
        .init("re:invent = x", "re:invent", in: "re", "0:re:invent>x"),
        .init("new york = NY\nnew = x\nyork = y", "New  York, new, york", "0:New  York>NY", "11:new>x", "16:york>y"),
        .init("new york = NY", "new york city's newyork new-york", "0:new york>NY"),
        .init("a b c = x\na = y\nb = z", "a b d", "0:a>y", "2:b>z"),
        .init("Dr. Who = Doctor", "Dr. Who? dr. who", "0:Dr. Who>Doctor"),
        .init("C# = C sharp\nC++ = C plus", "C# C++ C c#", "0:C#>C sharp", "3:C++>C plus"),
        .init("x = a = b", "x", "0:x>a = b"),
        .init("don't = do not\nt = T", "I don’t, can't", "2:don’t>do not"),
        .init("rock = x", "rock's 'rock' rock", "8:rock>x", "14:rock>x"),
        .init("straße = x", "STRASSE Straße", "8:Straße>x"),
        .init("東京 = とうきょう", "私は東京に", "6:東京>とうきょう"),
        .init("café = x", "cafe\u{301} café", "0:cafe\u{301}>x", "7:café>x"),
        .init("привет = x", "Привет, мир", "0:Привет>x"),
        .init("w/o = without", "w/o sugar", "0:w/o>without"),
        .init("", "anything"),
    ]

    @Test("An entry applies to complete words, depending on their spelling and language", arguments: cases)
    func found(_ example: Case) throws {
        let lexicon = try Self.lexicon(example.lexicon)
        let found = lexicon.edits(of: example.text, in: example.language)
        #expect(found.map { Self.notation($0, in: example.text) } == example.expected)
    }

    @Test(
        "The error for an invalid line includes the line number",
        arguments: [
            ("a = b\nc", 2, "no equals sign"), ("= b", 1, "no word"), ("en: = b", 1, "no word"),
            ("a =", 1, "no pronunciation"), ("#\n\na = /b", 3, "'/b' is not a pronunciation"),
            ("a = //", 1, "'//' is not"),
            ("a = /[b]/", 1, "'/[b]/' is not a pronunciation"), ("a\u{7} = b", 1, "control character"),
            ("a = " + String(repeating: "b", count: 257), 1, "more than 256 characters"),
        ])
    func broken(_ document: String, line: Int, reason: String) {
        let error = #expect(throws: SpeechError.self) { try Self.lexicon(document) }
        #expect(error?.code == .lexiconInvalid && error?.facts.line == line && error?.facts.path == nil)
        #expect(error?.message.contains(reason) ?? false)
    }

    @Test("Invalid UTF-8 and a file that is too long cause errors")
    func limits() {
        let broken: [UInt8] = [0x61, 0x3D, 0x62, 0x0A, 0xFF]
        let binary = #expect(throws: SpeechError.self) { try Self.lexicon(broken) }
        #expect(binary?.message == "Line 2 of the lexicon is not UTF-8.")
        let long = Array(repeating: UInt8(ascii: "#"), count: (16 << 20) + 1)
        let error = #expect(throws: SpeechError.self) { try Self.lexicon(long) }
        #expect(error?.message == "The lexicon is larger than 16 MiB." && error?.facts.limit == 16 << 20)
    }

    @Test("Entries of later files take precedence")
    func later() throws {
        var lexicon = try Self.lexicon("a = x\nb = y")
        try lexicon.add(Array("a = z".utf8).span)
        #expect(lexicon.edits(of: "a b", in: nil).map(\.replacement) == [.text("z"), .text("y")])
    }

    @Test("For any text, ranges are in ascending order and do not split characters", arguments: 0..<UInt64(200))
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let text = NastyText.make(with: &random)
        let lexicon = try Self.lexicon("hello = x\nworld hello = y\n你 = z\n. = dot\n👍🏽 = good\ne\u{301} = e")
        var end = 0
        let bytes = Array(text.utf8)
        for found in lexicon.edits(of: text, in: "en") {
            #expect(found.range.lowerBound >= end && !found.range.isEmpty && found.range.upperBound <= bytes.count)
            end = found.range.upperBound
            #expect(!UTF8.isContinuation(bytes[found.range.lowerBound]))
            #expect(end == bytes.count || !UTF8.isContinuation(bytes[end]))
        }
    }

    private static func lexicon(_ text: String) throws -> Lexicon { try lexicon(Array(text.utf8)) }

    private static func lexicon(_ document: [UInt8]) throws(SpeechError) -> Lexicon {
        var lexicon = Lexicon()
        try lexicon.add(document.span)
        return lexicon
    }

    private static func notation(_ edit: TextEdit, in text: String) -> String {
        let word = String(decoding: Array(text.utf8)[edit.range], as: UTF8.self)
        switch edit.replacement {
        case .text(let said): return "\(edit.range.lowerBound):\(word)>\(said)"
        case .pronunciation(let said, _): return "\(edit.range.lowerBound):\(word)>/\(said)/"
        }
    }
}
