import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("The reader's input", .ownThreads)
struct ReadDocumentsTests {
    @Test(
        "If a file changes or disappears while it is open, its original text is read to the end",
        arguments: [true, false])
    func changed(disappears: Bool) throws {
        let home = try UserHome()
        try home.write("One is old. Two is old. Three is old.", to: "a.txt")
        let (terminal, speaker) = (try DrawnTerminal(), SteppedSpeaker())
        let command = try home.begin(
            ["read", "-e", "tone", home.file("a.txt")], on: terminal.terminal, showsOutput: true,
            devices: speaker.devices)
        try terminal.wait(for: "One is old.")
        if disappears {
            try FileManager.default.removeItem(atPath: home.file("a.txt"))
        } else {
            try home.write("All of it is new.", to: "a.txt")
        }
        for _ in 0..<2000 where !terminal.lines.contains(where: { $0.contains("Finished | 100%") }) {
            speaker.play(2000, within: .milliseconds(20))
        }
        try terminal.wait(for: "Finished | 100%", within: .zero)
        #expect(terminal.lines.contains(" One is old. Two is old. Three is old."))
        terminal.type("q")
        while !command.hasEnded { _ = terminal.lines }
        #expect(try command.finish().code == 0)
    }

    @Test("A damaged document is reported as an input error", arguments: ["book.epub", "paper.pdf", "letter.docx"])
    func damaged(name: String) throws {
        let home = try UserHome()
        try home.write(name.hasSuffix("pdf") ? "%PDF-1.4 cut" : "PK\u{3}\u{4} cut", to: name)
        let result = try home.run("read", "-e", "tone", home.file(name), devices: .silent)
        #expect(result.code == 66 && result.output.isEmpty, "\(result.errors)")
        #expect(result.errors.contains(name))
    }

    @Test("Markdown and HTML are read without the markup")
    func markup() throws {
        let home = try UserHome()
        try home.write("# Titel\n\nEin *schöner* [Satz](https://example.org).\n", to: "a.md")
        try home.write("<h1>Titel</h1><p>Ein <em>schöner</em> <a href=\"x\">Satz</a>.</p>", to: "a.html")
        for name in ["a.md", "a.html"] {
            let result = try home.run("read", "-q", "-e", "tone", home.file(name), devices: .silent)
            #expect(String(decoding: result.output, as: UTF8.self) == "Titel\nEin schöner Satz.\n", "\(result.errors)")
        }
    }

    @Test("The error for a URL shows how to download the page and pipe it to the reader")
    func address() throws {
        let result = try UserHome().run("read", "https://example.org/a.html", devices: .silent)
        #expect(result.code == 66)
        #expect(result.errors.contains("curl -L https://example.org/a.html | synthhost read"), "\(result.errors)")
    }

    // MARK: - The desktop

    @Test(
        "If the program that retrieves the selected text is missing, the error names its package",
        arguments: [true, false])
    func selection(isWayland: Bool) throws {
        let home = try UserHome()
        let name = isWayland ? "WAYLAND_DISPLAY" : "DISPLAY"
        let result = try home.run(
            "read", "--selection", adding: [name: ":7", "PATH": home.file("bin")], devices: .silent)
        #expect(result.code == 69)
        #expect(result.errors.contains("sudo apt install \(isWayland ? "wl-clipboard" : "xclip")"))
        let none = try home.run(
            "read", "--clipboard", adding: ["DISPLAY": nil, "WAYLAND_DISPLAY": nil], devices: .silent)
        #expect(none.code == 69 && none.errors.contains("Cannot read the clipboard:"))
    }

    @Test("The selected text is obtained from a program, and an empty selection causes an error")
    func selected() throws {
        let home = try UserHome()
        try home.write(
            "#!/bin/sh\necho \"$@\" >> \(home.file("words"))\nprintf 'A selected sentence.'\n", to: "bin/xclip")
        chmod(home.file("bin/xclip"), 0o755)
        let variables: [String: String?] = ["DISPLAY": ":7", "PATH": "\(home.file("bin")):/usr/bin:/bin"]
        let began = ContinuousClock.now
        let result = try home.run("read", "-q", "-e", "tone", "--selection", adding: variables, devices: .silent)
        #expect(result.code == 0, "\(result.errors)")
        // Reading ends when the program exits, not when the ten-second time limit expires.
        #expect(ContinuousClock.now - began < .seconds(9))
        #expect(String(decoding: result.output, as: UTF8.self) == "A selected sentence.\n")
        #expect(String(decoding: try home.data("words"), as: UTF8.self) == "-out -selection primary\n")
        try home.write("#!/bin/sh\nexit 1\n", to: "bin/xclip")
        let none = try home.run("read", "-q", "-e", "tone", "--selection", adding: variables, devices: .silent)
        #expect(none.code == 66 && none.errors.contains("Nothing is selected."))
    }

    @Test("If Wayland provides no selection, X11 is tried; if neither responds, the error explains what to do")
    func silent() throws {
        let home = try UserHome()
        func program(_ name: String, _ script: String) throws {
            try home.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
            chmod(home.file("bin/\(name)"), 0o755)
        }
        try program("wl-paste", "exec sleep 60")
        var variables: [String: String?] = [
            "WAYLAND_DISPLAY": "wayland-7", "DISPLAY": ":7", "PATH": "\(home.file("bin")):/usr/bin:/bin",
        ]
        try program("xclip", "printf 'Selected elsewhere.'")
        let found = try home.run("read", "-q", "-e", "tone", "--selection", adding: variables, devices: .silent)
        #expect(String(decoding: found.output, as: UTF8.self) == "Selected elsewhere.\n", "\(found.errors)")
        variables["DISPLAY"] = ""
        let silent = try home.run("read", "-q", "-e", "tone", "--selection", adding: variables, devices: .silent)
        #expect(silent.code == 75 && silent.errors.contains("Click in a window"), "\(silent.errors)")
    }
}
