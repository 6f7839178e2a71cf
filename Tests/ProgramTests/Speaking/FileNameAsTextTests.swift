import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("File names passed as text", .ownThreads)
struct FileNameAsTextTests {
    private let home: UserHome

    init() throws {
        home = try UserHome()
        try home.write("One sentence that is longer than the name of its file.", to: "notes.md")
    }

    @Test("The error for a file name passed as text suggests -f")
    func error() throws {
        let name = home.file("notes.md")
        let result = try home.run("speak", "-e", "tone", name, "-o", home.file("x.wav"))
        #expect(result.code == 64)
        #expect(
            result.errors == """
                synthhost: \(name) is a file, but only its name was passed as the text.
                To speak the file, type: synthhost speak -f \(name); to speak its name, type: echo \(name) | synthhost speak

                """)
        #expect(!home.exists("x.wav"))
    }

    @Test(
        "At a terminal, a prompt asks whether the user meant the file",
        arguments: [("y\n", true), ("\n", true), ("n\n", false)])
    func question(answer: String, isMeant: Bool) throws {
        let screen = try Screen()
        let process = try home.begin(
            ["speak", "-e", "tone", home.file("notes.md"), "-o", home.file("x.wav")], on: screen.terminal,
            showsOutput: true)
        try screen.wait(for: "notes.md is a file. Speak its contents?")
        try screen.wait(for: "[Y/n]")
        screen.terminal.type(answer)
        #expect(try screen.finish(process).code == 0)
        let file = try home.run("speak", "-e", "tone", "-f", home.file("notes.md"), "-o", home.file("file.wav"))
        let name = try home.run(
            "speak", "-e", "tone", "-o", home.file("name.wav"), input: Array(home.file("notes.md").utf8))
        try #require(file.code == 0 && name.code == 0)
        #expect(try home.data("x.wav") == home.data(isMeant ? "file.wav" : "name.wav"))
    }

    @Test(
        "A file name is spoken as text if no such file exists or if there are several words",
        arguments: [["other.md"], ["see", "notes.md"]])
    func text(words: [String]) throws {
        let result = try home.run(["speak", "-e", "tone", "-o", home.file("x.wav")] + words)
        #expect(result.code == 0, "\(result.errors)")
    }
}
