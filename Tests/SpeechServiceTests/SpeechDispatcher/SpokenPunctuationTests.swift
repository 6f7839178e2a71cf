import SynthHost
import Testing

@testable import SynthScript
@testable import SynthSpeechDispatcher

@Suite("Speaking punctuation")
struct SpokenPunctuationTests {
    private func said(_ text: String, _ assignments: KeyValuePairs<String, String>, _ language: String = "en") -> String
    {
        let settings = ModuleSettings(assignments)
        let parts = [ScriptPart.text(ScriptText(text, source: SourceMap(offset: 0)))]
        guard case .text(let said)? = SpokenSigns(settings, in: language).said(parts).first else { return "" }
        // Every word has a position in the text.
        let place = said.source.sourceRange(of: 0..<said.text.utf8.count)
        #expect(place == 0..<text.utf8.count)
        return said.text.split(separator: " ").joined(separator: " ")
    }

    @Test(
        "The punctuation mode determines which characters are named",
        arguments: [
            ("none", "a@b (c), d.", "a@b (c), d."),
            ("some", "a@b (c), d.", "a at b left paren c right paren, d."),
            ("most", "a@b (c), d.", "a at b left paren c right paren, d."),
            ("none", "One; two: [three] – \"four\".", "One; two: [three] – \"four\"."),
            (
                "some", "One; two: [three] – \"four\".",
                "One semicolon; two colon: left bracket three right bracket – \"four\"."
            ),
            (
                "most", "One; two: [three] – \"four\".",
                "One semicolon; two colon: left bracket three right bracket en dash quote four quote."
            ),
            ("some", "At 10:30", "At 10:30"), ("most", "At 10:30", "At 10 colon 30"),
            ("all", "a@b (c), d.", "a at b left paren c right paren comma, d dot."),
            ("all", "Don't 'quote' me!", "Don't apostrophe quote apostrophe me exclamation mark!"),
            ("all", "3.14", "3 dot 14"),
            ("some", "**bold**", "star star bold star star"),
            ("most", "---------- end", "10 dash end"),
            ("all", "Wait...", "Wait dot dot dot"),
            // The two characters are canonically equivalent in Unicode but have different bytes.
            ("all", "\u{37E};a", "semicolon semicolon a"),
            ("all", ";\u{37E}\u{37E}b", "semicolon semicolon semicolon b"),
        ])
    func punctuation(mode: String, text: String, heard: String) {
        #expect(said(text, ["punctuation_mode": mode]) == heard)
    }

    @Test("Names are in the voice's language")
    func languages() {
        #expect(said("5 % (ja).", ["punctuation_mode": "all"], "de-AT") == "5 Prozent Klammer auf ja Klammer zu Punkt.")
        #expect(said("5%", ["punctuation_mode": "some"], "xx") == "5 percent")
    }

    @Test("A sequence of capitals is announced once", arguments: ["spell", "icon"])
    func capitals(mode: String) {
        #expect(said("The USA and iPhone", ["cap_let_recogn": mode]) == "capital The capital USA and i capital Phone")
    }

    @Test("A text is spelled out, including all punctuation")
    func spelling() {
        #expect(said("Hi, you", ["spelling_mode": "on"]) == "H I comma Y O U")
        #expect(said("Hi", ["spelling_mode": "on", "cap_let_recogn": "spell"]) == "capital H I")
        #expect(said("é\u{301}ß", ["spelling_mode": "on"]) == "É\u{301} ß")
    }

    @Test("Text with a specified pronunciation is left unchanged")
    func pronounced() {
        let settings = ModuleSettings(["punctuation_mode": "all"])
        let text = ScriptText(
            "a.b", source: SourceMap(offset: 0), pronunciation: ScriptPronunciation(ipa: "x", hasWords: true))
        let parts = [ScriptPart.text(text), .mark("m", source: 3..<3)]
        #expect(SpokenSigns(settings, in: "en").said(parts) == parts)
    }

    @Test(
        "A single character is named",
        arguments: [
            ("space", "none", "en", "space"), (" ", "none", "en", "space"), ("a", "none", "en", "A"),
            ("A", "none", "en", "A"), ("A", "spell", "en", "capital A"), ("Ä", "icon", "de", "groß Ä"),
            (".", "none", "en", "dot"), ("ß", "none", "de", "ß"), ("7", "none", "en", "7"),
            ("comma", "none", "en", "comma"), ("\u{1F600}", "none", "en", "\u{1F600}"),
        ])
    func characters(character: String, mode: String, language: String, heard: String) {
        let settings = ModuleSettings(["cap_let_recogn": mode])
        let message = ModuleMessage(kind: .character, text: character)
        #expect(text(of: message, settings, language) == heard)
    }

    @Test(
        "A single capital letter is spoken at a higher pitch",
        arguments: [("A", "spell", 1.26), ("Ä", "icon", 1.26), ("A", "none", 1), ("a", "icon", 1)])
    func capitalPitch(character: String, mode: String, pitch: Double) throws {
        let message = ModuleMessage(kind: .character, text: character)
        let scripts = ModuleText.scripts(message, ModuleSettings(["cap_let_recogn": mode]), in: "en")
        let pitches = try scripts.flatMap { try $0.parts() }.map { part -> Double in
            guard case .text(let text) = part else { return 0 }
            return text.style.pitch
        }
        #expect(pitches == [pitch])
    }

    @Test(
        "Keys are spoken with the names printed on them",
        arguments: [
            ("shift_a", "en", "shift A"), ("control_Home", "en", "control home"),
            ("control_Home", "de", "Steuerung Pos eins"),
            ("alt_shift_underscore", "en", "alt shift underscore"), ("space", "de", "Leertaste"), ("F12", "en", "F12"),
            ("_", "en", "underscore"), ("KP_Enter", "en", "keypad enter"), ("*", "en", "star"),
            ("XF86-Audio_x", "en", "XF86 Audio X"), ("__", "en", "__"),
        ])
    func keys(key: String, language: String, heard: String) {
        #expect(text(of: ModuleMessage(kind: .key, text: key), ModuleSettings(), language) == heard)
    }

    @Test("Sound icons are spoken by name")
    func icons() {
        #expect(text(of: ModuleMessage(kind: .icon, text: "new-mail_now"), ModuleSettings(), "en") == "new mail now")
    }

    @Test("All languages have names for the same characters as English")
    func tables() {
        for names in [CharacterNames.german] {
            #expect(Set(names.symbols.keys) == Set(CharacterNames.english.symbols.keys))
            #expect(Set(names.keys.keys) == Set(CharacterNames.english.keys.keys))
        }
    }

    private func text(of message: ModuleMessage, _ settings: ModuleSettings, _ language: String) -> String? {
        let scripts = ModuleText.scripts(message, settings, in: language)
        guard scripts.count == 1, case .text(let text)? = try? scripts.first?.parts().first else { return nil }
        return text.text
    }
}
