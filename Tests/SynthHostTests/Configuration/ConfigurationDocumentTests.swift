import SynthJSON
import Testing

@testable import SynthEngineProcesses
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite struct ConfigurationDocumentTests {
    private func document(_ text: String) throws(SpeechError) -> ConfigurationDocument {
        try ConfigurationDocument(Array(text.utf8), file: "config.json")
    }

    @Test("An empty file and an empty object are equivalent to the defaults", arguments: ["", " \n", "{}"])
    func defaults(text: String) throws {
        let configuration = try document(text).configuration()
        #expect(configuration == Configuration())
        #expect(configuration.rate == 1 && !configuration.autoDownload && configuration.limits.load == .seconds(120))
    }

    @Test("Every key sets the corresponding property")
    func everyKey() throws {
        let text = """
            {"engine": "piper", "voices": {"piper": "Amy", "espeak-ng": "en"}, "rate": 1.5, "pitch": 0.9, "volume": 2,
             "device": "hw:1", "language": "de", "autoDownload": true, "precision": "fast", "whisper": true,
             "limits": {"scanSeconds": 6, "loadSeconds": 7.5, "audioSeconds": 8, "idleSeconds": 9,
                        "cancelGraceMilliseconds": 250, "killGraceSeconds": 3}}
            """
        let configuration = try document(text).configuration()
        #expect(configuration.engine == "piper")
        #expect(configuration.voices == ["piper": "Amy", "espeak-ng": "en"])
        #expect(configuration.rate == 1.5 && configuration.pitch == 0.9 && configuration.volume == 2)
        #expect(configuration.device == "hw:1" && configuration.language == "de" && configuration.autoDownload)
        #expect(configuration.precision == .fast && configuration.whisper)
        #expect(SpeechSettings(configuration).isWhispered)
        #expect(configuration.limits.scan == .seconds(6) && configuration.limits.load == .milliseconds(7500))
        #expect(configuration.limits.audio == .seconds(8) && configuration.limits.idle == .seconds(9))
        #expect(configuration.limits.cancelGrace == .milliseconds(250))
        #expect(configuration.limits.killGrace == .seconds(3))
    }

    @Test("When a key is set, its value is parsed according to the key's type, and all other keys are kept")
    func set() throws {
        var document = try document("{\"rate\": 2}")
        try document.set("limits.loadSeconds", to: "300")
        try document.set("voices.my.engine", to: "Amy")
        try document.set("autoDownload", to: "yes")
        try document.set("engine", to: "7")
        #expect(
            document.text == """
                {
                  "autoDownload": true,
                  "engine": "7",
                  "limits": {
                    "loadSeconds": 300
                  },
                  "rate": 2,
                  "voices": {
                    "my.engine": "Amy"
                  }
                }

                """)
        let configuration = try document.configuration()
        #expect(configuration.voices == ["my.engine": "Amy"] && configuration.limits.load == .seconds(300))
    }

    @Test("Setting an invalid key or value has no effect, and the error lists the valid choices")
    func badRequest() throws {
        var document = try document("{}")
        #expect(throws: SpeechError.noSuchKey("rat", near: "rate")) { try document.set("rat", to: "1") }
        #expect(throws: SpeechError.noSuchKey("qqqq", near: nil)) { try document.set("qqqq", to: "1") }
        #expect(throws: SpeechError.namesNoEngine(key: "voices")) { try document.set("voices", to: "Amy") }
        #expect(
            throws: SpeechError.notSettable(key: "autoDownload", value: "maybe", expected: "true or false")
        ) { try document.set("autoDownload", to: "maybe") }
        #expect(document.text == "{}\n")
    }

    @Test("Errors in the file are reported with their key and line number")
    func mistakes() throws {
        #expect(throws: SpeechError.unknownKey("engin", file: "config.json", line: 2, near: "engine")) {
            try document("{\n\"engin\": \"x\"}").configuration()
        }
        #expect(
            throws: SpeechError.wrongValue(
                key: "limits", file: "config.json", line: 1, expected: "an object", found: "a list")
        ) { try document("{\"limits\": []}").configuration() }
        #expect(throws: SpeechError.configurationNotObject(file: "config.json", line: 1, found: "a list")) {
            try document("[]")
        }
    }

    @Test("Unsetting removes keys, groups, empty objects and unknown keys")
    func unset() throws {
        var document = try document(
            "{\"rate\": 2, \"limits\": {\"loadSeconds\": 1}, \"engin\": 1, \"a.b\": 2, \"voices\": {}}")
        #expect(try document.unset("rate"))
        #expect(try !document.unset("rate"))
        #expect(try document.unset("limits.loadSeconds"))
        #expect(try document.unset("engin"))
        #expect(try document.unset("a.b"))
        #expect(try document.unset("voices"))
        #expect(try !document.unset("limits"))
        #expect(document.text == "{}\n")
        #expect(throws: SpeechError.self) { try document.unset("nothing") }
    }

    @Test(
        "Unsetting a misspelled key does not remove a group with a similar name",
        arguments: ["clips.", ".clips", "clips..chime"])
    func unsetMisspelled(name: String) throws {
        var document = try document("{\"\(name)\": 1, \"clips\": {\"chime\": \"chime.wav\"}}")
        #expect(try document.unset(name))
        #expect(try document.configuration().clips == ["chime": "chime.wav"])
        #expect((try? document.unset(name)) != true)
    }

    @Test("The default shown for a key is a value that the key accepts")
    func table() throws {
        var document = try document("{}")
        for key in ConfigurationKey.all {
            guard let value = key.value(in: Configuration(), name: nil) else { continue }
            if case .object = value { continue }
            let text = if case .string(let text) = value { text } else { JSONWriter.text(of: JSONNode(value)) }
            try document.set(key.path, to: text)
        }
        #expect(try document.configuration() == Configuration())
    }
}
