import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("`voices` and `voices choose`", .ownThreads)
struct VoicesChooseTests {
    @Test("Installed and downloadable voices are listed by name, and the default voice is marked")
    func list() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.home.run("models", "pull", "Nature").code == 0)
        #expect(try fixture.home.run("voices", "choose", "Nature").code == 0)
        let shown = try fixture.home.run("voices")
        let nature = shown.lines.first { $0.contains("Nature (British)") }
        #expect(nature?.hasPrefix("*") == true)
        for word in ["en-GB", "female", "grade A", "ready"] { #expect(nature?.contains(word) == true) }
        let brook = shown.lines.first { $0.contains("Brook") }
        #expect(brook?.contains("100 bytes") == true && brook?.contains("not downloaded") == true)
        #expect(!shown.text.contains("Left") && !shown.text.contains("nature_1"))
        #expect(try fixture.home.run("voices", "--all").text.contains("Left"))
        #expect(try fixture.home.run("voices", "--ids").text.contains("nature_1"))
    }

    @Test("A voice and its engine are saved so that `speak` uses them")
    func choose() throws {
        let fixture = try RegistryFixture()
        let chosen = try fixture.home.run("voices", "choose", "low")
        #expect(chosen.code == 0)
        #expect(chosen.errors == "Low is now the default voice.\n")
        #expect(try fixture.configured("engine") == "tone")
        #expect(try fixture.home.run("speak", "hello", "-o", fixture.home.file("a.wav")).code == 0)
        #expect(try fixture.home.run("speak", "-v", "Low", "hello", "-o", fixture.home.file("b.wav")).code == 0)
        #expect(try fixture.home.data("a.wav") == fixture.home.data("b.wav"))
    }

    @Test("With --yes, a missing voice is downloaded and selected; otherwise, nothing changes")
    func notHere() throws {
        let fixture = try RegistryFixture()
        let refused = try fixture.home.run("voices", "choose", "Nature")
        #expect(refused.code == 69)
        #expect(refused.errors.contains("synthhost models pull Nature"))
        #expect(try fixture.configured("voices.tone") == "")
        #expect(try fixture.home.run("voices", "choose").code == 64)
        #expect(try fixture.home.run("voices", "choose", "Nature", "--yes").code == 0)
        #expect(try fixture.configured("voices.tone") == "Nature")
    }

    @Test("At a terminal, a list is offered")
    func pick() throws {
        let fixture = try RegistryFixture()
        let screen = try Screen(columns: 40)
        let process = try fixture.begin("voices", "choose", on: screen)
        try screen.wait(for: "Recommended:")
        let line = try screen.lineNumber(of: "Brook, en-US")
        screen.terminal.type("\(line)\n")
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("\n")
        try screen.wait(for: "Download Brook (100 bytes) now? [Y/n] ")
        screen.terminal.type("\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(try fixture.configured("voices.tone") == "Brook")
    }
}
