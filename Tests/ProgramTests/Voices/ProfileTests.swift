import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Voice profiles in the configuration", .ownThreads)
struct ProfileTests {
    private let home: UserHome
    private static let text = "aaaa bbbb aaaa bbbb"

    init() throws { home = try UserHome() }

    private func speak(
        _ voice: String, _ options: String..., adding variables: [String: String?] = [:]
    ) throws -> ParsedWAV {
        try speak(home, voice, options, adding: variables)
    }

    private func speak(
        _ home: UserHome, _ voice: String, _ options: [String] = [], adding variables: [String: String?] = [:]
    ) throws -> ParsedWAV {
        let result = try home.run(
            ["speak", "-v", voice, "-o", home.file("x.wav"), Self.text] + options, adding: variables)
        try #require(result.code == 0, "\(result.errors)")
        return try home.wav("x.wav")
    }

    private func set(_ key: String, _ value: String) throws {
        let result = try home.run("config", "set", key, value)
        try #require(result.code == 0 && result.errors == "", "\(result.errors)")
    }

    @Test("A profile applies only to its voice, and its values multiply the general settings")
    func heard() throws {
        let plain = try speak("Sine")
        let low = try speak("Low")
        try set("profiles.sine.rate", "2")
        try set("profiles.Sine.volume", "50%")
        let tuned = try speak("Sine")
        #expect(abs(tuned.seconds / plain.seconds - 0.5) < 0.05, "\(tuned.seconds / plain.seconds)")
        let share = Double(tuned.peak) / Double(plain.peak)
        #expect(share > 0.48 && share < 0.52, "\(share)")
        #expect(try speak("Low").samples == low.samples)
        try set("rate", "0.5")
        #expect(abs(try speak("Sine").seconds / plain.seconds - 1) < 0.05)
        #expect(abs(try speak("Low").seconds / low.seconds - 2) < 0.1)
        try set("rate", "4")
        // The product is clamped to the valid range.
        #expect(abs(try speak("Sine").seconds / plain.seconds - 0.25) < 0.05)
    }

    @Test("A profile is overridden by a flag or an environment variable")
    func replaced() throws {
        let plain = try speak("Sine")
        try set("volume", "0.5")
        try set("profiles.Sine.volume", "0.5")
        try set("profiles.Sine.rate", "2")
        #expect(try speak("Sine", "--volume", "1", "-r", "1").samples == plain.samples)
        #expect(
            try speak("Sine", adding: ["SYNTHHOST_VOLUME": "1", "SYNTHHOST_RATE": "100%"]).samples == plain.samples)
        let quiet = try speak("Sine", "-r", "1")
        let share = Double(quiet.peak) / Double(plain.peak)
        #expect(share > 0.23 && share < 0.27, "\(share)")
    }

    @Test("A blend uses the profile of the voice with the highest weight")
    func blend() throws {
        let plain = try speak("Sine+Low*3")
        try set("profiles.Sine.rate", "2")
        #expect(try speak("Sine+Low*3").samples == plain.samples)
        try set("profiles.Low.rate", "2")
        let share = try speak("Sine+Low*3").seconds / plain.seconds
        #expect(share > 0.45 && share < 0.55, "\(share)")
    }

    @Test("A profile is stored by engine and ID and can be read, shown and unset under any of the voice's names")
    func names() throws {
        try home.write("{\"voices\": {\"other\": \"X\"}}", to: "config/synthhost/config.json")
        try set("profiles.SINE.rate", "+10%")
        #expect(
            String(decoding: try home.data("config/synthhost/config.json"), as: UTF8.self) == """
                {
                  "profiles": {
                    "tone/sine": {
                      "rate": 1.1
                    }
                  },
                  "voices": {
                    "other": "X"
                  }
                }

                """)
        for name in ["sine", "Sine", "tone/sine"] {
            #expect(try home.run("config", "get", "profiles.\(name).rate").text == "1.1\n")
        }
        #expect(try home.run("config", "get", "profiles.Sine.pitch").text == "1\n")
        #expect(try parse(try home.run("config", "get", "profiles.Sine").text)["rate"] as? Double == 1.1)
        let profiles = try parse(try home.run("config", "get", "profiles").text)
        #expect((profiles["tone/sine"] as? [String: Double]) == ["rate": 1.1])
        #expect(try home.run("voices", "Sine").lines.contains("  profile   rate 1.1"))
        let json = try parseList(try home.run("voices", "Sine", "--json").text)
        #expect((json.first?["profile"] as? [String: Double]) == ["rate": 1.1])
        let shown = try home.run("config", "show").lines.first { $0.hasPrefix("profiles ") }
        #expect(shown?.contains("tone/sine") == true)
        #expect(try home.run("config", "unset", "profiles.sine.rate").errors == "")
        #expect(try home.run("config", "unset", "profiles.sine.rate").errors == "profiles.sine.rate was not set.\n")
        #expect(try home.run("config", "get", "profiles").text == "{}\n")
    }

    @Test("A profile written by hand under any of a voice's names applies and can be changed under any other name")
    func byHand() throws {
        let plain = try speak("Sine")
        try home.write("{\"profiles\": {\"sine\": {\"rate\": \"200%\"}}}", to: "config/synthhost/config.json")
        #expect(abs(try speak("Sine").seconds / plain.seconds - 0.5) < 0.05)
        try set("profiles.Sine.rate", "1")
        #expect(try speak("Sine").samples == plain.samples)
        #expect(try home.run("config", "unset", "profiles.Sine").errors == "")
        #expect(try home.run("config", "get", "profiles").text == "{}\n")
    }

    @Test(
        "An invalid profile is rejected with a message",
        arguments: [
            ("profiles.NoSuchVoice.rate", "1", 69, "No voice is called \"NoSuchVoice\"."),
            ("profiles.Sinne.rate", "1", 69, "No voice is called \"Sinne\". Did you mean \"Sine\""),
            ("profiles.English.rate", "1", 69, "\"English\" matches several voices: "),
            (
                "profiles.Sine+Low.rate", "1", 64,
                "\"Sine+Low\" is a blend, but a single voice is needed.\nUse Sine or Low instead."
            ),
            ("profiles.en-us+f3.rate", "1", 64, "\"en-us+f3\" is one speaker of a voice"),
            ("profiles.Sine.rate", "5", 64, "must be a factor from 0.25 to 4"),
            ("profiles.Sine.pitch", "high", 64, "must be a factor from 0.5 to 2"),
            ("profiles.Sine.volume", "-1", 64, "must be a gain from 0 to 4"),
            ("profiles.Sine.rat", "1", 64, "Did you mean \"profiles.Sine.rate\"?"),
            ("profiles.Sine", "1", 64, "profiles.VOICE.rate"), ("profiles", "1", 64, "profiles.VOICE.rate"),
        ] as [(String, String, Int32, String)])
    func refused(key: String, value: String, code: Int32, words: String) throws {
        let result = try home.run("config", "set", key, value)
        #expect(result.code == code && result.errors.contains(words), "\(result.code) \(result.errors)")
        #expect(result.errors.hasPrefix("synthhost: ") && result.errors.split(separator: "\n").count == 2)
        #expect(!home.exists("config/synthhost/config.json"))
    }

    @Test("A profile can be set for a voice that is not downloaded or whose engine is not installed")
    func known() throws {
        let fixture = try RegistryFixture()
        for name in ["Nature", "Amy"] {
            let result = try fixture.home.run("config", "set", "profiles.\(name).rate", "2")
            #expect(result.code == 0 && result.errors == "", "\(result.errors)")
            #expect(try fixture.configured("profiles.\(name).rate") == "2")
        }
        #expect(fixture.asked == [])
    }

    @Test("If a voice has several qualities, a profile set by its name is stored for the quality in use")
    func quality() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        let voices = try [("medium", "nature"), ("high", "brook")].map { quality, file -> [String: Any] in
            let bytes = try #require(RegistryFixture.files["/\(file).pitch"])
            let source: [String: Any] = [
                "role": "pitch", "url": fixture.server.base + "\(file).pitch", "size": bytes.count,
                "sha256": try Checksum.sha256(bytes),
            ]
            return [
                "id": "choir-\(quality)", "engine": "tone", "name": "Choir", "language": "en-US", "quality": quality,
                "files": [source],
            ]
        }
        try home.write(
            Array(try JSONSerialization.data(withJSONObject: ["voices": voices])), to: "data/synthhost/models.json")
        #expect(try home.run("models", "pull", "choir-medium").code == 0)
        let plain = try speak(home, "Choir")
        #expect(try home.run("config", "set", "profiles.Choir.rate", "2").code == 0)
        #expect(try fixture.configured("profiles").contains("tone/choir-medium"))
        let share = try speak(home, "Choir").seconds / plain.seconds
        #expect(share > 0.45 && share < 0.55, "\(share)")
    }

    @Test("The sample played by setup uses the profile")
    func setup() throws {
        let folder = try TemporaryFolder()
        let fixture = try RegistryFixture(devices: .recorder(folder.file("played.wav")))
        func played() throws -> Double {
            #expect(try fixture.run("setup", "--yes").code == 0)
            return try ParsedWAV(try folder.data("played.wav")).seconds
        }
        let plain = try played()
        #expect(try fixture.home.run("config", "set", "profiles.Nature.rate", "2").code == 0)
        let share = try played() / plain
        #expect(share > 0.45 && share < 0.55, "\(share)")
    }

    @Test(
        "An invalid profile in the file is reported as an error with its line number, and an unknown voice as a warning"
    )
    func file() throws {
        try home.write(
            "{\"profiles\": {\"Gone\": {\"rate\": 2}}, \"favorites\": [\"Lost\", \"Sine\"], \"hidden\": [\"Out\"], "
                + "\"fallback\": [\"Away\", \"Sine\"]}",
            to: "config/synthhost/config.json")
        #expect(try home.run("speak", "-v", "Sine", "a", "-o", home.file("a.wav")).code == 0)
        let doctor = try home.run("doctor", devices: .silent)
        #expect(doctor.code == 0, "\(doctor.text)")
        #expect(
            doctor.text.contains(
                """
                note  configuration: the profile "Gone" belongs to an unknown voice
                      To remove it, type: synthhost config unset profiles.Gone
                note  configuration: the favorite voice "Lost" is unknown
                      To remove it, type: synthhost voices unfavorite Lost
                note  configuration: the hidden voice "Out" is unknown
                      To remove it, type: synthhost voices unhide Out
                note  configuration: the fallback voice "Away" is unknown
                      To remove it, type: synthhost config set fallback Sine

                """), "\(doctor.text)")
        #expect(try home.run("config", "get", "profiles.Gone.rate").text == "2\n")
        #expect(try home.run("config", "unset", "profiles.Gone").errors == "")
        #expect(try home.run("voices", "unfavorite", "Lost").errors == "Lost is no longer a favorite.\n")
        #expect(try home.run("config", "set", "fallback", "Sine").errors == "")
        #expect(try home.run("voices", "unhide", "Out").errors == "Out is visible in lists again.\n")
        #expect(!(try home.run("doctor", devices: .silent).text.contains("note")))
        try home.write("{\"profiles\":\n{\"Sine\": {\"rate\": \"fast\"}}}", to: "config/synthhost/config.json")
        let wrong = try home.run("speak", "-v", "Sine", "a", "-o", home.file("b.wav"))
        #expect(wrong.code == 78 && wrong.errors.contains("line 2: \"profiles.Sine.rate\" must be a factor"))
        #expect(wrong.errors.contains("synthhost config unset profiles.Sine.rate"))
        #expect(try home.run("config", "unset", "profiles.Sine.rate").code == 0)
        #expect(try home.run("speak", "-v", "Sine", "a", "-o", home.file("b.wav")).code == 0)
    }
}
