import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct ConfigurationTests {
    @Test("The sample rate is read from the configuration, and a typo in a published configuration is corrected")
    func sampleRate() throws {
        #expect(try Voice { $0["audio"] = ["sample_rate": 16_000] }.speak("Yes.").sampleRate == 16_000)
        #expect(try Voice { $0["audio"] = ["sample_rate": 22_500] }.speak("Yes.").sampleRate == 22_050)
    }

    @Test("If no espeak-ng voice is specified, the language selects it; without a language, English is used")
    func language() throws {
        let german = try Voice { $0["espeak"] = ["voice": "de"] }.speak("Zwei Jungen.").samples
        let english = try Voice().speak("Zwei Jungen.").samples
        let coded = try Voice { json in
            json["espeak"] = nil
            json["lang_code"] = "DE"
        }.speak("Zwei Jungen.").samples
        let neither = try Voice { $0["espeak"] = nil }.speak("Zwei Jungen.").samples
        #expect(isSame(coded, german) && isSame(neither, english))
        #expect(!isSame(german, english))
    }

    @Test("Missing values take Piper's defaults")
    func defaults() throws {
        let text = "This is a test."
        let silent = try Voice { $0["inference"] = nil }.speak(text).samples
        let said = try Voice {
            $0["inference"] = ["noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8]
        }.speak(text).samples
        // Each session starts with the same noise.
        #expect(isSame(silent, said))
        #expect(!isSame(silent, try Voice().speak(text).samples))
    }

    @Test(
        "Both noise levels are read from the configuration",
        arguments: [("noise_scale", true), ("noise_w", false)])
    func noises(key: String, keepsLength: Bool) throws {
        let (noisy, steady) = try (
            Voice { json in
                var inference: [String: Any] = ["noise_scale": 0, "length_scale": 1, "noise_w": 0]
                inference[key] = 1
                json["inference"] = inference
            }, Voice()
        )
        // The noise differs between processes, so a single text may by chance have the same length as without noise.
        let sounds = try (1...8).map { number in
            let text = "This is test number \(number) of a voice that is not always the same."
            return (try noisy.speak(text), try steady.speak(text))
        }
        #expect(sounds.allSatisfy { !isSame($0.samples, $1.samples) })
        #expect(sounds.allSatisfy { $0.frameCount == $1.frameCount } == keepsLength)
    }

    @Test("A symbol with several IDs is spoken using all of them and one pad")
    func severalIDs() throws {
        let voice = try Voice { json in
            var map = json["phoneme_id_map"] as? [String: Any] ?? [:]
            map["ʧ"] = [32, 96]
            json["phoneme_id_map"] = map
        }
        let recording = try voice.speak("ʧɪ") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(isClose(recording.samples, try voice.bare([1, 0, 32, 96, 0, 74, 0, 2])))
    }

    @Test("Vowels that share an ID are joined and have a single time")
    func clusters() throws {
        let voice = try Voice { json in
            var map = json["phoneme_id_map"] as? [String: Any] ?? [:]
            map["aɪ"] = [74]
            json["phoneme_id_map"] = map
            json["vowel_clusters"] = [["a", "ɪ"]]
        }
        let recording = try voice.speak("taɪ") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(isClose(recording.samples, try voice.bare([1, 0, 32, 0, 74, 0, 2])))
    }

    @Test("A nonexistent default speaker is a configuration error")
    func defaultSpeaker() throws {
        let failure = try Voice("flock") { $0["default_speaker_id"] = 4 }.loadError()
        #expect(failure?.status == SYNTH_BAD_FILE && failure?.role == "config")
    }
}
