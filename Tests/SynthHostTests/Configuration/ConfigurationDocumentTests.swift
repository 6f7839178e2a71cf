import Engines
import LocatedJSON
import Testing

@testable import SynthHost

@Suite struct ConfigurationDocumentTests {
    private func document(_ text: String) throws(ConfigurationError) -> ConfigurationDocument {
        try ConfigurationDocument(Array(text.utf8), file: "config.json")
    }

    @Test("an empty file and an empty object are the defaults", arguments: ["", " \n", "{}"])
    func defaults(text: String) throws {
        let configuration = try document(text).configuration()
        #expect(configuration == Configuration())
        #expect(configuration.rate == 1 && !configuration.autoDownload && configuration.limits.load == .seconds(120))
    }

    @Test("every key reaches its place")
    func everyKey() throws {
        let text = """
            {"engine": "piper", "voices": {"piper": "Amy", "espeak-ng": "en"}, "rate": 1.5, "pitch": 0.9, "volume": 2,
             "device": "hw:1", "language": "de", "autoDownload": true,
             "limits": {"scanSeconds": 6, "loadSeconds": 7.5, "audioSeconds": 8, "idleSeconds": 9,
                        "cancelGraceMilliseconds": 250, "killGraceSeconds": 3}}
            """
        let configuration = try document(text).configuration()
        #expect(configuration.engine == "piper")
        #expect(configuration.voices == ["piper": "Amy", "espeak-ng": "en"])
        #expect(configuration.rate == 1.5 && configuration.pitch == 0.9 && configuration.volume == 2)
        #expect(configuration.device == "hw:1" && configuration.language == "de" && configuration.autoDownload)
        #expect(configuration.limits.scan == .seconds(6) && configuration.limits.load == .milliseconds(7500))
        #expect(configuration.limits.audio == .seconds(8) && configuration.limits.idle == .seconds(9))
        #expect(configuration.limits.cancelGrace == .milliseconds(250))
        #expect(configuration.limits.killGrace == .seconds(3))
    }

    @Test(
        "a mistake in the file is named with its line",
        arguments: [
            ("{\n\"engin\": \"x\"}", "config.json, line 2: the key \"engin\" is unknown.", "Did you mean \"engine\"?"),
            (
                "{\"limits\":\n{\"loadSecond\": 1}}", "config.json, line 2: the key \"limits.loadSecond\" is unknown.",
                "Did you mean \"limits.loadSeconds\"?"
            ),
            (
                "{\"loadSeconds\": 1}", "config.json, line 1: the key \"loadSeconds\" is unknown.",
                "Did you mean \"limits.loadSeconds\"?"
            ),
            (
                "{\"rate\": \"fast\"}",
                "config.json, line 1: \"rate\" must be a factor from 0.25 to 4 such as 1.25, 125% or +25%, not \"fast\".",
                "config unset rate"
            ),
            (
                "{\n\n\"rate\": 5}",
                "config.json, line 3: \"rate\" must be a factor from 0.25 to 4 such as 1.25, 125% or +25%, not the number 5.",
                "config unset rate"
            ),
            (
                "{\"autoDownload\": 1}",
                "config.json, line 1: \"autoDownload\" must be true or false, not the number 1.",
                "config unset autoDownload"
            ),
            (
                "{\"limits\": []}", "config.json, line 1: \"limits\" must be an object, not a list.",
                "config unset limits"
            ),
            (
                "{\"voices\": {\n\"piper\": null}}",
                "config.json, line 2: \"voices.piper\" must be an object of texts, not null.",
                "config unset voices.piper"
            ),
            ("{\"voices\": \"Amy\"}", "config.json, line 1: \"voices\" must be an object of texts, not a string.", ""),
            (
                "{\"engine\": \"\"}",
                "config.json, line 1: \"engine\" must be a text that is not empty, not a string.", ""
            ),
            ("[]", "config.json must hold one JSON object, not a list (line 1).", "braces"),
            (
                "{\n\"rate\" 1}",
                "config.json is not valid JSON at line 2, column 8: a colon is expected behind the key \"rate\".",
                "Correct"
            ),
            ("{\"limits.loadSeconds\": 1}", "config.json, line 1: the key \"limits.loadSeconds\" is unknown.", ""),
        ])
    func mistakes(text: String, message: String, remedy: String) {
        #expect {
            try document(text).configuration()
        } throws: { error in
            guard let error = error as? ConfigurationError else { return false }
            #expect(error.message == message)
            return error.kind == .invalidFile && (remedy.isEmpty || error.remedy.contains(remedy))
        }
    }

    @Test("setting parses by the key's type and keeps the rest")
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

    @Test(
        "a bad key or value on the command line is a mistake of the request",
        arguments: [
            ("rat", "1", "Did you mean \"rate\"?"), ("rate", "fast", "VALUE"), ("rate", "nan", "VALUE"),
            ("rate", "9", "VALUE"), ("autoDownload", "maybe", "VALUE"), ("engine", "", "VALUE"),
            ("voices", "Amy", "voices.ENGINE"), ("limits", "1", "config show"), ("voices.", "1", "config show"),
        ])
    func badRequest(key: String, value: String, remedy: String) throws {
        var document = try document("{}")
        #expect {
            try document.set(key, to: value)
        } throws: { error in
            guard let error = error as? ConfigurationError else { return false }
            return error.kind == .invalidRequest && error.remedy.contains(remedy)
        }
        #expect(document.text == "{}\n")
    }

    @Test("unsetting removes keys, groups, empty objects and also what is unknown")
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
        #expect(throws: ConfigurationError.self) { try document.unset("nothing") }
    }

    @Test("every key shows its default in a form that it accepts itself")
    func table() throws {
        var document = try document("{}")
        for key in ConfigurationKey.all {
            guard let value = key.value(in: Configuration(), name: nil) else { continue }
            if case .object = value { continue }
            try document.set(key.path, to: JSONWriter.text(of: JSONNode(value)))
        }
        #expect(try document.configuration() == Configuration())
    }
}
