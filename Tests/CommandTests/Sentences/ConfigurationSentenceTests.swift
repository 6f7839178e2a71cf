import Glibc
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Configuration messages")
struct ConfigurationSentenceTests {
    private func document(_ text: String) throws(SpeechError) -> ConfigurationDocument {
        try ConfigurationDocument(Array(text.utf8), file: "config.json")
    }

    @Test(
        "Errors in the file are reported with their line",
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
                "config.json, line 1: \"rate\" must be a factor from 0.25 to 4, such as 1.25, 125% or +25%, not \"fast\".",
                "config unset rate"
            ),
            (
                "{\n\n\"rate\": 5}",
                "config.json, line 3: \"rate\" must be a factor from 0.25 to 4, such as 1.25, 125% or +25%, not the number 5.",
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
                "config.json, line 2: \"voices.piper\" must be an object with string values, not null.",
                "config unset voices.piper"
            ),
            (
                "{\"voices\": \"Amy\"}",
                "config.json, line 1: \"voices\" must be an object with string values, not a string.", ""
            ),
            (
                "{\"engine\": \"\"}",
                "config.json, line 1: \"engine\" must be non-empty text, not a string.", ""
            ),
            ("[]", "config.json must contain one JSON object, not a list (line 1).", "braces"),
            (
                "{\n\"rate\" 1}",
                "config.json is not valid JSON at line 2, column 8: a colon is expected after the key \"rate\".",
                "Correct"
            ),
            ("{\"limits.loadSeconds\": 1}", "config.json, line 1: the key \"limits.loadSeconds\" is unknown.", ""),
        ])
    func mistakes(text: String, message: String, remedy: String) {
        #expect {
            try document(text).configuration()
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            #expect(error.message == message)
            return CommandFailure(error).code == .configuration && (remedy.isEmpty || error.nextStep.contains(remedy))
        }
    }

    @Test(
        "Invalid keys and values on the command line are usage errors",
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
            guard let error = error as? SpeechError else { return false }
            return CommandFailure(error).code == .usage && error.nextStep.contains(remedy)
        }
        #expect(document.text == "{}\n")
    }

    @Test("The message names an invalid environment variable and the command that unsets it")
    func variable() throws {
        let error = try #require(throws: SpeechError.self) {
            try ConfigurationOverrides(environment: { $0 == "SYNTHHOST_RATE" ? "fast" : nil })
        }
        #expect(CommandFailure(error).code == .configuration)
        #expect(error.message.hasPrefix("SYNTHHOST_RATE must be a factor from 0.25 to 4"))
        #expect(error.nextStep == "Correct the variable, or type: unset SYNTHHOST_RATE")
    }

    @Test("The remedies for an exceeded size limit and for missing write access are different")
    func writing() {
        let large = SpeechError.configurationUnwritable(file: "c", code: EFBIG)
        let foreign = SpeechError.configurationUnwritable(file: "c", code: EACCES)
        #expect(large.message == "Cannot write the configuration c: it would exceed the file size limit.")
        #expect(large.nextStep.contains("ulimit -f unlimited"))
        #expect(foreign.message == "Cannot write the configuration c: Permission denied.")
        #expect(foreign.nextStep.contains("--config FILE"))
    }
}
