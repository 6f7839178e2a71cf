import CommandSupport
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("config", .ownThreads)
struct ConfigCommandTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    @Test(
        "refuses unknown keys and values",
        arguments: [["get", "rat"], ["set", "rat", "1"], ["set", "rate", "fast"], ["unset", "rat"]])
    func mistakes(words: [String]) throws {
        let run = try home.run(["config"] + words)
        #expect(run.code == 64 && run.output == [])
        #expect(run.errors.hasPrefix("synthhost: ") && run.errors.split(separator: "\n").count == 2, "\(run.errors)")
    }

    @Test("prints errors as JSON if results are JSON")
    func json() throws {
        let run = try home.run("voices", "--json", "--bogus")
        #expect(run.code == 64 && run.output == [])
        let error = try parse(run.errors)
        #expect(error["event"] as? String == "error" && error["code"] as? Int == 64)
        #expect((error["message"] as? String)?.contains("--bogus") == true)
        #expect((error["remedy"] as? String)?.isEmpty == false)
    }

    @Test("help is as wide as the terminal")
    func help() throws {
        for columns in [60, 100] {
            let help = try home.run("help", "speak", adding: ["COLUMNS": "\(columns)"]).text
            #expect(help.split(separator: "\n").count > 10)
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= max(columns, 80) })
        }
    }
}
