import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Permissions for environment variables", .ownThreads)
struct VariablePermissionTests {
    private static let set: [String: String?] = ["CLOUDY_REGION": "north", "GITHUB_PAT": "ghp_x"]
    private static let requested = "ASKED=\"CLOUDY_REGION\", \"GITHUB_PAT\", \"CLOUDY_UNSET\", \"TZ\""

    /// A user with the curious engine, which fails and reports the value of a variable.
    private func home(_ name: String = "CLOUDY_REGION") throws -> UserHome {
        let home = try UserHome()
        try home.install("curious", [Self.requested, "REPORTS=\"\(name)\""])
        return home
    }

    private func speak(_ home: UserHome) throws -> String {
        try home.run("speak", "-e", "curious", "-o", home.file("x.wav"), "a", adding: Self.set).errors
    }

    @Test("`show` lists variables and the command that allows the missing ones; `doctor` lists those that are set")
    func shown() throws {
        let home = try home()
        let shown = try home.run("engines", "show", "curious", adding: Self.set).text
        for line in [
            "requests: the variable CLOUDY_REGION, which is set but not allowed\n"
                + "    To allow it, type: synthhost engines allow curious variable:CLOUDY_REGION\n",
            "requests: the variable GITHUB_PAT, which is set but not allowed. It looks like a secret\n",
            "requests: the variable CLOUDY_UNSET, which is neither set nor allowed\n",
            "requests: the variable TZ, which every engine gets\n",
        ] { #expect(shown.contains(line), "\(shown)") }
        let json = try home.run("engines", "show", "curious", "--json", adding: Self.set).text
        #expect(json.contains(#"{"allowed":false,"name":"CLOUDY_REGION","passed":false,"set":true}"#), "\(json)")
        #expect(json.contains(#"{"allowed":false,"name":"TZ","passed":true,"set":false}"#), "\(json)")
        let doctor = try home.run("doctor", adding: Self.set).text
        #expect(
            doctor.contains(
                "note  engine: curious requests the variable CLOUDY_REGION, which is set but not allowed\n"
                    + "      To allow it, type: synthhost engines allow curious variable:CLOUDY_REGION\n"), "\(doctor)")
        #expect(!doctor.contains("CLOUDY_UNSET") && !doctor.contains("variable TZ"))
    }

    @Test("Variables are withheld until they are allowed by name and again once they are denied or the file changes")
    func allowed() throws {
        let home = try home()
        let remedy =
            "It requests the variables CLOUDY_REGION, GITHUB_PAT, which are set but not allowed. "
            + "To allow them, type: synthhost engines allow curious variable:CLOUDY_REGION variable:GITHUB_PAT"
        let refused = try speak(home)
        #expect(refused.contains("It is not there.") && refused.contains(remedy), "\(refused)")
        let allowed = try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION", adding: Self.set)
        #expect(allowed.code == 0 && allowed.errors.contains("curious: the variable CLOUDY_REGION, which you allow\n"))
        #expect(try speak(home).contains("north"))
        #expect(
            try home.run("engines", "show", "curious", adding: Self.set).text.contains(
                "CLOUDY_REGION, which you allow\n"))

        try home.install("curious", [Self.requested, "REPORTS=\"CLOUDY_REGION\"", "NEWER"])
        #expect(try speak(home).contains(remedy))
        #expect(try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION").code == 0)
        #expect(try speak(home).contains("north"))
        #expect(try home.run("engines", "deny", "curious").code == 0)
        #expect(try speak(home).contains(remedy))
    }

    @Test("The first use of an engine file prints a message about each withheld variable")
    func notice() throws {
        let home = try UserHome()
        try home.install("curious", [Self.requested])
        func line(_ name: String, _ state: String = "is set but not allowed") -> String {
            "The engine curious requests the variable \(name), which \(state). "
                + "To allow it, type: synthhost engines allow curious variable:\(name)\n"
        }
        let secret = line("GITHUB_PAT", "is set but not allowed. It looks like a secret")
        let first = try speak(home)
        #expect(first.hasPrefix(line("CLOUDY_REGION") + secret) && !first.contains("CLOUDY_UNSET"), "\(first)")
        #expect(try !speak(home).contains("requests the variable"))
        // A new version does not have the permissions of the previous version.
        #expect(try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION").code == 0)
        try home.install("curious", [Self.requested, "NEWER"])
        let quiet = try home.run(
            "speak", "-q", "-e", "curious", "-o", home.file("x.wav"), "a", adding: Self.set
        ).errors
        #expect(!quiet.contains("The engine curious requests"))
        #expect(try speak(home).hasPrefix(line("CLOUDY_REGION") + secret))
        try home.install("curious", [Self.requested, "REPORTS=\"CLOUDY_REGION\""])
        #expect(try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION").code == 0)
        let allowed = try speak(home)
        #expect(allowed.hasPrefix(secret) && !allowed.contains("variable CLOUDY_REGION"), "\(allowed)")
    }

    @Test("When a recognizer is first used, a message names the withheld variables")
    func recognizerNotice() throws {
        let home = try UserHome()
        try home.install("deaf", ["TRANSCRIBES", "ASKED=\"CLOUDY_REGION\""])
        #expect(try home.run("speak", "-e", "tone", "-o", home.file("tone.wav"), "a").code == 0)
        func transcribe() throws -> String {
            try home.run("transcribe", "--recognizer", "deaf", home.file("tone.wav"), adding: Self.set).errors
        }
        let line =
            "The recognizer deaf requests the variable CLOUDY_REGION, which is set but not allowed. "
            + "To allow it, type: synthhost engines allow deaf variable:CLOUDY_REGION\n"
        let first = try transcribe()
        #expect(first.contains(line), "\(first)")
        #expect(try !transcribe().contains("requests the variable"))
    }

    @Test("If an engine fails, the error names all withheld variables")
    func several() throws {
        let home = try home()
        let remedy =
            "It requests the variables CLOUDY_REGION, GITHUB_PAT, which are set but not allowed. To allow them, type: "
            + "synthhost engines allow curious variable:CLOUDY_REGION variable:GITHUB_PAT"
        let refused = try speak(home)
        #expect(refused.contains(remedy), "\(refused)")
    }

    @Test("If an engine and a recognizer have the same ID, variables are allowed for each separately")
    func sharedID() throws {
        let home = try UserHome()
        try home.install("curious", ["ASKED=\"CLOUDY_REGION\"", "ID=\"sentry\""])
        try home.install("sentry", ["ASKED=\"CLOUDY_REGION\", \"CLOUDY_ZONE\""])
        func allow(_ name: String, _ word: String = "allow") throws -> ChildResult {
            try home.run("engines", word, name, "variable:CLOUDY_REGION", adding: Self.set)
        }
        func isAllowed(_ name: String) throws -> Bool {
            let shown = try home.run("engines", "show", name, adding: Self.set)
            #expect(shown.code == 0, "\(shown.errors)")
            return shown.text.contains("the variable CLOUDY_REGION, which you allow\n")
        }
        let both = try allow("sentry")
        #expect(both.code == 64 && !home.exists("config/synthhost/allowed.json"), "\(both.errors)")
        for words in [
            "the engine \(home.plugins)/curious.so and the recognizer \(home.plugins)/sentry.so.",
            "Choose one of them: engine:sentry or recognizer:sentry.",
        ] { #expect(both.errors.contains(words), "\(both.errors)") }
        #expect(try allow("recognizer:sentry").code == 0)
        #expect(try !isAllowed("engine:sentry") && isAllowed("recognizer:sentry"))
        #expect(try allow("engine:sentry").code == 0)
        #expect(try isAllowed("engine:sentry") && isAllowed("recognizer:sentry"))
        #expect(try allow("engine:sentry", "deny").code == 0)
        #expect(try !isAllowed("engine:sentry") && isAllowed("recognizer:sentry"))
        #expect(try allow("other:sentry").code == 69)

        // If only one of the two plugins requests variables, the ID refers to that plugin.
        try home.install("curious", ["ASKED=\"TZ\"", "ID=\"sentry\""])
        #expect(try allow("sentry", "deny").code == 0)
        #expect(try !isAllowed("recognizer:sentry"))
    }

    @Test("Permissions from an earlier version remain valid until the file changes")
    func earlierPermissions() throws {
        let home = try home()
        #expect(try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION").code == 0)
        let file = "config/synthhost/allowed.json"
        let text = String(decoding: try home.data(file), as: UTF8.self)
        let earlier = text.replacing(/"kind":\s*"engine",?/, with: "")
        #expect(earlier != text)
        try home.write(earlier, to: file)
        #expect(try speak(home).contains("north"))
        #expect(try home.run("engines", "deny", "curious").code == 0)
        #expect(try speak(home).contains("It is not there."))
    }

    @Test("Variables that look like secrets are passed only if they are allowed by name")
    func secrets() throws {
        let home = try home("GITHUB_PAT")
        #expect(try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION").code == 0)
        #expect(try speak(home).contains("It is not there."))
        #expect(try home.run("engines", "allow", "curious", "variable:GITHUB_PAT").code == 0)
        #expect(try speak(home).contains("ghp_x"))
    }

    @Test("Variables are allowed one by one, and only if the engine requests them")
    func mistakes() throws {
        let home = try home()
        let several = try home.run("engines", "allow", "curious", "variable", adding: Self.set)
        #expect(
            several.code == 64
                && several.errors.contains("has several requests of this type: variable:CLOUDY_REGION, "),
            "\(several.errors)")
        for word in ["variable:HOME", "variable:OTHER", "variable:", "variable:a b", "CLOUDY_REGION"] {
            let other = try home.run("engines", "allow", "curious", word, adding: Self.set)
            #expect(other.code == 64 && other.errors.contains("does not request \"\(word)\""), "\(other.errors)")
        }
        #expect(!home.exists("config/synthhost/allowed.json"))
    }

    @Test("A recognizer's environment variables follow the same rules as an engine's")
    func recognizer() throws {
        let home = try UserHome()
        try home.install("sentry", ["ASKED=\"CLOUDY_REGION\""])
        func shown() throws -> String { try home.run("engines", "show", "sentry", adding: Self.set).text }
        let remedy = "To allow it, type: synthhost engines allow sentry variable:CLOUDY_REGION\n"
        #expect(try shown().contains("which is set but not allowed\n    \(remedy)"))
        #expect(try home.run("recognizers", adding: Self.set).text.contains(remedy))
        #expect(try home.run("engines", "allow", "sentry", "variable:CLOUDY_REGION").code == 0)
        #expect(try shown().contains("the variable CLOUDY_REGION, which you allow\n"))
    }

    @Test("`validate` passes environment variables to an engine only if they are allowed")
    func validate() throws {
        let home = try home()
        func validated() throws -> String {
            try home.runProcess(
                "engines", "validate", "\(home.plugins)/curious.so", "--include", "speaks-a-short-text",
                adding: Self.set
            ).text
        }
        #expect(try validated().contains("It is not there."))
        #expect(try home.run("engines", "allow", "curious", "variable:CLOUDY_REGION").code == 0)
        #expect(try validated().contains("north"))
    }
}
