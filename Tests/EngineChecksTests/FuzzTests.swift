import Foundation
import Testing
import TestSupport

@Suite("synthhost engines validate --fuzz", .ownThreads)
struct FuzzTests {
    @Test("finds a crash that a text causes, and the command that it prints reproduces it")
    func findsPlantedCrash() throws {
        let engine = try FixtureEngine("FUZZ_CRASH")
        let run = try Command.validate(engine, "--fuzz", "--seed", "1", "--duration", "2m")
        #expect(run.status == 70, "\(run.output)")
        let line = try #require(run.output.split(separator: "\n").last)
        let command = try #require(line.split(separator: ": ").last)
        #expect(command.hasPrefix("synthhost engines validate \(engine.path) --reproduce "))

        let words = command.split(separator: " ").dropFirst().map(String.init)
        let again = try Command.run(Command.program, words)
        #expect(again.status == 70)
        #expect(again.output == run.output)
    }

    @Test("runs for the given time, and finds nothing in a good engine")
    func good() throws {
        let run = try Command.validate(try FixtureEngine(), "--fuzz", "--seed", "5", "--duration", "1s", "--json")
        #expect(run.status == 0, "\(run.output)")
        let outcome = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(outcome?["verdict"] as? String == "passed")
        #expect(outcome?["requests"] as? Int ?? 0 >= 40)
    }

    @Test("also finds a violated rule, such as a sample that is not a number")
    func brokenRule() throws {
        let run = try Command.validate(try FixtureEngine("NAN"), "--fuzz", "--seed", "3", "--duration", "2m")
        #expect(run.status == 1)
        #expect(run.output.contains("not a number"))
    }

    @Test("names the files that an engine needs")
    func withoutFiles() throws {
        let run = try Command.validate(try FixtureEngine(hasFiles: true), "--fuzz")
        #expect(run.status == 69)
        #expect(run.errors.contains("--file weights=PATH"))
    }
}
