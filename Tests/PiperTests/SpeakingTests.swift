import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct SpeakingTests {
    @Test("The engine describes itself and the files that it needs")
    func description() throws {
        let engine = try LoadedEngine(product: "Piper")
        #expect(String(cString: engine.description.id) == "piper")
        #expect(String(cString: engine.description.license) == "GPL-3.0-or-later")
        #expect(engine.roles.map { String(cString: $0.name) } == ["model", "config"])
        #expect(engine.roles.allSatisfy { $0.scope == SYNTH_SCOPE_MODEL.rawValue && $0.flags == 0 })
        #expect(engine.voices.isEmpty)
    }

    private static let test1: [Int64] = [
        1, 0, 32, 0, 120, 0, 61, 0, 31, 0, 32, 0, 3, 0, 35, 0, 120, 0, 102, 0, 26, 0, 10, 0, 2,
    ]

    @Test("The samples are the model's output for the IDs that are used in training")
    func reference() throws {
        let voice = try Voice()
        let recording = try voice.speak("Test 1.")
        #expect(recording.status == SYNTH_OK, "\(recording.outcome)")
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        #expect(recording.sampleRate == 22_050 && recording.channels == 1)
        #expect(isClose(recording.samples, try voice.bare(Self.test1)))
    }

    @Test("If only events are requested, words and phonemes are reported without audio")
    func eventsOnly() throws {
        let voice = try Voice()
        let heard = try voice.speak("Test 1.")
        let told = try voice.speak("Test 1.") { $0.flags = SYNTH_EVENTS_ONLY.rawValue }
        #expect(told.status == SYNTH_OK && told.violations.isEmpty, "\(told.violations)")
        #expect(told.samples.isEmpty && told.words == heard.words && !told.words.isEmpty)
        let labels = told.events.compactMap(\.label)
        #expect(labels == heard.events.compactMap(\.label) && labels.contains("ˈɛ"), "\(labels)")
    }

    @Test("Phonemes are spoken as written")
    func phonemes() throws {
        let voice = try Voice()
        let recording = try voice.speak("tˈɛst wˈʌn.") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty)
        #expect(isClose(recording.samples, try voice.bare(Self.test1)))
    }

    @Test("Inline phonemes become part of their sentence, but brackets in plain text are not treated as phonemes")
    func textAndPhonemes() throws {
        let voice = try Voice()
        let recording = try voice.speak("[[tˈɛst]] 1.") { $0.kind = SYNTH_TEXT_AND_PHONEMES.rawValue }
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty)
        #expect(isClose(recording.samples, try voice.bare(Self.test1)))
        #expect(recording.words == ["[[tˈɛst]]", "1"])
        #expect(try !isClose(voice.speak("[[tˈɛst]] 1.").samples, voice.bare(Self.test1)))
    }

    @Test(
        "An ellipsis between words is a pause, and the words keep their positions",
        arguments: [
            ("So…maybe then.", "So, maybe then."), ("So... maybe then.", "So, maybe then."),
        ])
    func ellipsis(text: String, same: String) throws {
        let voice = try Voice()
        let recording = try voice.speak(text)
        #expect(recording.words == ["So", "maybe", "then"])
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        #expect(isClose(recording.samples, try voice.speak(same).samples))
    }

    @Test("The voice's own length scale is used, and the rate is changed by the host")
    func length() throws {
        let voice = try Voice { $0["inference"] = ["noise_scale": 0, "length_scale": 1.5, "noise_w": 0] }
        let recording = try voice.speak("Test 1.")
        #expect(isClose(recording.samples, try voice.bare(Self.test1, length: 1.5)))
        let description = try LoadedEngine(product: "Piper").description
        #expect((description.rate_min, description.rate_max) == (1, 1))
    }

    @Test("Without variation, there is no noise")
    func variation() throws {
        let recording = try Voice(isSteady: false).speak("Test 1.") { $0.variation = -1 }
        #expect(isClose(recording.samples, try Voice().bare(Self.test1)))
    }

    @Test("The configuration's noise levels are used, and the noise differs every time")
    func noise() throws {
        let model = try Voice(isSteady: false).load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        let first = lane.speak(TestRequest("This is a test.", voice: "test-voice"))
        let second = lane.speak(TestRequest("This is a test.", voice: "test-voice"))
        #expect(first.status == SYNTH_OK && second.status == SYNTH_OK)
        #expect(!isSame(first.samples, second.samples))
    }

    @Test("Every speaker is found by name or number and sounds different, and the first is the default")
    func speakers() throws {
        let voice = try Voice("flock")
        let names = ["us_male", "us_female", "gb_male", "gb_female"]
        var sounds: [[Float]] = []
        for (number, name) in names.enumerated() {
            let recording = try voice.speak("Test 1.") { $0.speaker = name }
            #expect(recording.status == SYNTH_OK, "\(recording.outcome)")
            #expect(isClose(recording.samples, try voice.bare(Self.test1, speaker: Int64(number))))
            let byNumber = try voice.speak("Test 1.") { $0.speaker = "\(number)" }
            #expect(isSame(byNumber.samples, recording.samples))
            sounds.append(recording.samples)
        }
        #expect(Set(sounds).count == 4)
        #expect(isSame(try voice.speak("Test 1.").samples, sounds[0]))
    }

    @Test("The error for an unknown speaker lists the available speakers")
    func unknownSpeaker() throws {
        let recording = try Voice("flock").speak("Test 1.") { $0.speaker = "nobody" }
        #expect(recording.status == SYNTH_BAD_REQUEST)
        #expect(recording.outcome.message.contains("nobody") && recording.outcome.message.contains("gb_female"))
        #expect(try Voice().speak("Test 1.") { $0.speaker = "nobody" }.status == SYNTH_BAD_REQUEST)
    }

    @Test("The default speaker is read from the configuration")
    func defaultSpeaker() throws {
        let voice = try Voice("flock") { $0["default_speaker_id"] = 2 }
        let named = try voice.speak("Test 1.") { $0.speaker = "gb_male" }
        #expect(isSame(try voice.speak("Test 1.").samples, named.samples))
    }

    @Test("Several sentences in one request are spoken one after another")
    func sentences() throws {
        let voice = try Voice()
        let both = try voice.speak("Test 1. Test 1.")
        let one = try voice.speak("Test 1.")
        #expect(both.status == SYNTH_OK && both.violations.isEmpty)
        #expect(isClose(both.samples, one.samples + one.samples))
        #expect(both.texts(of: SYNTH_SENTENCE).count == 2)
    }

    @Test("A text without words produces no audio", arguments: ["", " ", "\n\n", "...", "—", "“”"])
    func silence(text: String) throws {
        let recording = try Voice().speak(text)
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty)
        #expect(recording.samples.isEmpty && recording.sampleRate == 0)
    }

    @Test(
        "Emoji, marks and letters from other scripts cause neither errors nor violations of the engine API",
        arguments: [
            "👍🏽👨‍👩‍👧‍👦🇩🇪", "e\u{301}\u{327}\u{200D}", "日本語のテキスト。", "Привет, мир!", "\u{FEFF}\u{200B}",
            "a\u{0}".replacing("\u{0}", with: ""),
            "[[ not phonemes ]]", "<speak>tag</speak>", String(repeating: "\u{301}", count: 500),
        ])
    func oddities(text: String) throws {
        let recording = try Voice().speak(text)
        #expect(recording.status == SYNTH_OK, "\(recording.outcome)")
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }

    @Test("A letter-based voice reads decomposed letters")
    func letters() throws {
        let voice = try Voice { json in
            json["phoneme_type"] = "text"
            json["espeak"] = nil
        }
        let recording = try voice.speak("ça va")
        #expect(recording.words == ["ça", "va"])
        #expect(isClose(recording.samples, try voice.bare([1, 0, 16, 0, 140, 0, 14, 0, 3, 0, 34, 0, 14, 0, 2])))
        #expect(try voice.speak("a") { $0.kind = SYNTH_PHONEMES.rawValue }.status == SYNTH_BAD_REQUEST)
    }

    @Test("The voice's pause after a symbol is part of the audio and splits the sentence")
    func phonemeSilence() throws {
        let plain = try Voice()
        let paused = try Voice { json in
            var inference = json["inference"] as? [String: Any] ?? [:]
            inference["phoneme_silence"] = [",": 0.5]
            json["inference"] = inference
        }
        let recording = try paused.speak("Yes, no.")
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty)
        let silence = recording.samples.split { $0 != 0 }.map(\.count).max() ?? 0
        #expect(silence >= 11_025)
        #expect(try plain.speak("Yes, no.").samples.split { $0 != 0 }.allSatisfy { $0.count < 11_025 })
        #expect(recording.words == ["Yes", "no"])
    }

    @Test("A long text without punctuation is spoken in runs of limited length")
    func endless() throws {
        let text = String(repeating: "word ", count: 13_000)
        var longest = 0
        var before = 0
        let recording = try Voice().speak(
            text,
            shouldContinue: { recording in
                longest = max(longest, recording.frameCount - before)
                before = recording.frameCount
                // This is enough audio for many runs.
                return recording.seconds < 120
            })
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(Double(longest) / 22_050 < 60)
    }

    @Test("Symbols that the voice lacks are omitted, and their counts are logged")
    func unknownSymbols() throws {
        let voice = try Voice()
        let recording = try voice.speak("t☃ˈɛ☃st wˈʌn.") { $0.kind = SYNTH_PHONEMES.rawValue }
        let plain = try voice.speak("tˈɛst wˈʌn.") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(recording.status == SYNTH_OK)
        #expect(isSame(recording.samples, plain.samples))
        #expect(HostLog.lines(containing: "\"☃\"").contains { $0.contains("×2") })
    }

    @Test("Lanes speak different texts concurrently")
    func lanes() async throws {
        let voice = try Voice()
        let texts = ["Test 1.", "Hello world.", "One, two, three.", "Is it?"]
        let expected = try texts.map { try voice.speak($0).samples }
        for (samples, alone) in zip(try await voice.speakAtOnce(texts), expected) {
            #expect(isSame(samples, alone))
        }
    }

    @Test("A model loaded from the cache produces bit-identical audio")
    func cache() throws {
        let voice = try Voice()
        let expected = try voice.speak("The quick brown fox.")
        let cache = try TemporaryFolder()
        for _ in 0..<2 {
            let model = try voice.load(cacheDirectory: cache.path)
            let lane = try model.open()
            let recording = lane.speak(TestRequest("The quick brown fox.", voice: "test-voice"))
            #expect(isSame(recording.samples, expected.samples))
            #expect(recording.events == expected.events)
            lane.close()
            model.unload()
            #expect(try cache.entries().contains { $0.hasSuffix("/record") })
        }
    }
}
