import CommandSupport
import Testing
import TestSupport

@Suite("Validating configuration values", .ownThreads)
struct ConfigurationCheckTests {
    @Test(
        "Values that can never be valid are rejected",
        arguments: [
            ("language", "klingon", 69, "Did you mean \"piqd\"?"), ("language", "german", 69, "Did you mean \"de\"?"),
            ("voices.tone", "Sinne", 69, "Did you mean \"Sine\""), ("voices.tine", "Low", 69, "Did you mean \"tone\"?"),
            ("voices.piper", "Nobody", 69, "No voice is called \"Nobody\"."),
            ("fallback", "Sine, Nobody", 69, "No voice is called \"Nobody\"."),
            ("engine", "pipr", 69, "Did you mean \"piper\"?"),
            ("device", "a\nb", 64, "$'a\\012b'"), ("voices.tone", "", 64, "must be"), ("voices", "Low", 64, "ENGINE"),
        ] as [(String, String, Int32, String)])
    func refused(key: String, value: String, code: Int32, hint: String) throws {
        let home = try UserHome()
        let result = try home.run("config", "set", key, value)
        #expect(result.code == code && result.errors.contains(hint), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 2, "\(result.errors)")
        #expect(!home.exists("config/synthhost/config.json"))
    }

    @Test(
        "Values that may become valid later are set with a warning",
        arguments: [
            ("engine", "piper", "The engine piper is not installed yet."),
            ("voices.piper", "Amy", "The engine piper is not installed yet."),
            ("language", "tlh", "No voice speaks the language \"tlh\" yet."),
            ("device", "nodevice", "The key was set"),
        ])
    func warned(key: String, value: String, warning: String) throws {
        let home = try UserHome()
        let result = try home.run("config", "set", key, value)
        #expect(result.code == 0 && result.output == [], "\(result.errors)")
        #expect(result.errors.contains(warning) && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(try home.run("config", "get", key).text == value + "\n")
    }

    @Test("The fallback setting accepts unambiguous voice names, or the word none")
    func fallback() throws {
        let home = try UserHome()
        func kept(_ value: String) throws -> String {
            let result = try home.run("config", "set", "fallback", value)
            #expect(result.code == 0 && result.errors == "", "\(result.errors)")
            return try home.run("config", "get", "fallback").text.filter { !$0.isWhitespace }
        }
        #expect(try home.run("config", "get", "fallback").text == "")
        #expect(try kept("Low,  sine, Low") == #"["tone/low","tone/sine"]"#)
        #expect(try kept("none") == "[]")
        let away = try home.run("config", "set", "fallback", "Amy")
        #expect(away.code == 0 && away.errors.hasPrefix("The engine piper is not installed yet."), "\(away.errors)")
        #expect(try home.run("config", "unset", "fallback").code == 0)
        #expect(try home.run("config", "get", "fallback").text == "")
    }

    @Test(
        "Setting a voice that is not installed prints the command that downloads it; otherwise, nothing is printed"
    )
    func voices() throws {
        let fixture = try RegistryFixture()
        let nature = try fixture.home.run("config", "set", "voices.tone", "Nature")
        #expect(nature.code == 0 && nature.errors.hasSuffix("type: synthhost models pull Nature\n"), "\(nature.errors)")
        for (key, value) in [
            ("voices.tone", "Low"), ("language", "de_AT"), ("language", "en"), ("engine", "tone"), ("rate", "2"),
        ] {
            let result = try fixture.home.run("config", "set", key, value)
            #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        }
        #expect(fixture.asked == [])
    }

    @Test("Values can be set even if the file contains an error or does not exist yet")
    func mistake() throws {
        let home = try UserHome()
        try home.write("{\"rate\": \"fast\"}", to: "config/synthhost/config.json")
        #expect(try home.run("config", "set", "engine", "tone").code == 0)
        #expect(try home.run("config", "set", "engine", "tone", "--config", home.file("new.json")).code == 0)
        #expect(home.exists("new.json"))
    }
}
