import Foundation
import Testing
import TestSupport

@Suite("engines validate for recognizers", .ownThreads)
struct ValidateRecognizerTests {
    struct Outcome: Decodable {
        struct Identity: Decodable { let id: String }
        struct Result: Decodable { let id, kind, verdict: String }
        let engine, recognizer: Identity?
        let checks: [Result]
        let totals: [String: Int]
    }

    private func run(_ recognizer: FixtureRecognizer, _ arguments: String...) throws -> ChildResult {
        try withExtendedLifetime(recognizer) { try Validate.run([recognizer.path] + arguments) }
    }

    @Test("The file's contents determine which checks run, and a summary ends the output")
    func recognizer() throws {
        let run = try run(
            try FixtureRecognizer("BLANK"), "--include", "^(exports|texts-are|speaks|long-word)", "--voice", "two")
        #expect(run.code == 1)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 3, "\(run.text)")
        #expect(lines[0].hasPrefix("passed   exports-only-entry"))
        #expect(
            lines[1].hasPrefix("failed   texts-are-valid")
                && lines[1].contains("\"número 1 \", with a leading or trailing space."))
        #expect(lines[2] == "Counted 1.2.3: passed 1, warning 0, failed 1, crashed 0, skipped 0")
        let unknown = try self.run(try FixtureRecognizer(), "--include", "^understands", "--voice", "three")
        #expect(unknown.text.contains("It has no model with the ID three."))
    }

    @Test("A file that contains an engine and a recognizer is checked as both")
    func both() throws {
        let both = try FixtureRecognizer(compiling: ["Plugins/Tone/tone.c", "Plugins/Scripted/scripted.c"])
        let run = try run(both, "--json", "--include", "^(exports|table-is-complete|speaks|understands|begin-)")
        #expect(run.code == 0, "\(run)")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(run.text.utf8))
        #expect(outcome.engine?.id == "tone" && outcome.recognizer?.id == "scripted")
        #expect(outcome.totals["passed"] == 7 && outcome.checks.count == 7)
        #expect(
            outcome.checks.filter { $0.kind == "recognizer" }.map(\.id)
                == ["exports-only-entry", "table-is-complete", "understands-a-short-sound"])
    }

    @Test("If a file contains an engine and a recognizer, --voice applies to one, and the other uses its first entry")
    func voiceOfBoth() throws {
        let both = try FixtureRecognizer(compiling: ["Plugins/Tone/tone.c", "Tests/Fixtures/Checks/recognizer.c"])
        for id in ["two", "low"] {
            let run = try run(both, "--include", "^(table-is-c|speaks|understands)", "--voice", id)
            let summaries = run.text.split(separator: "\n").filter { $0.contains(": passed ") }
            let good = "passed 2, warning 0, failed 0, crashed 0, skipped 0"
            #expect(summaries == ["Tone 1.0: \(good)", "Counted 1.2.3: \(good)"], "\(run.text)")
        }
        let none = try run(both, "--include", "^(speaks|understands)", "--voice", "three")
        #expect(none.text.contains("It has no model with the ID three."), "\(none.text)")
    }

    @Test("If a file contains an engine and a recognizer, --fuzz skips the one whose files are missing")
    func fuzzOfBoth() throws {
        let both = try FixtureRecognizer(
            compiling: ["Plugins/Tone/tone.c", "Tests/Fixtures/Checks/recognizer.c"], ["-DFILES"])
        let run = try run(both, "--reproduce", "5")
        #expect(run.code == 0 && run.text.hasPrefix("passed: random requests: "), "\(run)")
    }

    @Test("--fuzz finds a crash caused by hints, and the printed command reproduces it")
    func findsPlantedCrash() throws {
        let recognizer = try FixtureRecognizer("FUZZ_CRASH")
        let found = try run(recognizer, "--fuzz", "--seed", "1", "--duration", "1h")
        #expect(found.code == 70, "\(found.text)")
        #expect(found.text.contains("It crashed (SIGABRT) while transcribing random audio"), "\(found.text)")
        let line = try #require(found.text.split(separator: "\n").last)
        let command = try #require(line.split(separator: ": ").last)
        // Skip "synthhost engines validate".
        let again = try withExtendedLifetime(recognizer) {
            try Validate.run(command.split(separator: " ").dropFirst(3).map(String.init))
        }
        #expect(again.code == 70 && again.text == found.text)
    }

    @Test("--fuzz finds no violations in a correct recognizer and finds the violation in a faulty one")
    func fuzz() throws {
        let good = try run(try FixtureRecognizer(), "--fuzz", "--seed", "5", "--duration", "1s")
        #expect(good.code == 0 && good.text.hasPrefix("passed: random requests: "), "\(good.text)")
        let broken = try run(try FixtureRecognizer("BEYOND"), "--fuzz", "--seed", "3", "--duration", "1h")
        #expect(broken.code == 1 && broken.text.contains("but had read only"), "\(broken.text)")
    }
}
