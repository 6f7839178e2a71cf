import SynthAudio
import SynthCatalogue
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Voice profiles")
struct VoiceProfileTests {
    private static func voice(_ id: String, _ name: String, accent: String? = nil) throws -> Voice {
        try Voice(DeclaredVoice(id: id, name: name, language: "en", accent: accent), by: "piano")
    }

    private func configuration(_ text: String) throws(SpeechError) -> Configuration {
        try ConfigurationDocument(Array(text.utf8), file: "config.json").configuration()
    }

    private func factors(_ configuration: Configuration) -> [Double] {
        [configuration.rate, configuration.pitch, configuration.volume]
    }

    @Test("A profile's factors multiply the general settings within the range of each factor")
    func product() throws {
        let heart = VoiceChoice(voice: try Self.voice("af_heart", "Heart"))
        let emma = VoiceChoice(voice: try Self.voice("bf_emma", "Emma"))
        var configuration = try configuration(
            """
            {"rate": 1.5, "volume": 0.5,
             "profiles": {"piano/af_heart": {"rate": 2, "pitch": "+12st", "volume": "50%"}}}
            """)
        #expect(factors(configuration.tuned(for: heart)) == [3, 2, 0.25])
        #expect(factors(configuration.tuned(for: emma)) == [1.5, 1, 0.5])
        configuration.rate = 4
        configuration.pitch = 0.5
        configuration.volume = 4
        configuration.profiles["Emma"] = VoiceProfile(rate: 2, pitch: 0.5, volume: 4)
        #expect(factors(configuration.tuned(for: emma)) == [4, 0.5, 4])
        #expect(factors(configuration.tuned(for: heart)) == [4, 1, 2])
    }

    @Test("A profile lengthens or shortens all of a voice's pauses")
    func pauses() throws {
        let heart = VoiceChoice(voice: try Self.voice("af_heart", "Heart"))
        let configuration = try configuration(
            """
            {"pauses": {"paragraphSeconds": 1}, "profiles": {"Heart": {"pause": "150%"}}}
            """)
        let pauses = configuration.tuned(for: heart).pauses
        #expect(pauses.paragraph == .milliseconds(1500) && pauses.sentence == .milliseconds(375))
        #expect(SpeechSettings(SpeechOptions(), presets: configuration, for: heart).pauses == pauses)
        var given = SpeechPauses()
        given.paragraph = .seconds(2)
        #expect(SpeechSettings(SpeechOptions(pauses: given), presets: configuration, for: heart).pauses == given)
        #expect(throws: SpeechError.self) { try self.configuration(#"{"profiles": {"Heart": {"pause": 5}}}"#) }
    }

    @Test(
        "Each factor can be overridden by a flag or the environment, both in the profile and in the general settings"
    )
    func replaced() throws {
        let heart = VoiceChoice(voice: try Self.voice("af_heart", "Heart"))
        let configuration = try configuration(
            "{\"rate\": 1.5, \"profiles\": {\"Heart\": {\"rate\": 2, \"pitch\": 1.5, \"volume\": 0.5}}}")
        var flags = ConfigurationOverrides()
        flags.rate = 1.25
        let variables = ["SYNTHHOST_RATE": "3", "SYNTHHOST_PITCH": "0.8"]
        let merged = try configuration.overridden(by: flags, environment: { variables[$0] })
        #expect(factors(merged.tuned(for: heart)) == [1.25, 0.8, 0.5])
    }

    @Test("A profile applies to values that are not set in the options, unless the options ignore it")
    func options() throws {
        let heart = VoiceChoice(voice: try Self.voice("af_heart", "Heart"))
        var presets = try configuration("{\"rate\": 1.5, \"profiles\": {\"Heart\": {\"rate\": 2, \"volume\": 0.5}}}")
        func settings(_ options: SpeechOptions) -> [Double] {
            let settings = SpeechSettings(options, presets: presets, for: heart)
            return [settings.rate, settings.pitch, Double(settings.volume.factor)]
        }
        #expect(settings(SpeechOptions()) == [3, 1, 0.5])
        #expect(settings(SpeechOptions(rate: 1.25)) == [1.25, 1, 0.5])
        #expect(settings(SpeechOptions(volume: 2)) == [3, 1, 2])
        #expect(settings(SpeechOptions(usesProfile: false)) == [1.5, 1, 1])
        presets.profiles = [:]
        #expect(settings(SpeechOptions()) == [1.5, 1, 1])
    }

    @Test("A blend uses the profile of the voice with the highest weight, or of the first voice if weights are equal")
    func blend() throws {
        var configuration = Configuration()
        configuration.profiles = ["Low": VoiceProfile(rate: 2), "Sine": VoiceProfile(rate: 0.5)]
        let engine = VoiceEngine(id: "piano", blends: true, known: [:])
        let voices = [try Self.voice("sine", "Sine"), try Self.voice("low", "Low")]
        // Voices that use the same model.
        let model = VoiceEngine.Known(model: "one", needsFiles: false)
        let directory = VoiceDirectory(
            engines: [VoiceEngine(id: engine.id, blends: true, known: ["sine": model, "low": model])], voices: voices)
        func rate(_ name: String) throws -> Double {
            configuration.tuned(for: try directory.choose(VoiceQuery(name: name))).rate
        }
        #expect(try rate("Sine+Low*3") == 2)
        #expect(try rate("Sine*0.7+Low*0.3") == 0.5)
        #expect(try rate("Low+Sine") == 2)
        #expect(try rate("Sine+Low") == 0.5)
    }

    @Test("The value of a factor is determined by the most specific name that sets it")
    func names() throws {
        let emma = try Self.voice("bf_emma", "Emma", accent: "British")
        var configuration = Configuration()
        configuration.profiles = [
            "emma": VoiceProfile(rate: 0.5, pitch: 0.5, volume: 0.5), "BF_EMMA": VoiceProfile(rate: 2, pitch: 2),
            "piano/bf_emma": VoiceProfile(rate: 3),
        ]
        #expect(VoiceMarks(configuration).profile(of: emma) == VoiceProfile(rate: 3, pitch: 2, volume: 0.5))
    }
}
