import CSynthEngine
import Testing
import TestSupport

/// libespeak-ng has global state, so these tests are serialized.
@Suite("IPA in eSpeak NG", .serialized, .espeakTurn)
struct EspeakPhonemeTests {
    private let engine: LoadedEngine
    private let lane: LoadedLane

    init() throws {
        engine = try LoadedEngine(product: "EspeakNG")
        lane = try engine.open()
    }

    private func speak(_ text: String, _ kind: synth_text_kind, voice: String = "en-us") -> Recording {
        var request = TestRequest(text, voice: voice)
        request.kind = kind.rawValue
        return lane.speak(request)
    }

    @Test(
        "Speaking a word's IPA takes as long as speaking the word",
        arguments: [("hello", "həlˈoʊ"), ("chair", "tʃˈɛɹ"), ("about", "ɐbˈaʊt"), ("banana", "bənˈænə")])
    func sounds(word: String, ipa: String) {
        let written = speak(word, SYNTH_TEXT)
        for spoken in [speak("[[\(ipa)]]", SYNTH_TEXT_AND_PHONEMES), speak(ipa, SYNTH_PHONEMES)] {
            #expect(spoken.status == SYNTH_OK && spoken.violations.isEmpty)
            // libespeak-ng's flutter changes durations by up to 10%, whereas a word that is spelled out takes several
            // times as long.
            #expect(abs(spoken.seconds / written.seconds - 1) < 0.3)
        }
    }

    @Test(
        "A block of IPA is reported as a single word with its position",
        arguments: [
            ("Say [[həlˈoʊ wˈɜːld]], now.", ["Say", "[[həlˈoʊ wˈɜːld]]", "now"]),
            ("[[bˈiː]]. now", ["[[bˈiː]]", "now"]), ("(“[[bˈiː]]”)", ["[[bˈiː]]"]),
            ("Ä [[bˈiː]] – ö", ["Ä", "[[bˈiː]]", "ö"]),
        ])
    func places(text: String, words: [String]) {
        let recording = speak(text, SYNTH_TEXT_AND_PHONEMES)
        #expect(recording.words == words)
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }

    @Test("If the entire text is IPA, each word is reported with its own position")
    func allIPA() { #expect(speak("həlˈoʊ, wˈɜːld.", SYNTH_PHONEMES).words == ["həlˈoʊ", "wˈɜːld"]) }

    @Test("An unknown symbol is rejected before any audio, and the lane still works")
    func unknown() {
        let refused = speak("Say [[ǃa]] now.", SYNTH_TEXT_AND_PHONEMES)
        #expect(refused.status == SYNTH_BAD_REQUEST && refused.calls == 0)
        #expect(refused.outcome.message.contains("ǃ"))
        #expect(speak("Say [[bˈiː]].", SYNTH_TEXT_AND_PHONEMES).status == SYNTH_OK)
    }

    @Test("Brackets in plain text are read as text, even after a text with IPA")
    func brackets() {
        let before = speak("[[h@l'oU]]", SYNTH_TEXT)
        _ = speak("[[bˈiː]]", SYNTH_TEXT_AND_PHONEMES)
        let after = speak("[[h@l'oU]]", SYNTH_TEXT)
        #expect(after.words == before.words && abs(after.seconds / before.seconds - 1) < 0.02)
        #expect(speak("a [[ b", SYNTH_TEXT_AND_PHONEMES).words == ["a", "b"])
    }

    @Test("IPA is spoken even if its mnemonics would crash libespeak-ng when read as text")
    func hindi() { #expect(speak("नमस्ते [[ɾaː]] दो", SYNTH_TEXT_AND_PHONEMES, voice: "hi").words.count == 3) }
}
