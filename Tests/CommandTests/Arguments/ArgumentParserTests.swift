import Foundation
import Testing

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite struct ArgumentParserTests {
    private func parse(_ line: String...) throws -> ParsedArguments {
        guard case .run(_, let arguments) = try ArgumentParser.parse(line) else {
            Issue.record("The line runs no command: \(line)")
            return ParsedArguments()
        }
        return arguments
    }

    private func reason(_ line: String...) -> UsageError.Reason? {
        do {
            let result = try ArgumentParser.parse(line)
            Issue.record("The line was accepted: \(result)")
            return nil
        } catch {
            return (error as? UsageError)?.reason
        }
    }

    @Test(
        "Option values are accepted in every GNU syntax",
        arguments: [
            ["--voice=Heart"], ["--voice", "Heart"], ["-v", "Heart"], ["-vHeart"], ["-qv", "Heart"], ["-qvHeart"],
        ])
    func values(words: [String]) throws {
        guard case .run(.speak, let arguments) = try ArgumentParser.parse(["speak", "Hello"] + words) else {
            Issue.record("The command should be speak.")
            return
        }
        #expect(arguments[Options.voice] == "Heart")
        #expect(arguments.positionals == ["Hello"])
        #expect(arguments[Options.quiet] == words[0].hasPrefix("-q"))
    }

    @Test("Options may appear anywhere among the arguments")
    func anywhere() throws {
        let arguments = try parse("--plugins-dir", "a", "speak", "one", "-r", "1.5", "two", "--plugins-dir=b", "three")
        #expect(arguments.positionals == ["one", "two", "three"])
        #expect(arguments[Options.rate] == 1.5)
        #expect(arguments[all: Options.pluginsDirectory] == ["a", "b"])
    }

    @Test("Two dashes end the options, and a single dash and negative numbers are treated as values")
    func dashes() throws {
        #expect(try parse("speak", "--", "-v", "--help").positionals == ["-v", "--help"])
        #expect(try parse("speak", "-f", "-", "-o", "-")[Options.file] == "-")
        #expect(try parse("speak", "x", "--volume", "-6dB")[Options.volume].map { $0 < 0.51 } == true)
        #expect(try parse("speak", "-p", "-2st", "x")[Options.pitch].map { $0 < 0.9 } == true)
        #expect(try parse("speak", "-5", "degrees").positionals == ["-5", "degrees"])
        #expect(try parse("speak", "--voice=--odd", "x")[Options.voice] == "--odd")
        #expect(try parse("speak", "-v=", "x")[Options.voice] == "=")
    }

    @Test(
        "Commands are found at any depth",
        arguments: [
            (["speak"], .speak), (["voices", "--all"], .voices), (["engines", "list", "--rescan"], .enginesList),
            (["config", "get", "rate"], .configGet), (["config", "--config", "f", "set", "rate", "-1"], .configSet),
            (["config", "show"], .configShow), (["doctor", "--json"], .doctor), (["speak", "voices"], .speak),
        ] as [([String], CommandName)])
    func commands(words: [String], expected: CommandName) throws {
        guard case .run(let name, _) = try ArgumentParser.parse(words) else {
            Issue.record("The line runs no command.")
            return
        }
        #expect(name == expected)
    }

    @Test("Every command in the table can be reached, and the options of a command have distinct names")
    func table() {
        var found: [CommandName] = []
        func visit(_ command: CommandDescription) {
            if let name = command.name { found.append(name) }
            let options = command.options + CommandTable.globalOptions
            #expect(Set(options.map(\.long)).count == options.count)
            let shorts = options.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count)
            #expect(!command.examples.isEmpty && !command.summary.isEmpty)
            command.subcommands.forEach(visit)
        }
        visit(CommandTable.root)
        #expect(Set(found) == Set(CommandName.allCases))
        #expect(found.count == CommandName.allCases.count)
    }

    @Test("Every example in the help can be parsed")
    func examples() {
        func visit(_ command: CommandDescription) {
            for (example, _) in command.examples {
                // Only the part of a pipeline that runs synthhost is used, without redirections and shell quotes.
                guard let start = example.range(of: "synthhost ") else { continue }
                let own = example[start.upperBound...].split { $0 == "|" || $0 == ">" }[0]
                var words: [String] = []
                for (index, part) in own.components(separatedBy: "\"").enumerated() {
                    words += index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
                }
                #expect(throws: Never.self, "\(example)") { try ArgumentParser.parse(words) }
            }
            command.subcommands.forEach(visit)
        }
        visit(CommandTable.root)
    }

    @Test("Help can be requested with a command or an option and takes precedence over later arguments")
    func help() throws {
        #expect(try ArgumentParser.parse([]) == .help([]))
        #expect(try ArgumentParser.parse(["--help"]) == .help([]))
        #expect(try ArgumentParser.parse(["-h"]) == .help([]))
        #expect(try ArgumentParser.parse(["help"]) == .help([]))
        #expect(try ArgumentParser.parse(["speak", "x", "--help", "--voise"]) == .help(["speak"]))
        #expect(try ArgumentParser.parse(["help", "speak"]) == .help(["speak"]))
        #expect(try ArgumentParser.parse(["engines", "list", "--help"]) == .help(["engines", "list"]))
        #expect(try ArgumentParser.parse(["help", "engines", "list"]) == .help(["engines", "list"]))
        #expect(try ArgumentParser.parse(["--version"]) == .version)
        #expect(reason("help", "speek") == .unknownCommand("speek", nearest: "speak"))
    }

    @Test("The suggestion for a mistyped word is the most similar word")
    func nearMiss() {
        #expect(reason("speek") == .unknownCommand("speek", nearest: "speak"))
        #expect(reason("config", "sett") == .unknownCommand("sett", nearest: "set"))
        #expect(reason("speak", "--voise", "x") == .unknownOption("--voise", nearest: "--voice"))
        #expect(reason("speak", "-json") == .unknownOption("-json", nearest: "--json"))
        #expect(reason("speak", "-x") == .unknownOption("-x", nearest: nil))
        #expect(reason("doctor", "--raw") == .unknownOption("--raw", nearest: nil))
    }

    @Test(
        "For text without a command, the error suggests the command that speaks it",
        arguments: [
            (["Hello world"], "`synthhost --help` lists the commands. Did you mean: synthhost speak \"Hello world\""),
            (
                ["Hello", "world", "-o", "a.wav"],
                "`synthhost --help` lists the commands. Did you mean: synthhost speak Hello world -o a.wav"
            ),
            (["say", "hello"], "`synthhost --help` lists the commands. Did you mean: synthhost speak hello"),
            (
                ["TTS", "It's $5", "-v", "Heart"],
                "`synthhost --help` lists the commands. Did you mean: synthhost speak 'It'\\''s $5' -v Heart"
            ),
            (["speek", "hello"], "`synthhost --help` lists the commands. Did you mean: synthhost speak hello"),
            (["hello"], "`synthhost --help` lists the commands. Did you mean: synthhost speak hello"),
            (["speak up"], "`synthhost --help` lists the commands. Did you mean: synthhost speak \"speak up\""),
            (
                ["voises"],
                """
                `synthhost --help` lists the commands. Did you mean voices? To speak the text, type: \
                synthhost speak voises
                """
            ),
            (["say"], "Did you mean speak? `synthhost --help` lists the commands."),
        ])
    func textAlone(words: [String], remedy: String) {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(words) }
        #expect(error?.remedy == remedy)
    }

    @Test("Usage errors tell the user what to type")
    func sentences() {
        func text(_ line: String...) -> String {
            do {
                _ = try ArgumentParser.parse(line)
                return ""
            } catch {
                return (error as? UsageError).map { $0.message + " " + $0.remedy } ?? "\(error)"
            }
        }
        #expect(
            text("speak", "--voise", "x")
                == "Unknown option --voise. Did you mean --voice? `synthhost speak --help` lists the options.")
        #expect(text("speek") == "Unknown command speek. Did you mean speak? `synthhost --help` lists the commands.")
        #expect(text("engines") == "synthhost engines needs a command. `synthhost engines --help` lists the commands.")
        #expect(
            text("speak", "-v", "--odd")
                == "Option --voice needs a value: --voice VOICE. If the value is --odd, type --voice=--odd.")
        #expect(
            text("speak", "-r", "fast", "x")
                == "The value of --rate must be a factor from 0.25 to 4, such as 1.25, 125% or +25%, not \"fast\". "
                + "`synthhost speak --help` shows the usage.")
        #expect(
            text("config", "set", "rate")
                == "synthhost config set needs VALUE. `synthhost config set --help` shows the usage.")
    }

    @Test("Invalid combinations are rejected")
    func refused() {
        #expect(reason("speak", "-v") == .missingValue(option: "--voice", valueName: "VOICE", next: nil))
        #expect(reason("speak", "--json=yes") == .unexpectedValue(option: "--json"))
        #expect(reason("speak", "-v", "a", "--voice=b") == .repeatedOption("--voice"))
        #expect(reason("speak", "-qq") == .repeatedOption("--quiet"))
        #expect(reason("speak", "x", "-o", "a.wav", "-d", "hw") == .exclusive("--output", "--device"))
        #expect(reason("speak", "x", "-f", "a.txt") == .exclusive("--file", "TEXT"))
        #expect(reason("speak", "x", "--raw", "-d", "null") == .exclusive("--raw", "--device"))
        #expect(reason("speak", "x", "-q", "--verbose") == .exclusive("--quiet", "--verbose"))
        #expect(reason("doctor", "now") == .unexpectedArgument("now"))
        #expect(reason("voices", "Heart", "all") == .unexpectedArgument("all"))
        #expect(reason("config", "get", "a", "b") == .unexpectedArgument("b"))
        #expect(reason("config") == .missingCommand)
        for name in ["a\nb", "a\u{1B}[1m", "\u{202E}a", " ", "-v", String(repeating: "n", count: 201)] {
            guard case .invalidValue(option: "--name", value: name, _) = reason("models", "add", "x", "--name=\(name)")
            else { Issue.record("--name \(name.debugDescription)"); continue }
        }
        #expect(
            reason("speak", "--voice=", "x")
                == .invalidValue(option: "--voice", value: "", expectation: "non-empty text"))
    }

    @Test("Random command lines are either accepted or rejected and never cause a crash")
    func random() {
        let words = [
            "speak", "voices", "engines", "list", "config", "set", "help", "--", "-", "-v", "--voice", "--voice=",
            "-qv", "-r",
            "1", "-1", "--rate=9", "", "--", "---", "-=", "--=x", "é", "--help", "-h", "-o", "-d", "\u{0}", "-.", "=",
        ]
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var understood = 0
        for _ in 0..<5000 {
            let line = (0..<next(6)).map { _ in words[next(words.count)] }
            do {
                _ = try ArgumentParser.parse(line)
                understood += 1
            } catch let error as UsageError {
                #expect(!error.message.isEmpty && error.remedy.contains("--"))
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(understood > 0 && understood < 5000)
    }
}
