import Foundation
import Testing
import TestSupport

@Suite("engines validate --fuzz", .ownThreads)
struct FuzzTests {
    @Test("A crash caused by text is found, and the printed command reproduces it")
    func findsPlantedCrash() throws {
        let engine = try FixtureEngine("FUZZ_CRASH")
        let run = try Validate.run(engine, "--fuzz", "--seed", "1", "--duration", "1h")
        #expect(run.code == 70, "\(run.text)")
        let line = try #require(run.text.split(separator: "\n").last)
        let command = try #require(line.split(separator: ": ").last)
        #expect(command.hasPrefix("synthhost engines validate \(engine.path) --reproduce "))

        // Skip "synthhost engines validate".
        let words = command.split(separator: " ").dropFirst(3).map(String.init)
        let again = try Validate.run(words)
        #expect(again.code == 70)
        #expect(again.text == run.text)
    }

    @Test("Fuzzing a correct engine runs for the specified time and finds no violations")
    func good() throws {
        let run = try Validate.run(try FixtureEngine(), "--fuzz", "--seed", "5", "--duration", "1s", "--json")
        #expect(run.code == 0, "\(run.text)")
        let outcome = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any]
        #expect(outcome?["verdict"] as? String == "passed")
        #expect(outcome?["requests"] as? Int ?? 0 >= 1)
    }

    @Test("A violation, such as a NaN sample, is found")
    func brokenRule() throws {
        let run = try Validate.run(try FixtureEngine("NAN"), "--fuzz", "--seed", "3", "--duration", "1h")
        #expect(run.code == 1)
        #expect(run.text.contains("not a finite number"))
    }

    @Test("An engine whose files are missing is not fuzzed, and the error names the files")
    func withoutFiles() throws {
        let run = try Validate.run(try FixtureEngine(hasFiles: true), "--fuzz")
        #expect(run.code == 69)
        #expect(run.errors.contains("--file weights=PATH"))
    }
}
