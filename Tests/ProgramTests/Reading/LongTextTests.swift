import CommandSupport
import Foundation
import SynthSystem
import Testing
import TestSupport

/// Playback of a long text starts before the entire text has been loaded.
@Suite("Reading a long text", .ownThreads)
struct LongTextTests {
    /// Paragraphs of two sentences, numbered from 1. Together, they are longer than the part that is read first.
    private static let paragraphs = (1...2400).map { number in
        let rest = "and it is followed by some more words, so that the text becomes long"
        return "Paragraph \(number) starts here, \(rest). Paragraph \(number) ends here."
    }

    /// Repeats a search until the text has been loaded far enough for it to succeed.
    private func search(_ words: String, _ terminal: DrawnTerminal) throws {
        for _ in 0..<500 {
            terminal.type("/\(words)\r")
            let lines = try terminal.wait(for: "the result") { lines in
                lines.contains {
                    $0.contains("The text is still being loaded.") || $0.contains("Press n to find the next match.")
                }
            }
            if lines.contains(where: { $0.contains("Press n to find the next match.") }) { return }
            terminal.type("\u{1B}[A")
            try terminal.wait(for: "no note") { lines in
                !lines.contains { $0.contains("The text is still being loaded.") }
            }
        }
        throw Errno(ETIMEDOUT)
    }

    @Test("Every sentence is read once and in order", arguments: ["long.txt", "long.md"])
    func complete(name: String) throws {
        let home = try UserHome()
        try home.write(Self.paragraphs.joined(separator: "\n\n"), to: name)
        let result = try home.run("read", "-e", "tone", "-q", home.file(name), devices: .silent)
        #expect(result.code == 0, "\(result.errors)")
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        let ends = Self.paragraphs.flatMap { $0.split(separator: ". ").map { $0.suffix(20) } }
        let wrong = zip(lines, ends).first { !$0.hasSuffix($1) && !$0.dropLast().hasSuffix($1) }
        #expect(lines.count == 2 * Self.paragraphs.count && wrong == nil, "\(lines.count) \(String(describing: wrong))")
    }

    @Test("A position is restored both near the start of the text and near its end", arguments: [2, 2390])
    func remembered(number: Int) throws {
        let home = try UserHome()
        try home.write(Self.paragraphs.joined(separator: "\n\n"), to: "long.txt")
        var words = ["read", "-e", "tone", home.file("long.txt")]
        for isAgain in [false, true] {
            let (terminal, speaker) = (try DrawnTerminal(), SteppedSpeaker())
            let command = try home.begin(words, on: terminal.terminal, showsOutput: true, devices: speaker.devices)
            if isAgain {
                try terminal.wait(for: "Resumed where you left off.")
                try terminal.wait(for: " Paragraph \(number) starts here")
            } else {
                try speaker.play(until: "Speaking | ", on: terminal)
                try search("paragraph 2400 ends", terminal)
                try search("paragraph \(number) starts", terminal)
                terminal.type("b")
                try terminal.wait(for: "Bookmark set.")
            }
            terminal.type("q")
            while !command.hasEnded { _ = terminal.lines }
            #expect(try command.finish().code == 0)
            // The position is also restored after the file has been moved.
            try? FileManager.default.moveItem(atPath: home.file("long.txt"), toPath: home.file("moved.txt"))
            words[3] = home.file("moved.txt")
        }
    }

    @Test(
        "If saving is stopped or the user quits the reader in the meantime, the audio saved so far is kept",
        arguments: ["\u{1B}", "qq"])
    func saved(keys: String) throws {
        let home = try UserHome()
        try home.write(Self.paragraphs.joined(separator: "\n\n"), to: "long.txt")
        let (terminal, speaker) = (try DrawnTerminal(), SteppedSpeaker())
        let command = try home.begin(
            ["read", "-e", "tone", home.file("long.txt")], on: terminal.terminal, showsOutput: true,
            devices: speaker.devices)
        try speaker.play(until: "Speaking | ", on: terminal)
        terminal.type("o")
        try terminal.wait(for: "Save the remaining text as: ")
        terminal.type("\u{15}\(home.file("rest.wav"))\r")
        try terminal.wait(for: "some audio") { lines in
            lines.contains { $0.contains(" | saving ") && !$0.contains(" | saving 0%") }
        }
        // Progress arrives continuously and must not delay the Escape key.
        terminal.type(keys)
        if keys == "qq" {
            while !command.hasEnded { _ = terminal.lines }
        } else {
            try terminal.wait(for: "Saving was stopped; the audio saved so far is kept.")
            terminal.type("q")
            while !command.hasEnded { _ = terminal.lines }
        }
        #expect(try command.finish().code == 0)
        #expect(home.exists("rest (stopped).wav") && !home.exists("rest.wav"))
        #expect(try home.wav("rest (stopped).wav").frames > 0)
    }

    @Test("If the end of a file changes how its beginning is interpreted, the reader uses the final interpretation")
    func reinterpreted() throws {
        let home = try UserHome()
        let beginning = ["See [the manual] first."] + Self.paragraphs
        try home.write((beginning + ["[the manual]: https://example.org"]).joined(separator: "\n\n"), to: "long.md")
        let (terminal, speaker) = (try DrawnTerminal(), SteppedSpeaker())
        let command = try home.begin(
            ["read", "-e", "tone", home.file("long.md")], on: terminal.terminal, showsOutput: true,
            devices: speaker.devices)
        try terminal.wait(for: " See the manual first.")
        try speaker.play(until: "Speaking | ", on: terminal)
        terminal.type(" ")
        try terminal.wait(for: "Paused | ")
        try search("paragraph 2400 ends", terminal)
        #expect(!terminal.lines.contains { $0.contains("manual") })
        terminal.type("q")
        while !command.hasEnded { _ = terminal.lines }
        #expect(try command.finish().code == 0)
    }
}
