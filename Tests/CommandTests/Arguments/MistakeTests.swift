import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Command-line errors", .ownThreads)
struct MistakeTests {
    @Test(
        "Errors have an exit code and a suggestion",
        arguments: [
            (["speak", "Hi", "--volme", "1"], 64, "Did you mean --volume?"),
            (["speek", "Hi"], 64, "Did you mean: synthhost speak Hi"),
            (["engines", "lst"], 64, "Did you mean list?"),
            (["speak", "-e", "espek", "Hi", "-o", "x"], 69, "Did you mean \"espeak-ng\"?"),
            (["speak", "-e", "tine", "Hi", "-o", "x"], 69, "Did you mean \"tone\"?"),
            (["voices", "--engine", "espek"], 69, "Did you mean \"espeak-ng\"?"),
            (["speak", "-v", "Sinne", "Hi", "-o", "x"], 69, "Did you mean \"Sine\""),
            (["speak", "-e", "tone", "-v", "Lw", "Hi", "-o", "x"], 69, "Did you mean \"Low\""),
            (["speak", "-l", "zz", "Hi", "-o", "x"], 69, "no voice for the language \"zz\""),
            (["speak", "-e", "tone", "-l", "de", "Hi", "-o", "x"], 69, "no voice for the language \"de\""),
            (
                ["speak", "-v", "en-us", "--speaker", "nobody", "Hi", "-o", "x"], 69,
                "Choose a speaker with --speaker"
            ),
            (["speak", "-v", "en-us", "--speaker", "1000", "Hi", "-o", "x"], 69, "more, numbered 0 to "),
            (["speak", "-e", "tone", "--speaker", "Bob", "Hi", "-o", "x"], 69, "Omit --speaker."),
            (["speak", "-v", "English", "Hi", "-o", "x"], 69, "matches several voices: "),
            (["config", "get", "rat"], 64, "Did you mean \"rate\"?"),
            (["config", "set", "limits.loadSecond", "1"], 64, "Did you mean \"limits.loadSeconds\"?"),
            (["config", "set", "engine", "espek"], 69, "Did you mean \"espeak-ng\"?"),
            (["config", "set", "rate", "fast"], 64, "must be"),
            (["speak", "-r", "9", "Hi"], 64, "must be a factor from 0.25 to 4"),
            (["speak", "Hi", "-f", "x"], 64, "cannot be used together"),
            (["speak", "Hi", "-o", "nowhere/x.wav"], 73, "mkdir -p 'nowhere'"),
            (["speak", "Hi", "-o", String(repeating: "n", count: 300) + ".wav"], 73, "File name too long"),
            (["voices", "--language", "zz"], 69, "No voices match."),
            (["speak", "Hi", "--config", "/nowhere/config.json"], 78, "/nowhere/config.json"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], code: Int32, hint: String) throws {
        let home = try UserHome()
        let result = try home.run(arguments)
        #expect(result.code == code, "\(result.errors)")
        #expect(result.output == [])
        #expect(result.errors.contains(hint), "\(result.errors)")
        // The first line states the problem, and the second contains the command to type.
        #expect(result.errors.hasPrefix("synthhost: ") && result.errors.split(separator: "\n").count == 2)
    }

    @Test(
        "A configuration error includes the line number and the most similar key",
        arguments: ["speak", "voices", "doctor"])
    func configuration(command: String) throws {
        let home = try UserHome()
        try home.write("{\n  \"engine\": \"tone\",\n  \"volum\": 2\n}\n", to: "config/synthhost/config.json")
        let result = try home.run([command] + (command == "speak" ? ["Hi", "-o", home.file("x.wav")] : []))
        #expect(result.code == 78)
        let said = result.errors + result.text
        #expect(said.contains("line 3") && said.contains("\"volum\"") && said.contains("\"volume\""), "\(said)")
    }

    @Test("An error is reported if text is piped to the program without a command")
    func pipedText() throws {
        let home = try UserHome()
        let piped = try home.runProcess(input: Array("hi\n".utf8))
        #expect(piped.code == 64 && piped.output == [])
        #expect(piped.errors.contains("date | synthhost speak"), "\(piped.errors)")
        let alone = try home.runProcess()
        #expect(alone.code == 0 && alone.text.contains("synthhost setup"))
    }

    @Test("At a terminal, `speak` without text explains how to pass text")
    func terminal() throws {
        let home = try UserHome()
        let terminal = try PseudoTerminal()
        let result = try home.start(["speak"], input: .terminal(terminal)).finish()
        #expect(result.code == 64)
        #expect(result.errors.contains("No text was specified.") && result.errors.contains("synthhost speak \""))
    }

    @Test(
        "An error is reported if the user's file size limit is exceeded, and no partial file remains",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer needs files."))
    func fileLimit() throws {
        let home = try UserHome()
        let result = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", "ulimit -f 0; exec \"$0\" config set rate 2", "\(home.programs)/synthhost"].map {
                Array($0.utf8)
            }, environment: home.environment
        ).finish()
        #expect(result.code == 73 && result.errors.contains("it would exceed the file size limit"), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("config/synthhost")) == [])
    }

    @Test("If the configuration file is a pipe, an error is reported immediately")
    func pipe() throws {
        let home = try UserHome()
        let path = home.file("config.json")
        #expect(mkfifo(path, 0o600) == 0)
        for arguments in [["config", "get", "rate"], ["config", "set", "rate", "2"], ["speak", "Hi"]] {
            let result = try home.run(arguments + ["--config", path])
            #expect(result.code == 78 && result.errors.contains("not a regular file"), "\(result.errors)")
        }
    }

    @Test("A full disk is reported")
    func fullDisk() throws {
        let home = try UserHome()
        let result = try home.run("speak", "-e", "tone", "-o", "/dev/full", "Hello")
        #expect(result.code == 74)
        #expect(result.errors.contains("The disk is full"))
    }
}
