import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire

enum TextChecks {
    static func blank(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        for text in ["", " ", "\n\n", " \t \r\n ", "\u{00A0}\u{3000}\u{2003}", "…", "—", ".", "\u{200B}\u{FEFF}"] {
            let spoken = session.speak(session.request(text))
            guard spoken.status == SYNTH_OK else {
                return .failed("\(Session.quote(.text(text))) returned \(spoken.words); empty text is not an error.")
            }
            guard spoken.record.seconds <= 10 else {
                return .failed("\(Session.quote(.text(text))) lasts \(spoken.record.seconds.short) s.")
            }
        }
        session.close()
        return .passed("Empty text is not an error.")
    }

    private static let strangeTexts = [
        "👍🏽 👩‍👩‍👧‍👦 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "שלום עולם", "مرحبا بالعالم", "\u{202E}drawkcab\u{202C} forwards", "你好，世界。",
        "こんにちは世界", "안녕하세요", "สวัสดีชาวโลก", "नमस्ते दुनिया", "Z\u{0351}\u{0310}\u{036B}a\u{0301}\u{0301}\u{0301}lgo",
        String(repeating: "\u{0301}", count: 500), "\u{0001}\u{0007}\u{0008}\u{001B}[31m\u{007F}",
        "a\u{0085}b\u{2028}c",
        "\u{FFFD}\u{FFFE}\u{10FFFF}\u{E000}", "<speak>&amp;</speak> [[h@'loU]] {{x}} %s %n %d \\",
        "1234567890123456789",
        "3.141592653589793238462643383279", "1/0 -0 1e999 ½ ² Ⅷ ٣", "https://example.org/a?b=c&d#e a@b.org",
        "!!!???...,,,;;;:::---", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ﬁﬂ ＡＢＣ", "\"'`´‘’“”„«»", "a", "I I I I I I",
        "\u{1F1E6}\u{200D}\u{200D}\u{FE0F}",
    ]

    static func unusual(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        var refused = 0
        for text in strangeTexts {
            let spoken = session.speak(session.request(text))
            guard spoken.status == SYNTH_OK || spoken.status == SYNTH_BAD_REQUEST else {
                return .failed("\(Session.quote(.text(text))) returned \(spoken.words) instead of OK or BAD_REQUEST.")
            }
            if spoken.status == SYNTH_BAD_REQUEST { refused += 1 }
        }
        try session.speakWhole(Session.sentence, " after unusual text")
        session.close()
        return .passed("Unusual texts: \(strangeTexts.count), rejected: \(refused).")
    }

    static func longest(_ subject: Subject) throws -> CheckFinding {
        let sentence = "The longest text is made of this sentence, again and again, naïve as it is. "
        var text = ""
        while text.utf8.count + sentence.utf8.count <= 65_536 { text += sentence }
        text += String(repeating: "a", count: 65_536 - text.utf8.count)
        let session = try Session(subject)
        let spoken = try speakAWhile(text, session)
        session.close()
        let words = spoken.status == SYNTH_OK ? "is spoken to the end" : "starts to play and stops on request"
        return .passed(
            "A text of 65536 bytes \(words).",
            spoken.record.firstAudio.map { [Measurement("first audio", ($0 - spoken.start).milliseconds, "ms")] } ?? [])
    }

    static func longWord(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let text = String(repeating: "antidisestablishmentarianism", count: 143)
        let spoken = try speakAWhile(text, session, mayRefuse: true)
        try session.speakWhole(Session.sentence, " after a long word")
        session.close()
        return .passed(
            spoken.status == SYNTH_BAD_REQUEST
                ? "It is rejected: \(spoken.message)" : "It is spoken like any other word.")
    }

    /// Speaks the text but stops after a second or, if no audio has arrived by then, as soon as the first audio
    /// arrives.
    private static func speakAWhile(
        _ text: String, _ session: Session, mayRefuse: Bool = false
    ) throws -> SpeechResult {
        let deadline = ContinuousClock.now + .seconds(1)
        let spoken = session.speak(session.request(text), keepsSamples: false) { sink, _ in
            sink.frameCount == 0 || ContinuousClock.now < deadline
        }
        let quote = Session.quote(.text(text))
        switch spoken.status {
        case SYNTH_OK,
            SYNTH_CANCELLED where spoken.record.isStopped:
            guard spoken.record.frameCount > 0 else { throw CheckFinding.failed("\(quote) returned no audio.") }
        case SYNTH_BAD_REQUEST where mayRefuse: break
        default: throw CheckFinding.failed("\(quote) returned \(spoken.words).")
        }
        return spoken
    }
}
