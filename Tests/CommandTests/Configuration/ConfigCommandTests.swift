import Testing
import TestSupport

@testable import synthhost_cli

@Suite("config", .ownThreads)
struct ConfigCommandTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    @Test("sets, gets, shows and unsets a key")
    func round() throws {
        #expect(ProgramRun("config", "path", home: home).output == home.file("config/synthhost/config.json") + "\n")
        #expect(ProgramRun("config", "get", "rate", home: home).output == "1\n")
        let set = ProgramRun("config", "set", "rate", "150%", home: home)
        #expect(set.code == 0 && set.output == "" && set.errors == "")
        #expect(ProgramRun("config", "get", "rate", home: home).output == "1.5\n")
        let shown = ProgramRun("config", "show", home: home).output
        #expect(
            shown.split(separator: "\n").contains { $0.hasPrefix("rate ") && $0.contains("1.5") && $0.contains("yes") })
        #expect(ProgramRun("config", "unset", "rate", home: home).code == 0)
        #expect(ProgramRun("config", "get", "rate", home: home).output == "1\n")
        #expect(ProgramRun("config", "unset", "rate", home: home).errors == "rate was not set.\n")
    }

    @Test(
        "refuses what it does not know",
        arguments: [["get", "rat"], ["set", "rat", "1"], ["set", "rate", "fast"], ["unset", "rat"]])
    func mistakes(words: [String]) {
        let run =
            switch words.count {
            case 2: ProgramRun("config", words[0], words[1], home: home)
            default: ProgramRun("config", words[0], words[1], words[2], home: home)
            }
        #expect(run.code == 64 && run.output == "")
        #expect(run.errors.hasPrefix("synthhost: ") && run.errors.split(separator: "\n").count == 2, "\(run.errors)")
    }

    @Test("tells errors as JSON where results are")
    func json() throws {
        let run = ProgramRun("voices", "--json", "--bogus", home: home)
        #expect(run.code == 64 && run.output == "")
        let error = try parse(run.errors)
        #expect(error["event"] as? String == "error" && error["code"] as? Int == 64)
        #expect((error["message"] as? String)?.contains("--bogus") == true)
        #expect((error["remedy"] as? String)?.isEmpty == false)
    }

    @Test("help is as wide as the terminal")
    func help() {
        for columns in [60, 100] {
            let help = ProgramRun("help", "speak", home: home, columns: columns).output
            #expect(help.split(separator: "\n").count > 10)
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= max(columns, 80) })
        }
    }
}
