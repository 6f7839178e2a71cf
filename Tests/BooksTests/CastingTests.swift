import SynthDocuments
import SynthScript
import Testing

@testable import SynthBooks
@testable import SynthSpeech

@Suite("Casting a book's speakers")
struct CastingTests {
    /// Paragraphs, and the quotations in them with the speaker of each.
    static let table: [(text: String, lines: [String])] = [
        ("“Open it,” said Maria. “Now!”", ["Maria: “Open it,”", "Maria: “Now!”"]),
        ("“Why?” Tom Sawyer asked.", ["Tom Sawyer: “Why?”"]), ("“No,” he said.", ["?: “No,”"]),
        ("“Well,” said Mr. Smith, and left.", ["Mr Smith: “Well,”"]),
        ("Maria turned and said, “Come.”", ["Maria: “Come.”"]), ("She said: “Come.” Then Tom laughed.", ["?: “Come.”"]),
        ("\"It's late,\" Anna whispered. It was.", ["Anna: \"It's late,\""]),
        ("‘Don’t go,’ said Jim. The boys’ room was dark.", ["Jim: ‘Don’t go,’"]),
        ("He went to the so-called “office” of theirs.", []), ("Nothing was said here by Tom.", []),
        ("“It goes on in the next paragraph.", ["?: “It goes on in the next paragraph."]),
        ("“Maria’s right,” Maria’s mother said.", ["?: “Maria’s right,”"]),
        ("„Komm“, sagte Frau Klein, „schnell!“", ["Frau Klein: „Komm“", "Frau Klein: „schnell!“"]),
        ("»Nein«, rief Hans.", ["Hans: »Nein«"]), ("„Nein“, sagte er.", ["?: „Nein“"]),
        ("« Viens ! » dit Marie.", ["Marie: « Viens ! »"]), ("— Viens, dit Paul.", ["Paul: — Viens, dit Paul."]),
        ("« Oui, dit Paul, viens. »", ["Paul: « Oui, dit Paul, viens. »"]),
        ("“Why?” she asked John.", ["?: “Why?”"]), ("“Why?” Maria asked John.", ["Maria: “Why?”"]),
        ("“Go,” he told Maria. “Now.”", ["?: “Go,”", "?: “Now.”"]), ("He asked Maria, “Why?”", ["?: “Why?”"]),
        ("Finally she said, “Go.”", ["?: “Go.”"]), ("“Go.” Nobody answered.", ["?: “Go.”"]),
        ("From behind him a voice said: “Go.”", ["?: “Go.”"]), ("Maria waited, then he said: “Go.”", ["?: “Go.”"]),
        ("“Go,” said Maria, John’s sister.", ["Maria: “Go,”"]),
        ("„Geh“, sagte Maria, Hände in den Taschen.", ["Maria: „Geh“"]),
        ("— Я — студент, — сказал Иван.", ["Иван: — Я — студент,"]), ("« Non. » lui dit Marie.", ["Marie: « Non. »"]),
        ("‘The boys’ room is dark,’ said Jim.", ["Jim: ‘The boys’ room is dark,’"]),
        ("—Ven —dijo María—. Ahora.", ["María: —Ven", "María: —. Ahora."]),
        ("— Иди, — сказала Мария. — Быстро.", ["Мария: — Иди,", "Мария: — Быстро."]),
        ("«Vieni», disse Anna.", ["Anna: «Vieni»"]), ("— Vem — disse Ana.", ["Ana: — Vem"]),
        ("— Chodź — powiedziała Zofia.", ["Zofia: — Chodź"]),
        ("—Voy. Madrid–Toledo, dijo.", ["?: —Voy. Madrid–Toledo, dijo."]), ("“Kom,” zei Piet.", ["Piet: “Kom,”"]),
        ("「はい」と彼は言った。", ["?: 「はい」"]), ("", []), ("“", []), ("—", ["?: —"]),
    ]

    @Test("Quotations and their speakers are found by quotation marks, dashes and verbs", arguments: table)
    func lines(text: String, lines: [String]) {
        let found = SpokenLines(in: text).lines.map { line in
            "\(line.speaker ?? "?"): " + String(decoding: Array(text.utf8)[line.range], as: UTF8.self)
        }
        #expect(found == lines)
    }

    private static let chapter = Document.Chapter(
        title: "One",
        blocks: ["“One,” said Ann. It was *late*.", "“Two,” said Bob.", "“Three!” That was all."].map {
            Document.Block(.paragraph, $0, at: Document.Position(line: 1))
        })

    @Test("The cast file can be edited and shows each speaker's first line and number of lines")
    func file() throws {
        var cast = BookCast(of: [Self.chapter])
        #expect(cast.people.map(\.name) == ["Ann", "Bob"] && cast.others.lines == 1)
        #expect(cast.json.contains("\"Ann\": {\"voice\": null, \"lines\": 1, \"first\": \"“One,”\"}"))
        cast.speakers["Ann"]?.voice = "Heart"
        cast.chapters[2] = "Emma"
        #expect(try BookCast(json: Array(cast.json.utf8)) == cast && cast.voices == ["Emma", "Heart"])
        let short = try BookCast(json: Array("{\"others\": \"Bella\", \"speakers\": {\"Bob\": \"Adam\"}}".utf8))
        #expect(short.others.voice == "Bella" && short.speakers["Bob"]?.voice == "Adam")
    }

    @Test(
        "The error for an invalid cast file includes the line number and the reason",
        arguments: [
            ("{\n\"speaker\": {}}", 2, "the key \"speaker\" is unknown"), ("[]", 1, "it is a list"),
            ("{\"chapters\": {\"x\": \"A\"}}", 1, "\"x\" is not a chapter number"),
            ("{\"speakers\": {\"A\":\n 7}}", 1, "\"A\" must be the name of a voice, not the number 7"), ("{", 1, ""),
        ])
    func wrong(json: String, line: Int, reason: String) {
        let failure = #expect(throws: BookFailure.self) { try BookCast(json: Array(json.utf8)) }
        guard case .cast(let found, let said) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(found == line && said.contains(reason), "\(found) \(said)")
    }

    @Test("A quotation uses its speaker's voice or, failing that, the chapter's voice or the one for unnamed speakers")
    func ranges() throws {
        var cast = BookCast(of: [Self.chapter])
        func spoken() throws -> [String] {
            let part = try #require(BookChapter(Self.chapter, number: 3, cast: cast).parts.first)
            return part.roles.map { role in
                "\(role.voice): " + String(decoding: Array(part.text.utf8)[role.range], as: UTF8.self)
            }
        }
        #expect(try spoken().isEmpty)
        cast.speakers["Ann"]?.voice = "A"
        #expect(try spoken() == ["A: “One,”"])
        cast.others.voice = "O"
        #expect(try spoken() == ["A: “One,”", "O: “Three!”"])
        cast.chapters[3] = "C"
        #expect(
            try spoken() == [
                "A: “One,”", "C:  said Ann. It was *late*.", "C: “Two,” said Bob.", "O: “Three!”",
                "C:  That was all.",
            ])
    }

    @Test("A part is spoken again only if one of its voices has changed")
    func records() throws {
        var cast = BookCast(of: [Self.chapter])
        cast.speakers["Ann"]?.voice = "A"
        func content() throws -> String {
            try #require(BookChapter(Self.chapter, number: 3, cast: cast).parts.first).content
        }
        let before = try content()
        cast.described["B"] = "other"
        #expect(try content() == before)
        cast.described["A"] = "new"
        #expect(try content() != before)
    }

    @Test("Text with many unclosed quotation marks is searched quickly")
    func unclosed() {
        let text = String(repeating: " \"a ‘b ”c", count: 20_000)
        #expect(SpokenLines(in: text).lines.isEmpty)
    }

    @Test("Speaker ranges split the text at their boundaries and change only the voice")
    func parts() throws {
        let text = "One **two** three. Four."
        let parts = try SpokenScript(Array(text.utf8), as: .markdown).parts()
        let voiced = ScriptPart.voiced(
            parts,
            by: [SpeakerRange(0..<3, voice: "A"), SpeakerRange(6..<13, voice: "B"), SpeakerRange(19..<24, voice: "C")])
        let said = voiced.compactMap { part -> String? in
            guard case .text(let text) = part else { return nil }
            return "\(text.style.voice?.name ?? "-"): \(text.text)"
        }
        #expect(said == ["A: One", "-:  ", "B: two t", "-: hree. ", "C: Four."])
        let places = voiced.compactMap { part -> Range<Int>? in
            guard case .text(let text) = part else { return nil }
            return text.source.sourceRange(of: 0..<text.text.utf8.count)
        }
        #expect(places == [0..<3, 3..<4, 6..<13, 13..<19, 19..<24])
        #expect(ScriptPart.voiced(parts, by: []) == parts)
    }
}
