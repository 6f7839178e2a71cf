import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Download progress", .ownThreads)
struct ModelsProgressTests {
    /// A server that sends a few bytes every 100 ms, so that a download takes minutes and progress is shown.
    private func slowFixture() throws -> RegistryFixture {
        let file = RegistryFixture.pitch(330, size: 1_000_000)
        return try RegistryFixture(nature: file) { request, _ in
            guard request.path == "/nature.pitch" else { return nil }
            var answer = LoopbackServer.Answer(file, to: request)
            answer.limit = 300_000
            answer.end = .trickle
            answer.piece = 200
            return answer
        }
    }

    @Test(
        "Progress is shown on a single line that fits the terminal, and it never decreases",
        arguments: [(80, nil), (40, nil), (80, "1")] as [(UInt16, String?)])
    func live(columns: UInt16, noColor: String?) throws {
        let fixture = try slowFixture()
        let screen = try Screen(columns: columns)
        let process = try fixture.begin("models", "pull", "Nature", on: screen, adding: ["NO_COLOR": noColor])
        try screen.wait(for: columns == 80 ? "left" : "%")
        for _ in 0..<3 { try screen.wait(for: "\r") }
        process.interrupt()
        #expect(try screen.finish(process).code == 130)
        let lines = screen.drawn.filter { $0.contains("%") }
        #expect(lines.allSatisfy { $0.count < Int(columns) }, "\(lines)")
        #expect(lines.allSatisfy { $0.hasPrefix("Downloading Nat") })
        let percentages = lines.compactMap { line in
            line.split(separator: " ").first { $0.hasSuffix("%") }.flatMap { Int($0.dropLast()) }
        }
        #expect(!percentages.isEmpty)
        #expect(percentages == percentages.sorted())
        if columns == 80 { #expect(lines.contains { $0.contains("of 1.0 MB") && $0.contains("left") }, "\(lines)") }
        if noColor != nil { #expect(!screen.text.contains("\u{1B}[3")) }
    }

    @Test(
        "On a terminal that cannot or should not redraw lines, progress is shown as plain lines",
        arguments: [
            (["models", "pull", "Nature"], ["TERM": "dumb"]),
            (["models", "pull", "Nature"], ["SYNTHHOST_PLAIN": "1"]),
            (["models", "pull", "Nature", "--plain"], [:]), (["--plain", "models", "pull", "Nature"], [:]),
        ] as [([String], [String: String])])
    func dumb(arguments: [String], variables: [String: String]) throws {
        let fixture = try slowFixture()
        let screen = try Screen()
        let process = try fixture.begin(arguments, on: screen, adding: variables)
        try screen.wait(for: "%")
        process.interrupt()
        #expect(try screen.finish(process).code == 130)
        #expect(!screen.text.contains("\u{1B}"))
        #expect(!screen.text.replacing("\r\n", with: "").contains("\r"))
    }

    @Test("Progress is written to a file as plain lines unless --quiet is given")
    func plain() throws {
        let fixture = try slowFixture()
        let process = try fixture.home.begin(["models", "pull", "Nature"])
        try process.waitForErrors("%")
        process.interrupt()
        let stopped = try process.finish()
        #expect(stopped.code == 130)
        #expect(!stopped.errors.contains("\u{1B}") && !stopped.errors.contains("\r"))
        #expect(stopped.output.isEmpty)
        let quiet = try fixture.home.run("models", "pull", "Brook", "--quiet")
        #expect(quiet.code == 0)
        #expect(quiet.errors.isEmpty)
    }

    @Test("With --json, progress is a series of events")
    func events() throws {
        let fixture = try RegistryFixture()
        let pulled = try fixture.home.run("models", "pull", "Nature", "--json")
        #expect(pulled.code == 0)
        let events = try pulled.errors.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(events.first?["event"] as? String == "begin")
        #expect(events.contains { $0["event"] as? String == "end" })
    }
}
