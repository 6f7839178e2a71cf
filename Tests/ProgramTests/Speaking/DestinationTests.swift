import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Audio destinations", .ownThreads)
struct DestinationTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private func text(of name: String) throws -> String { String(decoding: try home.data(name), as: UTF8.self) }

    @Test(
        "The output never overwrites the text file under any of that file's names",
        arguments: ["t.txt", "hard.txt", "soft.txt", "./t.txt"])
    func itself(name: String) throws {
        try home.write("precious", to: "t.txt")
        try FileManager.default.linkItem(atPath: home.file("t.txt"), toPath: home.file("hard.txt"))
        try FileManager.default.createSymbolicLink(atPath: home.file("soft.txt"), withDestinationPath: "t.txt")
        for format in [[], ["--raw"]] {
            let result = try home.run(
                ["speak", "-e", "tone", "-f", home.file("t.txt"), "-o", home.file(name)] + format)
            #expect(result.code == 73)
            #expect(
                result.errors == """
                    synthhost: "\(home.file(name))" is the text that this command reads.
                    Choose a different file with `-o file.wav`.

                    """)
        }
        #expect(try text(of: "t.txt") == "precious")
    }

    @Test("The output never overwrites the file on standard input")
    func input() throws {
        try home.write("precious", to: "t.txt")
        let input = open(home.file("t.txt"), O_RDONLY)
        defer { close(input) }
        let named = try home.start(
            ["speak", "-e", "tone", "-o", home.file("t.txt")], input: .descriptor(input)
        ).finish()
        #expect(named.code == 73 && named.errors.contains("is the text that this command reads."))
        let output = open(home.file("t.txt"), O_WRONLY | O_APPEND)
        defer { close(output) }
        let appended = try home.start(
            ["speak", "-e", "tone", "-o", "-"], input: .descriptor(input), output: .descriptor(output)
        ).finish()
        #expect(appended.code == 73 && appended.errors.contains("Standard output is the text that this"))
        #expect(try text(of: "t.txt") == "precious")
    }

    @Test(
        "File extensions of unsupported formats are rejected",
        arguments: ["talk.m4a", "a b.AIFF", "x.wma", "-x.aac"])
    func format(name: String) throws {
        let result = try home.run(["speak", "Hello, world", "-v", "Sine", "--output=\(name)"])
        #expect(result.code == 64)
        #expect(result.errors.hasPrefix("synthhost: \(name) has the extension of "))
        let file = name == "a b.AIFF" ? "\"a b.AIFF\"" : name.hasPrefix("-") ? "./\(name)" : name
        #expect(
            result.errors.hasSuffix(
                "\nffmpeg can write this format: synthhost speak -v Sine \"Hello, world\" -o - | "
                    + "ffmpeg -i - \(file)\n"))
        #expect(!FileManager.default.fileExists(atPath: name))
    }

    @Test("Raw audio can have any file name, even one without an extension")
    func anyName() throws {
        #expect(try home.run("speak", "-e", "tone", "Hi", "--raw", "-o", home.file("talk.mp3")).code == 0)
        #expect(try home.run("speak", "-e", "tone", "Hi", "-o", home.file("talk 1.2")).code == 0)
    }

    @Test(
        "A closed output causes an error",
        arguments: [
            ["speak", "-e", "tone", "Hi", "-o", "-"], ["speak", "-e", "tone", "Hi", "--raw"],
            ["speak", "-e", "tone", "Hi", "--json", "-o", "x.wav"], ["voices", "--json"], ["voices"],
            ["config", "get", "rate"],
            ["engines", "list"], ["--version"], ["help"],
        ])
    func closed(arguments: [String]) throws {
        let arguments = arguments.map { $0 == "x.wav" ? home.file($0) : $0 }
        let result = try home.start(arguments, output: .closed).finish()
        #expect(result.code == 73, "\(result.errors)")
        #expect(result.errors.contains("The output is closed"))
    }

    @Test("A closed output causes no error if nothing is written to it")
    func unused() throws {
        let result = try home.start(
            ["speak", "-e", "tone", "Hi", "-o", home.file("x.wav")], output: .closed
        ).finish()
        #expect(result.code == 0)
        #expect(try home.wav("x.wav").frames > 0)
    }
}
