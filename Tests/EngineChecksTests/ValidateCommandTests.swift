import Foundation
import SynthEngineProcesses
import Testing
import TestSupport

@Suite("engines validate", .ownThreads)
struct ValidateCommandTests {
    struct Outcome: Decodable {
        struct Engine: Decodable { let id, name, version: String }
        struct Result: Decodable { let id, verdict, detail: String; let measurements: [Figure] }
        struct Figure: Decodable { let name: String; let value: Double; let unit: String }
        let file: String
        let engine: Engine?
        let checks: [Result]
        let totals: [String: Int]
    }

    @Test("--list prints all checks with their descriptions and needs no engine")
    func list() throws {
        let run = try Validate.run("--list")
        #expect(run.code == 0)
        for check in Check.allCases { #expect(run.text.contains("\(check.rawValue) ")) }
        #expect(run.text.split(separator: "\n").count == Check.allCases.count + 1)
    }

    @Test("--include and --exclude select checks by regular expression")
    func choice() throws {
        let run = try Validate.run("--list", "--include", "^cancel|word$", "--exclude", "quick")
        let names = run.text.split(separator: "\n").dropFirst().map { $0.split(separator: " ")[0] }
        #expect(names == ["long-word", "cancel-from-another-thread"])
    }

    @Test("For a correct engine, the output consists of one line per check and a summary, and the exit code is 0")
    func good() throws {
        let engine = try FixtureEngine()
        let run = try Validate.run(engine, "--include", "^(fields-are-valid|long-word)$")
        #expect(run.code == 0)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("passed   fields-are-valid"))
        #expect(lines[1].hasPrefix("passed   long-word"))
        #expect(lines[2] == "Checked 1.2.3: passed 2, warning 0, failed 0, crashed 0, skipped 0")
    }

    @Test(
        "--json prints a single object with verdicts and measurements to standard output",
        .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory."))
    func json() throws {
        let engine = try FixtureEngine()
        let run = try Validate.run(engine, "--json", "--include", "short-text|cancel-is-quick|utterances|lanes")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(run.text.utf8))
        #expect(outcome.file == engine.path)
        #expect(outcome.engine?.id == "checked")
        #expect(Set(outcome.totals.keys) == ["passed", "warning", "failed", "crashed", "skipped"])
        #expect(outcome.totals.values.reduce(0, +) == 4 && outcome.checks.count == 4)
        // On a busy machine, cancellation may take longer, so its check is ignored.
        for check in outcome.checks where check.id != "cancel-is-quick" {
            #expect(check.verdict == "passed", "\(check.id): \(check.detail)")
        }
        let names = Set(outcome.checks.flatMap(\.measurements).map(\.name))
        #expect(names.isSuperset(of: ["first audio", "cancel p50", "cancel p99", "heap growth", "lanes"]))
    }

    @Test(
        "The exit code is 0 for a warning, 1 for a failed check, and 70 for a crash",
        arguments: [("LOUD", 0), ("SILENT", 1), ("CRASH", 70)])
    func exitCodes(fault: String, code: Int32) throws {
        let engine = try FixtureEngine(fault)
        let run = try Validate.run(engine, "--only-failed", "--include", "sound-is-sane|strange-texts")
        #expect(run.code == code)
        #expect(run.text.split(separator: "\n").count == 2, "\(run.text)")
        // If a check takes long, its progress is shown.
        #expect(Sanitizer.isThread || run.errors.isEmpty)
    }

    @Test("The crash report names the signal and states what the engine was doing")
    func crash() throws {
        let run = try Validate.run(try FixtureEngine("CRASH"), "--include", "strange-texts")
        #expect(run.text.contains("It crashed (SIGABRT) while speaking \""), "\(run.text)")
    }

    @Test("--limit stops a check that hangs, and a hang is treated as a crash")
    func hang() throws {
        let run = try Validate.run(try FixtureEngine("HANG"), "--include", "long-word", "--limit", "300ms")
        #expect(run.code == 70)
        #expect(run.text.contains("It hung"), "\(run.text)")
    }

    @Test("--file assigns files to roles, with paths relative to the working directory")
    func files() throws {
        let engine = try FixtureEngine(hasFiles: true)
        let run = try ChildProcess.run(
            "/bin/sh",
            [
                "-c",
                "cd '\(engine.folder.path)' && '\(BuildFolder.withoutNeuralEngines)/synthhost' engines validate engine.so --include short-text "
                    + "--file weights=weights --file style=./style --limit 10m",
            ])
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        #expect(run.text.contains("passed   speaks-a-short-text"))
    }

    @Test(
        "An invalid command line is rejected with exit code 64",
        arguments: [
            ["--include", "("], ["--fuzz", "--include", "x"], ["--seed", "1"], ["--limit", "5"], ["--file", "weights"],
            ["--reproduce", "-1"], [],
        ])
    func usage(options: [String]) throws {
        let run = try Validate.run((options.isEmpty ? [] : ["engine.so"]) + options)
        #expect(run.code == 64, "\(run.errors)")
        #expect(run.text.isEmpty)
    }

    @Test("If the engine file does not exist, the exit code is 66")
    func missing() throws {
        #expect(try Validate.run("/nowhere/engine.so").code == 66)
    }
}
