import Foundation
import SynthTerminal
import Testing

@testable import synthhost_cli

/// Checks that every German text translates a phrase of the program, and that every phrase has a German text.
@Suite("German phrases") struct GermanPhrasesTests {
    private static let texts = PhraseBook.german.texts

    /// Source lines, without comments and the German texts.
    private static let lines: [String] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appending(path: "Sources")
        let files = (FileManager.default.enumerator(atPath: sources.path)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("GermanPhrases.swift") }
        return files.flatMap { file -> [String] in
            let text = (try? String(contentsOf: sources.appending(path: file), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init).filter {
                !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains("\"")
            }
        }
    }()

    /// Reads a string literal up to its closing quote. Appends the keys of the literals in its interpolations, followed
    /// by its own key.
    private static func scan(_ rest: inout ArraySlice<Character>, _ keys: inout [String]) {
        var (key, count) = ("", 0)
        while let character = rest.popFirst(), character != "\"" {
            if character != "\\" {
                key.append(character)
            } else if let escaped = rest.popFirst(), escaped != "(" {
                key.append(escaped)
            } else {
                count += 1
                key += "%\(count)"
                var depth = 1
                while depth > 0, let inner = rest.popFirst() {
                    if inner == "\"" { scan(&rest, &keys) }
                    depth += inner == "(" ? 1 : inner == ")" ? -1 : 0
                }
            }
        }
        keys.append(key)
    }

    private static func placeholders(_ text: String) -> Set<Substring> {
        Set(text.matches(of: /%[1-9]/).map(\.output))
    }

    @Test("Each German text has the same placeholders as its key")
    func placeholders() {
        for (key, text) in Self.texts {
            #expect(Self.placeholders(key) == Self.placeholders(text), "\(key)")
            #expect(!text.isEmpty)
        }
    }

    @Test("Every translation key is a string literal in the sources")
    func used() {
        var known: Set<String> = []
        for line in Self.lines {
            var (rest, keys) = (Array(line)[...], [String]())
            while let character = rest.popFirst() {
                if character == "\"" { Self.scan(&rest, &keys) }
            }
            known.formUnion(keys)
        }
        // A low count indicates that the sources were not found.
        #expect(known.count > 1000)
        for key in Self.texts.keys.sorted() { #expect(known.contains(key), "\(key)") }
    }

    @Test("Every phrase that is translated in the sources has a German translation")
    func complete() {
        var count = 0
        for line in Self.lines {
            for part in line.components(separatedBy: "localized(\"").dropFirst() {
                var (rest, keys) = (Array(part)[...], [String]())
                Self.scan(&rest, &keys)
                let key = keys.last ?? ""
                count += 1
                // This phrase is the same in both languages.
                #expect(Self.texts[key] != nil || key == "Tempo %1.", "\(key)")
            }
        }
        #expect(count > 50)
    }

    @Test("All keys in the help have German translations")
    func help() {
        for (key, meaning) in ReaderState.keys + ChooserState.keys {
            #expect(Self.texts[meaning] != nil, "\(meaning)")
            let isWord = key.contains { $0.isLetter } && key.count > 1
            #expect(Self.texts[key] != nil || !isWord || ["Tab", "Esc, c"].contains(key), "\(key)")
        }
        for section in ChooserState.Section.allCases { #expect(Self.texts[section.rawValue] != nil) }
    }

    @Test(
        "LC_ALL, LC_MESSAGES and LANG select the language, in that order, and empty variables are ignored",
        arguments: [
            ([:], false), (["LANG": "de_DE.UTF-8"], true), (["LANG": "de"], true), (["LANG": "de_AT@euro"], true),
            (["LANG": "C.UTF-8"], false), (["LANG": "dsb_DE.UTF-8"], false), (["LANG": "en_DE"], false),
            (["LC_ALL": "en_US", "LC_MESSAGES": "de_DE", "LANG": "de_DE"], false),
            (["LC_ALL": "", "LC_MESSAGES": "", "LANG": "de_CH"], true),
            (["LC_MESSAGES": "de_DE", "LANG": "en_GB"], true), (["LC_MESSAGES": "en_GB", "LANG": "de_DE"], false),
            (["LC_TIME": "de_DE", "LANGUAGE": "de"], false),
        ] as [([String: String], Bool)])
    func locale(environment: [String: String], isGerman: Bool) {
        #expect(PhraseBook.ofLocale(environment)("Paused") == (isGerman ? "Angehalten" : "Paused"))
    }

    // MARK: - The reader

    private static let text = ReadText.made([
        "#One", "First of one. Second of one.", "Third of one.", "#Two", "First of two. Second of two, with a lamp.",
    ])

    /// A reader that speaks the second sentence of the first paragraph.
    private static func reader() -> ReaderState {
        let place = ReadPosition(block: 1, byte: 14)
        var state = ReaderState(name: "text", .german)
        _ = state.take(.opened(text, ReadingMemory(place: place)), at: 0)
        _ = state.take(.voice("Ann"), at: 0)
        _ = state.take(.status(place: place, word: nil, .speaking, secondsPerByte: 0.05), at: 0)
        return state
    }

    @Test("The status line and the key bindings are in German and fit the screen", arguments: [(80, 24), (40, 12)])
    func readerScreen(columns: Int, rows: Int) {
        let isWide = columns == 80
        var state = Self.reader()
        #expect(state.note == "Weiter an der letzten Leseposition. Pos1 springt zum Kapitelanfang.")
        var lines = state.screen(columns: columns, rows: rows).lines
        #expect(lines[rows - 2] == " Liest vor | 19 % | noch 4 s" + (isWide ? " | Tempo 1,0" : ""))
        #expect(
            lines[rows - 1] == " Leertaste Pause  ? Tasten  q beenden"
                + (isWide ? "  t Inhalt  [ ] Tempo  v Stimme  / suchen" : ""))
        _ = state.take(.key(.character(" ")), at: 1)
        _ = state.take(.key(.character("z")), at: 1)
        lines = state.screen(columns: columns, rows: rows).lines
        #expect(
            lines[rows - 2] == " Angehalten | 19 % | " + (isWide ? "noch 4 s | Tempo 1,0 | " : "") + "Timer 15 min")
        #expect(lines[rows - 3] == " Hält in 15 Minuten an.")
        #expect(
            lines[rows - 1] == " Leertaste weiter  ? Tasten  q beenden"
                + (isWide ? "  t Inhalt  [ ] Tempo  v Stimme  / suchen" : ""))
        _ = state.take(.key(.character("/")), at: 1)
        lines = state.screen(columns: columns, rows: rows).lines
        #expect(lines[rows - 3] == " Suchen:")
        #expect(lines[rows - 1] == " Eingabe OK  Esc zurück  Strg+U leeren")
    }

    @Test(
        "Every state has a German name",
        arguments: [
            (ReaderState.Phase.opening, "Öffnet"), (.loading, "Lädt die Stimme"), (.ready, "Bereit"),
            (.speaking, "Liest vor"), (.paused, "Angehalten"), (.buffering, "Puffert"), (.finished, "Fertig"),
            (.downloading, "Lädt die Stimme herunter"), (.failed("It crashed."), "Fehler"),
            (.voiceMissing, "Nicht heruntergeladen"),
        ])
    func phases(phase: ReaderState.Phase, word: String) {
        #expect(PhraseBook.german(phase.word) == word)
    }

    @Test("All keys can be read in the German help on a small screen")
    func smallHelp() {
        var state = Self.reader()
        let keys = state.localizedKeys
        var seen = Set<Substring>()
        for key in [Key.character("?")] + keys.map({ _ in .down }) {
            _ = state.take(.key(key), at: 1)
            let lines = state.screen(columns: 40, rows: 12).lines
            #expect(lines[1] == " Tasten")
            for line in lines { seen.formUnion(line.split(separator: " ")) }
        }
        for key in keys { #expect(seen.isSuperset(of: (key.key + " " + key.meaning).split(separator: " "))) }
    }

    @Test("A reader that is opening a text or has no voice says so in German")
    func missing() {
        var state = ReaderState(name: "text", .german)
        #expect(state.screen(columns: 80, rows: 24).lines[2] == " Öffnet: text …")
        _ = state.take(.opened(Self.text, ReadingMemory()), at: 0)
        _ = state.take(.missing("Heart", size: "88,0 MB"), at: 0)
        #expect(
            state.status
                == "Heart ist nicht heruntergeladen (88,0 MB). d lädt die Stimme herunter, v wählt eine andere.")
        _ = state.take(.downloading(40), at: 1)
        _ = state.take(.saving(12), at: 1)
        let line = state.screen(columns: 120, rows: 24).lines[22]
        #expect(line.hasPrefix(" Lädt die Stimme herunter | 0 % | "))
        #expect(line.hasSuffix(" | Download 40 % | Speichern 12 %"))
    }

    @Test("Lines in plain mode are in German")
    func plain() {
        let state = Self.reader()
        var next = state
        _ = next.take(.key(.character(" ")), at: 1)
        #expect(next.plainLines(since: state).contains(.message("Angehalten.")))
        var faster = next
        _ = faster.take(.key(.character("]")), at: 1)
        #expect(faster.plainLines(since: next) == [.message("Tempo 1,1.")])
        var list = faster
        _ = list.take(.key(.character("t")), at: 1)
        #expect(
            list.plainLines(since: faster) == [
                .message("Inhalt: Auf und Ab bewegen die Auswahl, Eingabe wählt, Esc geht zurück."), .message("One"),
            ])
    }

    // MARK: - The voice chooser

    private static func row(_ title: String, _ section: ChooserState.Section, _ state: String) -> ChooserState.Row {
        var row = ChooserState.Row(
            key: "e/\(title.lowercased())", title: title, language: "de", languageName: "German", stateWords: state)
        (row.gender, row.quality, row.engine, row.section) = ("weiblich", "Note A", "e", section)
        (row.state, row.isChosen) = (section == .starters ? .missing : .installed, title == "Bea")
        return row
    }

    private static let rows = [
        row("Ann", .starters, "8,0 MB zum Download"), row("Bea", .installed, "installiert, 8,0 MB"),
        row("Dan", .builtIn, "integriert"),
    ]

    @Test("The complete screen of the voice chooser is in German at 80 columns and 24 rows")
    func wideChooser() {
        var state = ChooserState(Self.rows, .german)
        _ = state.take(.key(.right))
        let lines = state.screen(columns: 80, rows: 24).lines
        #expect(lines[0].hasPrefix(" Stimmen ") && lines[0].hasSuffix(" Standard: Bea"))
        #expect(lines[1] == " Empfohlen" && lines[3] == " Installiert" && lines[5] == " Integriert")
        #expect(lines[2] == "     Ann     de  weiblich  Note A    8,0 MB zum Download")
        #expect(lines[4] == " > * Bea     de  weiblich  Note A    installiert, 8,0 MB")
        #expect(lines[19] == " de | weiblich | Note A | Standardstimme | e")
        #expect(lines[20] == " Tempo <1,05>  Tonhöhe 1,00  Lautstärke 100 %")
        #expect(lines[22] == " Bereit | Änderungen nicht gespeichert")
        #expect(lines[23] == " Eingabe anhören  s speichern  ? Tasten  q beenden  a alle Stimmen  / suchen")
    }

    @Test("On a narrow screen, the chooser shows the states in German and the value that the keys change")
    func narrowChooser() {
        var state = ChooserState(Self.rows, .german)
        _ = state.take(.sample(.playing("e/bea")))
        var lines = state.screen(columns: 40, rows: 12).lines
        #expect(lines[2] == "     Ann     8,0 MB" && lines[4] == " > * Bea     installiert")
        #expect(lines[8] == " Tempo <1,00>  Tonhöhe 1,00")
        #expect(lines[10] == " Spielt Bea ab")
        #expect(lines[11] == " Esc stoppen  Eingabe anhören  ? Tasten")
        _ = state.take(.key(.tab))
        _ = state.take(.key(.tab))
        lines = state.screen(columns: 40, rows: 12).lines
        #expect(lines[8] == " Lautstärke <100 %>  Tempo 1,00")
    }

    @Test("The notes of the voice chooser are in German")
    func chooserNotes() {
        var state = ChooserState(Self.rows, .german)
        _ = state.take(.key(.right))
        _ = state.take(.key(.character("q")))
        #expect(
            state.note == "Die Änderungen an Bea sind nicht gespeichert. s speichert sie, noch einmal q beendet.")
        _ = state.take(.key(.home))
        _ = state.take(.key(.enter))
        #expect(state.stateWords == ["Lädt Ann herunter"])
        _ = state.take(.key(.enter))
        #expect(state.note == "Ann wird heruntergeladen; Esc bricht den Download ab.")
        for key in [Key.character("/"), .character("x")] { _ = state.take(.key(key)) }
        let lines = state.screen(columns: 80, rows: 24).lines
        #expect(lines[0].hasPrefix(" Stimmen: x (0)"))
        #expect(lines[1] == " Keine passende Stimme gefunden. Esc leert die Suche.")
        #expect(lines[21] == " Suchen: x")
    }
}
