import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Speech progress", .ownThreads)
struct ProgressTests {
    /// The engine takes most of a second per sentence.
    private static let text = String(repeating: "Some words here. ", count: 36)

    @Test("For a long file, a live line shows the percentage and the time remaining and is cleared at the end")
    func live() throws {
        let home = try UserHome()
        try home.install("reed")
        let terminal = try Screen(columns: 200)
        let process = try home.begin(
            ["speak", "-v", "Slow", "-o", home.file("x.wav"), Self.text], on: terminal.terminal)
        #expect(try terminal.finish(process).code == 0)
        let screen = terminal.text
        let lines = screen.split(separator: "\r").map(String.init)
        #expect(lines.contains { $0.contains("Writing \(home.file("x.wav"))") })
        let shares = lines.compactMap { line in
            line.split(separator: " ").first { $0.hasSuffix("%") }.flatMap { Int($0.dropLast()) }
        }
        #expect(shares.count > 3 && shares == shares.sorted())
        #expect(lines.contains { $0.contains("s left") })
        // There is only one line, and nothing scrolls until it is cleared.
        let cleared = try #require(screen.range(of: "\r\u{1B}[K", options: .backwards))
        #expect(!screen[..<cleared.lowerBound].contains("\n"))
        #expect(screen[cleared.upperBound...].hasPrefix("Wrote \(home.file("x.wav"))"))
    }

    @Test("Progress is written as plain lines to a file, as JSON with --json, and not at all with -q")
    func forms() throws {
        let home = try UserHome()
        try home.install("reed")
        let text = String(repeating: "Some words. ", count: 4)
        let plain = try home.begin(["speak", "-v", "Slow", "-o", home.file("x.wav"), text]).finish()
        #expect(plain.code == 0 && plain.output == [])
        #expect(!plain.errors.contains("\u{1B}") && !plain.errors.contains("\r"))
        #expect(plain.errors.contains("Writing ") && plain.errors.hasSuffix("of speech.\n"))

        let quiet = try home.run("speak", "-v", "Slow", "-q", "-o", home.file("x.wav"), text)
        #expect(quiet.code == 0 && quiet.output == [] && quiet.errors == "")

        let machine = try home.begin(["speak", "-v", "Slow", "--json", "-o", home.file("x.wav"), text]).finish()
        #expect(machine.code == 0 && machine.lines.count == 1)
        let result = try parse(machine.text)
        #expect(result["engine"] as? String == "reed" && result["voice"] as? String == "slow")
        #expect(result["output"] as? String == home.file("x.wav"))
        #expect(result["frames"] as? Int == (try home.wav("x.wav").frames))
        #expect(result["cancelled"] as? Bool == false)
        let events = try machine.errors.split(separator: "\n").map { try parse(String($0)) }
        #expect(events.contains { $0["event"] as? String == "progress" && $0["fraction"] as? Double ?? 0 > 0.4 })
    }
}
