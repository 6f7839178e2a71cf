import CommandSupport
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("The config command", .ownThreads)
struct ConfigCommandTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    @Test(
        "Unknown keys and values are rejected",
        arguments: [["get", "rat"], ["set", "rat", "1"], ["set", "rate", "fast"], ["unset", "rat"]])
    func mistakes(words: [String]) throws {
        let run = try home.run(["config"] + words)
        #expect(run.code == 64 && run.output == [])
        #expect(run.errors.hasPrefix("synthhost: ") && run.errors.split(separator: "\n").count == 2, "\(run.errors)")
    }

    @Test("With --json, errors are JSON as well")
    func json() throws {
        let run = try home.run("voices", "--json", "--bogus")
        #expect(run.code == 64 && run.output == [])
        let error = try parse(run.errors)
        #expect(error["event"] as? String == "error" && error["code"] as? Int == 64)
        #expect((error["message"] as? String)?.contains("--bogus") == true)
        #expect((error["remedy"] as? String)?.isEmpty == false)
    }

    @Test("Help is formatted to fit the width of the terminal")
    func help() throws {
        for columns in [60, 100] {
            let help = try home.run("help", "speak", adding: ["COLUMNS": "\(columns)"]).text
            #expect(help.split(separator: "\n").count > 10)
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= max(columns, 80) })
        }
    }

    @Test("Clip paths are stored as absolute paths, with a warning if the file does not exist yet")
    func clips() throws {
        try home.write("x", to: "sounds/chime.wav")
        let chime = home.file("sounds/chime.wav")
        let set = try home.run("config", "set", "clips.chime", chime)
        #expect(set.code == 0 && set.errors == "")
        #expect(try home.run("config", "get", "clips.chime").text == chime + "\n")
        let missing = try home.run("config", "set", "clips.big.bell", "none/bell.wav")
        #expect(missing.code == 0)
        #expect(
            missing.errors
                == "The key was set, but the file \(home.file("config/synthhost"))/none/bell.wav does not exist yet.\n")
        #expect(try home.run("config", "get", "clips.big.bell").text == "none/bell.wav\n")
        let doctor = try home.run("doctor").text
        #expect(
            doctor.contains("the file for the clip \"big.bell\" is missing: ")
                && !doctor.contains("the clip \"chime\""))
        #expect(try home.run("config", "unset", "clips.chime").code == 0)
        #expect(try home.run("config", "get", "clips").text.contains("big.bell"))
        let nameless = try home.run("config", "set", "clips", chime)
        #expect(nameless.code == 64)
        #expect(
            nameless.errors == """
                synthhost: "clips" has a separate path for each clip.
                Include the clip: `synthhost config set clips.NAME FILE`.

                """)
    }
}
