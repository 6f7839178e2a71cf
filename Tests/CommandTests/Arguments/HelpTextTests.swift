import Foundation
import SynthHost
import SynthSystem
import SynthTerminal
import Testing

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite struct HelpTextTests {
    @Test("The help for a small command matches the expected text exactly")
    func small() {
        #expect(
            HelpText.render(for: ["engines", "list"]) == """
                synthhost engines list: list the engines and their states

                Examples:
                  synthhost engines list
                      list the engines found, with their folders
                  synthhost engines list --rescan
                      scan all engines again, for example after you repair one

                Usage:
                  synthhost engines list [OPTIONS]

                Options:
                      --rescan  scan each engine again instead of using cached results
                      --json    print results and progress as JSON

                Global options:
                      --plugins-dir DIR  search this folder for engines first (may be repeated)
                      --config FILE      use this configuration file
                      --offline          use only installed files, never the network
                      --plain            print plain lines, without color or redrawing
                  -h, --help             show this help
                      --version          show the version; with --verbose, the versions of all
                                         components

                Exit codes:
                  0   done
                  64  invalid command-line usage
                  69  the engine, voice or model is not available
                  78  the configuration is invalid

                """)
    }

    @Test("Examples come first, then usage, then options")
    func order() throws {
        let help = HelpText.render(for: ["speak"])
        let places = try ["Examples:", "Usage:", "Arguments:", "Options:", "Exit codes:"].map {
            try #require(help.range(of: $0)).lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test("The help for speak lists all options, and the program's help lists all commands and exit codes")
    func complete() {
        let speak = HelpText.render(for: ["speak"])
        for option in [
            "-f, --file FILE", "-o, --output OUT", "--raw", "-e, --engine ENGINE", "-v, --voice VOICE",
            "--speaker SPEAKER", "-l, --language LANG", "-r, --rate RATE", "-p, --pitch PITCH", "--intonation FACTOR",
            "--whisper", "--variation FACTOR", "--volume GAIN", "--pause KIND=SECONDS", "-d, --device DEVICE", "--json",
            "-q, --quiet", "--verbose",
        ] {
            #expect(speak.contains(option))
        }
        let root = HelpText.render(for: [])
        for command in CommandTable.root.subcommands { #expect(root.contains("  \(command.word) ")) }
        for code in ExitCode.allCases { #expect(root.contains(code.meaning)) }
    }

    @Test("Every command that speaks text has all options for voices and pronunciation")
    func shared() throws {
        for command in ["speak", "read", "play", "book", "batch"] {
            let help = HelpText.render(for: [command])
            for option in CommandTable.voiceOptions + CommandTable.textOptions {
                #expect(help.contains("--\(option.long)"), "\(command) --\(option.long)")
            }
        }
    }

    @Test("The help for config lists the configuration keys")
    func keys() {
        let help = HelpText.render(for: ["config"])
        for key in ConfigurationKey.all { #expect(help.contains(key.path)) }
    }

    @Test("Help text wraps at the width of the terminal", arguments: [60, 80, 120])
    func wraps(width: Int) {
        for words in [[], ["speak"], ["config"], ["config", "set"], ["doctor"]] {
            for line in HelpText.render(for: words, width: width).split(separator: "\n")
            where !line.hasPrefix("  synthhost") && !line.hasPrefix("      ") {
                #expect(DisplayWidth.columns(String(line)) <= width, "\(line)")
            }
        }
    }
}
