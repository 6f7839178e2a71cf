import CommandSupport
import Foundation
import SynthSystem
import Testing
import TestSupport

/// An engine process creates files and folders whose names contain escape sequences, line breaks or invalid UTF-8.
@Suite("Names that an engine creates in its cache", .ownThreads)
struct CacheNamesTests {
    private static let cache = "cache/synthhost/engine/hoarder"

    /// Checks that the output is valid UTF-8 without control characters, and that no line looks like one of the
    /// program's own messages.
    private func check(_ output: [UInt8], _ sourceLocation: SourceLocation = #_sourceLocation) {
        guard let text = String(validating: output, as: UTF8.self) else {
            Issue.record("The output is not valid UTF-8: \(output)", sourceLocation: sourceLocation)
            return
        }
        // At a terminal, line breaks include a carriage return.
        let lines = text.split { $0 == "\n" || $0 == "\r\n" }
        for line in lines {
            #expect(!line.unicodeScalars.contains { $0.steersTerminal }, "\(line)", sourceLocation: sourceLocation)
            #expect(!line.hasPrefix("synthhost: forged"), "\(line)", sourceLocation: sourceLocation)
        }
    }

    private func check(_ result: ChildResult, _ sourceLocation: SourceLocation = #_sourceLocation) {
        check(result.output, sourceLocation)
        check(Array(result.errors.utf8), sourceLocation)
    }

    private func home(_ choices: String...) throws -> UserHome {
        let home = try UserHome()
        try home.install("hoarder", ["NAMES"] + choices)
        let spoken = try home.run("speak", "-e", "hoarder", "Hello", "-o", home.file("x.wav"))
        #expect(spoken.code == (choices.isEmpty ? 0 : 1), "\(spoken)")
        check(spoken)
        return home
    }

    @Test(
        "Names are shown without control characters, both at a terminal and in a pipe, and all of the files are removed"
    )
    func prune() throws {
        let home = try home()
        let screen = try Screen()
        let shown = try screen.finish(
            home.begin(["models", "prune", "--dry-run"], on: screen.terminal, showsOutput: true))
        #expect(shown.code == 0 && screen.text.contains("forged.unfinished-4194305-0: "), "\(screen.text)")
        check(Array(screen.text.utf8))
        let json = try home.run("models", "prune", "--dry-run", "--json")
        check(json)
        let pruned = try home.run("models", "prune")
        check(pruned)
        // Two of the six names are not valid UTF-8, so the purpose of these folders is unknown.
        #expect(pruned.code == 0 && pruned.lines.count == 4, "\(pruned)")
        #expect(pruned.errors.contains("8.0 kB was freed."), "\(pruned.errors)")
        #expect(try home.run("models", "prune").errors.contains("All files are needed."))

        try FileManager.default.removeItem(atPath: "\(home.plugins)/hoarder.so")
        let whole = try home.run("models", "prune")
        #expect(
            whole.code == 0 && whole.text.contains("engine/hoarder: its engine is not installed, 4.0 kB"), "\(whole)")
        #expect(!home.exists(Self.cache))
    }

    @Test(
        "Names in an engine's messages are shown without control characters",
        arguments: [
            ["doctor"], ["doctor", "--json"], ["engines", "show", "hoarder"], ["engines", "list", "--rescan"],
            ["models", "list"], ["speak", "-e", "hoarder", "Hello"],
        ])
    func said(words: [String]) throws {
        let home = try home("REFUSE")
        #expect(try home.run("config", "set", "engine", "hoarder").code == 0)
        let result = try home.run(words)
        check(result)
        let says = words[0] == "doctor" || words[0] == "speak"
        #expect((result.text + result.errors).contains("forged") == says, "\(result)")
        let screen = try Screen(columns: 200)
        _ = try screen.finish(home.begin(words, on: screen.terminal, showsOutput: true))
        check(Array(screen.text.utf8))
    }

    @Test("`engines validate` creates a separate cache for each check and leaves no files behind")
    func validate() throws {
        let home = try UserHome()
        try home.install("hoarder", ["NAMES"])
        try FileManager.default.createDirectory(atPath: home.file("tmp"), withIntermediateDirectories: false)
        let validated = try home.runProcess(
            "engines", "validate", "\(home.plugins)/hoarder.so", adding: ["TMPDIR": home.file("tmp")])
        check(validated)
        #expect(validated.text.contains("passed   writes-only-to-cache "), "\(validated)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("tmp")).isEmpty)
    }
}
