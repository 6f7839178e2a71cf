import CommandSupport
import Foundation
import SynthHost
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("Completion in bash", .ownThreads, .enabled(if: Shell.has("bash"), "There is no bash on this machine."))
struct BashCompletionTests {
    /// What bash offers for the last word. It splits the line at `=` too.
    private func complete(
        _ words: String..., joined: [String] = [], files: [String] = [], setUp: (Shell) throws -> Void = { _ in }
    ) throws -> [String] {
        let shell = try Shell()
        defer { shell.remove() }
        try setUp(shell)
        for file in files { _ = try shell.write("", to: file) }
        let script = try shell.write(CompletionScript.bash.text, to: ".completion")
        let result = try shell.run(
            "bash", "--norc", "-c",
            """
            set -u
            source "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _synthhost
            [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
            """, "bash", script, joined: words + joined)
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("offers every command")
    func commands() throws {
        #expect(try complete("synthhost", "") == CommandTable.root.subcommands.map(\.word))
    }

    @Test("offers only the subcommands of a command")
    func subcommands() throws {
        #expect(try complete("synthhost", "config", "") == ["get", "set", "unset", "path", "show"])
    }

    @Test("finishes a command and an option", arguments: [(["sp"], "speak"), (["speak", "--volu"], "--volume")])
    func finishes(words: [String], whole: String) throws {
        #expect(try complete("synthhost", joined: words) == [whole])
    }

    @Test("offers every option of a command")
    func options() throws {
        let speak = try #require(CommandTable.root.subcommands.first { $0.word == "speak" })
        let offered = Set(try complete("synthhost", "speak", "--"))
        #expect(offered == Set((speak.options + CommandTable.globalOptions).map(\.name)))
    }

    @Test("offers the installed engines, also after an equals sign")
    func engines() throws {
        #expect(Set(try complete("synthhost", "speak", "-e", "")).isSuperset(of: ["espeak-ng", "tone"]))
        #expect(try complete("synthhost", "speak", "--engine", "=", "to") == ["tone"])
    }

    @Test("offers voices quoted for the shell, also inside an open quote")
    func voices() throws {
        #expect(try complete("synthhost", "speak", "-v", "Bu").contains("Buzz"))
        #expect(try complete("synthhost", "speak", "-v", "English (Am").contains("English\\ \\(America\\)"))
        #expect(try complete("synthhost", "speak", "-v", "'English (Am").contains("English\\ \\(America\\)"))
    }

    @Test("offers downloadable voices to pull, and installed ones to remove", arguments: [true, false])
    func models(isKnown: Bool) throws {
        let setUp: (Shell) throws -> Void = { shell in
            try shell.offer("Kerstin", "Ramona")
            if isKnown { try shell.run("synthhost", "engines", "list") }
        }
        #expect(try complete("synthhost", "models", "pull", "Ke", setUp: setUp).contains("Kerstin"))
        #expect(try !complete("synthhost", "models", "pull", "", setUp: setUp).contains("Buzz") || !isKnown)
        #expect(try complete("synthhost", "models", "remove", "", setUp: setUp) == [])
        #expect(
            try complete(
                "synthhost", "models", "remove", "",
                setUp: { shell in
                    try setUp(shell)
                    try shell.add("Mine")
                }) == ["Mine"])
        #expect(
            try !complete("synthhost", "models", "pull", "M", setUp: { try $0.add("Mine") }).contains("Mine"))
    }

    @Test("offers the speakers of the voice on the line, with any quoting")
    func speakers() throws {
        for voice in ["English\\ \\(America\\)", "'English (America)'", "\"English (America)\"", "en-us"] {
            #expect(try complete("synthhost", "speak", "-v", voice, "--speaker", "f").contains("f3"))
            #expect(try complete("synthhost", "speak", "--voice", "=", voice, "--speaker", "=", "f").contains("f3"))
        }
        #expect(try complete("synthhost", "speak", "-v", "Sine", "--speaker", "") == [])
        #expect(try complete("synthhost", "speak", "--speaker", "f").contains("f3"))
    }

    @Test("offers languages, and the values of a key")
    func values() throws {
        #expect(try complete("synthhost", "speak", "-l", "de", setUp: { try $0.offer("Kerstin") }).contains("de-DE"))
        #expect(try complete("synthhost", "config", "set", "engine", "") == ["espeak-ng", "tone"])
        #expect(try complete("synthhost", "config", "set", "autoDownload", "") == ["true", "false"])
        #expect(try complete("synthhost", "config", "set", "voices.tone", "B") == ["Buzz"])
        #expect(
            try complete("synthhost", "config", "set", "language", "de", setUp: { try $0.offer("Kerstin") })
                .contains("de-DE"))
    }

    @Test("offers commands and voices if both are possible")
    func both() throws {
        #expect(try complete("synthhost", "voices", "cho") == ["choose"])
        #expect(try complete("synthhost", "voices", "Buz") == ["Buzz"])
    }

    @Test("offers files, with spaces in their names, if a file is expected")
    func files() throws {
        let files = ["a letter.txt", "other.txt"]
        #expect(try complete("synthhost", "speak", "-f", "a", files: files) == ["a letter.txt"])
        let offered = try complete("synthhost", "speak", "--verbose", "--output", "", files: files)
        #expect(offered.contains("other.txt"))
    }

    @Test("the value of an earlier option is not a command")
    func valueInFront() throws {
        #expect(try complete("synthhost", "--config", "voices", "speak", "--ra") == ["--raw", "--rate"])
        #expect(try complete("synthhost", "--config", "=", "voices", "speak", "--ra") == ["--raw", "--rate"])
    }

    @Test("offers keys of the configuration once, and no options after two dashes")
    func keys() throws {
        #expect(try complete("synthhost", "config", "set", "") == ConfigurationKey.all.map(\.path))
        #expect(try complete("synthhost", "config", "set", "rate", "") == [])
        #expect(try complete("synthhost", "speak", "--", "--v") == [])
    }
}
