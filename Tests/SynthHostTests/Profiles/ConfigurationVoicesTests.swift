import Foundation
import SynthCatalogue
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Voices in the configuration")
final class ConfigurationVoicesTests {
    private let folder: String
    private let file: ConfigurationFile

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/synthhost-voices-\(UUID().uuidString)"
        file = ConfigurationFile(path: folder + "/config.json")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func document(_ text: String) throws(SpeechError) -> ConfigurationDocument {
        try ConfigurationDocument(Array(text.utf8), file: "config.json")
    }

    private func voice(_ id: String, _ name: String) throws -> Voice {
        try Voice(DeclaredVoice(id: id, name: name, language: "en"), by: "piano")
    }

    private func write(_ text: String) throws { try text.write(toFile: file.path, atomically: true, encoding: .utf8) }
    private var text: String { get throws { try String(contentsOfFile: file.path, encoding: .utf8) } }

    @Test("Profiles are read with factors in any unit, even under a dotted key")
    func read() throws {
        let configuration = try document(
            """
            {"profiles": {"Heart": {"rate": "110%", "volume": "-6dB"}, "a.b": {"pitch": 2}, "none": {}},
             "profiles.Emma.rate": 2, "favorites": ["Heart", "Emma"], "hidden": []}
            """
        ).configuration()
        #expect(
            configuration.profiles == [
                "Heart": VoiceProfile(rate: 1.1, volume: 0.501187), "a.b": VoiceProfile(pitch: 2),
                "Emma": VoiceProfile(rate: 2),
            ])
        #expect(configuration.favorites == ["Heart", "Emma"] && configuration.hidden == [])
    }

    @Test("Profiles can be set and unset by key, even for voice IDs with dots, and empty profiles are removed")
    func keys() throws {
        var document = try document("{\"unknown\": [1, {\"x\": null}]}")
        try document.set("profiles.piano/a.b.rate", to: "+10%")
        try document.set("profiles.piano/a.b.volume", to: "0.5")
        try document.set("favorites", to: "Heart,  Emma (British)")
        #expect(
            document.text == """
                {
                  "favorites": [
                    "Heart",
                    "Emma (British)"
                  ],
                  "profiles": {
                    "piano/a.b": {
                      "rate": 1.1,
                      "volume": 0.5
                    }
                  },
                  "unknown": [
                    1,
                    {
                      "x": null
                    }
                  ]
                }

                """)
        #expect(try document.unset("profiles.piano/a.b.rate"))
        #expect(try !document.unset("profiles.piano/a.b.rate"))
        #expect(try document.unset("profiles.piano/a.b.volume"))
        #expect(try !document.unset("profiles"))
        #expect(try document.unset("favorites"))
        #expect(try document.unset("unknown"))
        #expect(document.text == "{}\n")
    }

    @Test("Errors are reported with their key and line number")
    func mistakes() throws {
        func error(_ text: String) throws -> SpeechError? {
            #expect(throws: SpeechError.self) { try document(text).configuration() }
        }
        #expect(
            try error("{\"profiles\": {\n\"Heart\": {\"rat\": 2}}}")
                == .unknownKey("profiles.Heart.rat", file: "config.json", line: 2, near: "profiles.Heart.rate"))
        #expect(
            try error("{\"profiles\": {\"Heart\":\n{\"rate\": 5}}}")
                == .wrongValue(
                    key: "profiles.Heart.rate", file: "config.json", line: 2, expected: SpeechFactor.rate.expectation,
                    found: "the number 5"))
        #expect(
            try error("{\"profiles\": {\"Heart\": 1.1}}")
                == .wrongValue(
                    key: "profiles.Heart", file: "config.json", line: 1, expected: "an object", found: "the number 1.1")
        )
        #expect(
            try error("{\"profiles\": []}")
                == .wrongValue(
                    key: "profiles", file: "config.json", line: 1, expected: "an object", found: "a list"))
        #expect(try error("{\"hidden\": [1]}") != nil)
        var wrong = try document("{\"profiles\": {\"Heart\": {\"rat\": 2}}}")
        #expect(try wrong.unset("profiles.Heart.rat"))
        #expect(wrong.text == "{}\n")
    }

    @Test("The error for a rejected key includes the cause")
    func refused() throws {
        var document = try document("{}")
        #expect(throws: SpeechError.namesNoFactor(key: "profiles")) { try document.set("profiles", to: "1") }
        #expect(throws: SpeechError.namesNoFactor(key: "profiles.Heart")) {
            try document.set("profiles.Heart", to: "1")
        }
        #expect(throws: SpeechError.noSuchKey("profiles.Heart.rat", near: "profiles.Heart.rate")) {
            try document.set("profiles.Heart.rat", to: "1")
        }
        for (factor, value) in [("rate", "4.5"), ("pitch", "+13st"), ("volume", "5"), ("rate", "nan")] {
            let key = "profiles.Heart.\(factor)"
            let expected = try #require(ProfileFactor(rawValue: factor)).factor.expectation
            #expect(throws: SpeechError.notSettable(key: key, value: value, expected: expected)) {
                try document.set(key, to: value)
            }
        }
        #expect(throws: SpeechError.self) { try document.set("hidden", to: "a,,b") }
        #expect(document.text == "{}\n")
    }

    @Test("A profile replaces the previous one under any of the voice's names")
    func profile() throws {
        try write("{\"pitch\": 0.9, \"profiles\": {\"Heart\": {\"rate\": 2}, \"Emma\": {\"rate\": 3}}, \"x\": 1}")
        let heart = try voice("af_heart", "Heart")
        try file.setProfile(VoiceProfile(volume: 0.5), of: heart)
        #expect(
            try text == """
                {
                  "pitch": 0.9,
                  "profiles": {
                    "Emma": {
                      "rate": 3
                    },
                    "piano/af_heart": {
                      "volume": 0.5
                    }
                  },
                  "x": 1
                }

                """)
        let before = try text
        for bad in [VoiceProfile(rate: .nan), VoiceProfile(rate: 1, volume: -1), VoiceProfile(pitch: .infinity)] {
            #expect(throws: SpeechError.self) { try file.setProfile(bad, of: heart) }
        }
        #expect(try text == before)
        try file.setProfile(VoiceProfile(), of: heart)
        #expect(try !text.contains("heart"))
        #expect(try file.unset(try #require(ProfilePath("profiles.EMMA.rate")), of: try voice("bf_emma", "Emma")))
        #expect(try text == "{\n  \"pitch\": 0.9,\n  \"x\": 1\n}\n")
    }

    @Test("A voice is listed at most once, in a single list and under its unique name")
    func lists() throws {
        let heart = try voice("af_heart", "Heart")
        try write("{\"favorites\": [\"Emma\"], \"hidden\": [\"heart\", \"Amy\"]}")
        #expect(try file.add(heart, to: .favorites))
        #expect(try !file.add(heart, to: .favorites))
        var configuration = try file.load()
        #expect(configuration.favorites == ["Emma", "piano/af_heart"] && configuration.hidden == ["Amy"])
        #expect(try file.add(heart, to: .hidden))
        configuration = try file.load()
        #expect(configuration.favorites == ["Emma"] && configuration.hidden == ["Amy", "piano/af_heart"])
        #expect(try file.remove(heart, from: .hidden))
        #expect(try !file.remove(heart, from: .hidden))
        #expect(try file.remove("Amy", from: .hidden))
        #expect(try !text.contains("hidden"))
    }

    @Test("All concurrent changes to voices are kept")
    func manyWriters() async throws {
        let voices = try (0..<24).map { try voice("v\($0)", "Voice\($0)") }
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, voice) in voices.enumerated() {
                group.addTask {
                    if place % 2 == 0 { try file.add(voice, to: .favorites) }
                    try file.setProfile(VoiceProfile(rate: 1 + Double(place) / 100), of: voice)
                }
            }
            try await group.waitForAll()
        }
        let configuration = try file.load()
        #expect(Set(configuration.favorites) == Set(stride(from: 0, to: 24, by: 2).map { "piano/v\($0)" }))
        #expect(configuration.profiles.count == 24)
        #expect(configuration.profiles["piano/v7"] == VoiceProfile(rate: 1.07))
    }

    @Test("Selecting a voice also sets its engine, and unsetting the voice keeps all other keys")
    func choice() throws {
        try write(#"{"rate": 2, "voices": {"organ": "Bach"}}"#)
        try file.choose("Heart", of: "piano")
        var configuration = try file.load()
        #expect(configuration.engine == "piano" && configuration.voices == ["organ": "Bach", "piano": "Heart"])
        try file.choose("Heart*0.7+Emma*0.3", of: "piano")
        #expect(try file.load().voices["piano"] == "Heart*0.7+Emma*0.3")
        #expect(try !file.forgetVoice(of: "organ", withEngine: true))
        configuration = try file.load()
        #expect(configuration.engine == "piano" && configuration.voices == ["piano": "Heart*0.7+Emma*0.3"])
        #expect(try !file.forgetVoice(of: "piano", withEngine: false))
        #expect(try file.load().engine == "piano")
        #expect(try file.forgetVoice(of: "piano", withEngine: true))
        #expect(try file.load() == document(#"{"rate": 2}"#).configuration())
        #expect(throws: SpeechError.self) { try file.choose("two\nlines", of: "piano") }
        #expect(try file.load().engine == nil)
    }
}
