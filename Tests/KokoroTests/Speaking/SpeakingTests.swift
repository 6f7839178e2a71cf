import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct SpeakingTests {
    /// Describes the difference; `nil` if both have the same length and no sample differs by more than 1e-5.
    private func difference(_ first: [Float], _ second: [Float]) -> String? {
        guard first.count == second.count, !first.isEmpty else { return "\(first.count) samples, not \(second.count)" }
        let largest = zip(first, second).map { ($0 - $1).magnitude }.max() ?? 0
        return largest <= 1e-5 ? nil : "a sample differs by \(largest)"
    }

    /// - Parameter whole: The model's unprocessed output.
    private func expectSame(_ found: [Float], _ whole: [Float]) {
        let difference = difference(found, ModelSound.heard(whole))
        #expect(difference == nil)
    }

    @Test("The engine describes itself and the files that it needs")
    func description() throws {
        let engine = try LoadedEngine(product: "Kokoro")
        #expect(String(cString: engine.description.id) == "kokoro")
        #expect(String(cString: engine.description.license) == "GPL-3.0-or-later")
        #expect(engine.roles.map { String(cString: $0.name) } == ["model", "style", "lexicon", "lexicon-gb"])
        #expect(
            engine.roles.map(\.scope) == [
                SYNTH_SCOPE_MODEL.rawValue, SYNTH_SCOPE_VOICE.rawValue, SYNTH_SCOPE_MODEL.rawValue,
                SYNTH_SCOPE_MODEL.rawValue,
            ])
        #expect(engine.description.rate_min == 1 && engine.description.rate_max == 1)
    }

    @Test("The samples are the model's output for the tokens and for the style row selected by their number")
    func reference() throws {
        for voice in ["af_tern", "bm_tern"] {
            let recording = try KokoroVoice(style: Fixtures.voice(voice + ".bin"), id: "af_tern").speak("Test 1.")
            #expect(recording.status == SYNTH_OK, "\(recording.outcome)")
            #expect(recording.violations.isEmpty, "\(recording.violations)")
            #expect(recording.sampleRate == 24_000 && recording.channels == 1)
            let row = try Fixtures.row(ModelSound.test1.count, of: voice)
            expectSame(recording.samples, try ModelSound.samples(ModelSound.test1, style: row))
        }
    }

    @Test("If only events are requested, words and phonemes are reported without audio")
    func eventsOnly() throws {
        let voice = KokoroVoice()
        let heard = try voice.speak("Test 1.")
        let told = try voice.speak("Test 1.") { $0.flags = SYNTH_EVENTS_ONLY.rawValue }
        #expect(told.status == SYNTH_OK && told.violations.isEmpty, "\(told.violations)")
        #expect(told.samples.isEmpty && told.words == heard.words && !told.words.isEmpty)
        let labels = told.events.compactMap(\.label)
        #expect(labels == heard.events.compactMap(\.label) && labels.contains("ˈɛ"), "\(labels)")
    }

    @Test("A model loaded from the cache produces the same audio and events as one loaded from its file")
    func cache() throws {
        let folder = try TemporaryFolder()
        var spoken: [Recording] = []
        for _ in 0..<2 {
            let model = try KokoroVoice().load(cacheDirectory: folder.path)
            let lane = try model.open()
            spoken.append(lane.speak(KokoroVoice().request("Test 1.")))
            lane.close()
            // Unloading writes the missing parts of the cache.
            model.unload()
        }
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        expectSame(spoken[0].samples, spoken[1].samples)
        #expect(spoken[0].events == spoken[1].events && spoken[0].words == ["Test", "1"])
    }

    @Test("Phonemes are spoken as written")
    func phonemes() throws {
        let recording = try KokoroVoice().speak("tˈɛst wˈʌn.") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(recording.violations.isEmpty)
        let row = try Fixtures.row(11, of: "af_tern")
        expectSame(recording.samples, try ModelSound.samples(ModelSound.test1, style: row))
        #expect(recording.words == ["tˈɛst", "wˈʌn."])
    }

    @Test("Inline phonemes are spoken where they occur in the text")
    func textAndPhonemes() throws {
        let recording = try KokoroVoice().speak("[[tˈɛst]] 1.") { $0.kind = SYNTH_TEXT_AND_PHONEMES.rawValue }
        #expect(recording.violations.isEmpty)
        let row = try Fixtures.row(11, of: "af_tern")
        expectSame(recording.samples, try ModelSound.samples(ModelSound.test1, style: row))
        #expect(recording.words == ["[[tˈɛst]]", "1"])
    }

    @Test("Punctuation after inline phonemes is not read aloud")
    func inlineMarks() throws {
        let voice = KokoroVoice()
        func sound(_ text: String, _ kind: synth_text_kind) throws -> [Float] {
            try voice.speak(text) { $0.kind = kind.rawValue }.samples
        }
        let written = try sound("tˈɛst, wˈʌn!", SYNTH_PHONEMES)
        #expect(try (sound("[[tˈɛst]], [[wˈʌn]]!", SYNTH_TEXT_AND_PHONEMES) == written) == true)
    }

    @Test("The audio of a blend is the model's output for the weighted sum of the voices' style rows")
    func blend() throws {
        let model = try KokoroVoice().load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        // Both voices of the request use the same file, an archive that contains both.
        var request = TestRequest("Test 1.", voice: "af_tern")
        request.files = ["style": Fixtures.kokoro("terns.npz")]
        request.voices = [("bm_tern", 0.375), ("af_tern", 0.625)]
        let recording = lane.speak(request)
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.outcome)")
        let first = try Fixtures.row(11, of: "af_tern")
        let second = try Fixtures.row(11, of: "bm_tern")
        let mixed = zip(first, second).map { 0.625 * $0 + 0.375 * $1 }
        expectSame(recording.samples, try ModelSound.samples(ModelSound.test1, style: mixed))
        #expect(difference(recording.samples, try ModelSound.samples(ModelSound.test1, style: first)) != nil)
    }

    @Test("The voices of a blend may be in separate files")
    func blendOfFiles() throws {
        let model = try KokoroVoice().load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        var request = TestRequest("Test 1.", voice: "af_tern")
        request.voices = [("af_tern", 0.3), ("bm_tern", 0.7)]
        request.filesOfVoice = ["af_tern", "bm_tern"].reduce(into: [:]) { files, voice in
            files[voice] = ["style": Fixtures.voice(voice + ".bin")]
        }
        // The voice with the highest weight is British.
        let test: [Int64] = ModelSound.test1.map { $0 == 138 ? 71 : $0 }
        let row = try (Fixtures.row(test.count, of: "af_tern"), Fixtures.row(test.count, of: "bm_tern"))
        let mixed = zip(row.0, row.1).map { 0.3 * $0 + 0.7 * $1 }
        expectSame(lane.speak(request).samples, try ModelSound.samples(test, style: mixed))
    }

    @Test("A model's word list is used, but a damaged or missing list does not prevent speech")
    func lexicon() throws {
        let folder = try TemporaryFolder()
        var voice = KokoroVoice(lexicon: try folder.write(Data(#"{"test": "tˈɛnt"}"#.utf8), to: "words.json"))
        let model = try voice.load()
        let lane = try model.open()
        let tent = ModelSound.test1.enumerated().map { $0.offset == 3 ? 56 : $0.element }
        let tokens = Array(tent[..<4] + [62] + tent[5...])
        expectSame(
            lane.speak(voice.request("Test 1.")).samples,
            try ModelSound.samples(tokens, style: Fixtures.row(tokens.count, of: "af_tern")))
        lane.close()
        model.unload()
        let plain = try KokoroVoice().speak("Test 1.").samples
        for damaged in [try folder.write(Data("<html>".utf8), to: "page.html"), folder.path + "/none"] {
            voice.lexicon = damaged
            expectSame(try voice.speak("Test 1.").samples, plain)
        }
    }

    @Test("A text without words produces no audio", arguments: ["", " ", "\n\n", "...", "—", "“”", "()"])
    func silence(text: String) throws {
        let recording = try KokoroVoice().speak(text)
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty)
        #expect(recording.samples.isEmpty && recording.sampleRate == 0)
    }

    @Test(
        "Emoji, marks and letters from other scripts cause neither errors nor violations of the engine API",
        arguments: [
            "👍🏽👨‍👩‍👧‍👦🇩🇪", "e\u{301}\u{327}\u{200D}", "日本語のテキスト。", "Привет, мир!", "\u{FEFF}\u{200B}", "[[ x ]]", "<a>b</a>",
            "- one\n- two", "1) two (3", "\"\"\"", String(repeating: "\u{301}", count: 500),
            String(repeating: "a", count: 3000),
        ])
    func oddities(text: String) throws {
        let recording = try KokoroVoice().speak(text)
        #expect(recording.status == SYNTH_OK, "\(recording.outcome)")
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }

    @Test("Texts in all languages that espeak-ng supports are spoken")
    func languages() throws {
        let texts = [
            "bf_x": "A quiet harbour.", "em_x": "¿Dónde está el niño?", "ff_x": "Où est le garçon?",
            "hf_x": "मेरा घर यहाँ है।", "im_x": "Che bello!", "pf_x": "O coração não dorme.",
        ]
        for (id, text) in texts {
            let recording = try KokoroVoice(id: id).speak(text)
            #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.outcome)")
            #expect(recording.words.count == text.split(separator: " ").count)
            #expect(recording.seconds > 0.4)
        }
    }

    @Test("Japanese and Mandarin voices are rejected, and the error names them", arguments: ["jf_alpha", "zm_yunxi"])
    func refused(id: String) throws {
        let recording = try KokoroVoice(id: id).speak("Test.")
        #expect(recording.status == SYNTH_BAD_REQUEST)
        #expect(
            recording.outcome.message.contains(id) && recording.outcome.message.contains("not supported yet"))
        #expect(recording.samples.isEmpty)
    }

    @Test("The error names a missing or invalid style file")
    func styleFile() throws {
        let missing = try KokoroVoice().speak("Test.") { $0.files = [:] }
        #expect(missing.status == SYNTH_MISSING_FILE && missing.outcome.role == "style")
        let other = try KokoroVoice(style: Fixtures.voice("en_US-tern-x_low.onnx.json")).speak("Test.")
        #expect(other.status == SYNTH_BAD_FILE && other.outcome.role == "style")
        #expect(other.outcome.message.contains("af_tern") && !other.outcome.message.contains("/"))
    }

    @Test("Lanes speak different texts concurrently")
    func lanes() async throws {
        let voice = KokoroVoice()
        let texts = ["Test 1.", "Hello world.", "One, two, three.", "Is it?"]
        let expected = try texts.map { try voice.speak($0).samples }
        for (samples, alone) in zip(try await voice.speakAtOnce(texts), expected) {
            #expect(difference(samples, alone) == nil)
        }
    }
}
