import CommandSupport
import Foundation
import SynthHost
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("Completion in bash", .ownThreads, .enabled(if: Shell.has("bash"), "There is no bash on this machine."))
struct BashCompletionTests {
    /// Returns the completions that bash offers for the last word. Bash also splits words at `=`.
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

    @Test("Every command is offered")
    func commands() throws {
        #expect(try complete("synthhost", "") == CommandTable.root.subcommands.map(\.word))
    }

    @Test("Only the command's own subcommands are offered")
    func subcommands() throws {
        #expect(try complete("synthhost", "config", "") == ["get", "set", "unset", "path", "show"])
    }

    @Test("A command and an option are completed", arguments: [(["sp"], "speak"), (["speak", "--volu"], "--volume")])
    func finishes(words: [String], whole: String) throws {
        #expect(try complete("synthhost", joined: words) == [whole])
    }

    @Test("All options of a command are offered")
    func options() throws {
        let speak = try #require(CommandTable.root.subcommands.first { $0.word == "speak" })
        let offered = Set(try complete("synthhost", "speak", "--"))
        #expect(offered == Set((speak.options + CommandTable.globalOptions).map(\.name)))
    }

    @Test("Installed engines are offered, including after an equals sign")
    func engines() throws {
        #expect(Set(try complete("synthhost", "speak", "-e", "")).isSuperset(of: ["espeak-ng", "tone"]))
        #expect(try complete("synthhost", "speak", "--engine", "=", "to") == ["tone"])
    }

    @Test("Voices are quoted for the shell, including inside an open quote")
    func voices() throws {
        #expect(try complete("synthhost", "speak", "-v", "Bu").contains("Buzz"))
        #expect(try complete("synthhost", "speak", "-v", "English (Am").contains("English\\ \\(America\\)"))
        #expect(try complete("synthhost", "speak", "-v", "'English (Am").contains("English\\ \\(America\\)"))
    }

    @Test("Downloadable voices are offered for `pull`, and installed ones for `remove`", arguments: [true, false])
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

    @Test("The speakers of the voice on the command line are offered, regardless of quoting")
    func speakers() throws {
        for voice in ["English\\ \\(America\\)", "'English (America)'", "\"English (America)\"", "en-us"] {
            #expect(try complete("synthhost", "speak", "-v", voice, "--speaker", "f").contains("f3"))
            #expect(try complete("synthhost", "speak", "--voice", "=", voice, "--speaker", "=", "f").contains("f3"))
        }
        #expect(try complete("synthhost", "speak", "-v", "Sine", "--speaker", "") == [])
        #expect(try complete("synthhost", "speak", "--speaker", "f").contains("f3"))
    }

    @Test("Languages and the values of a key are offered")
    func values() throws {
        #expect(try complete("synthhost", "speak", "-l", "de", setUp: { try $0.offer("Kerstin") }).contains("de-DE"))
        #expect(try complete("synthhost", "config", "set", "engine", "") == ["espeak-ng", "tone"])
        #expect(try complete("synthhost", "config", "set", "autoDownload", "") == ["true", "false"])
        #expect(try complete("synthhost", "config", "set", "voices.tone", "B") == ["Buzz"])
        #expect(
            try complete("synthhost", "config", "set", "language", "de", setUp: { try $0.offer("Kerstin") })
                .contains("de-DE"))
    }

    @Test("Commands and voices are offered where both are possible")
    func both() throws {
        #expect(try complete("synthhost", "voices", "cho") == ["choose"])
        #expect(try complete("synthhost", "voices", "Buz") == ["Buzz"])
    }

    @Test("File names, including those with spaces, are offered where a file is expected")
    func files() throws {
        let files = ["a letter.txt", "other.txt"]
        #expect(try complete("synthhost", "speak", "-f", "a", files: files) == ["a letter.txt"])
        let offered = try complete("synthhost", "speak", "--verbose", "--output", "", files: files)
        #expect(offered.contains("other.txt"))
    }

    @Test("The value of an earlier option is not mistaken for a command")
    func valueInFront() throws {
        #expect(try complete("synthhost", "--config", "voices", "speak", "--ra") == ["--raw", "--rate"])
        #expect(try complete("synthhost", "--config", "=", "voices", "speak", "--ra") == ["--raw", "--rate"])
    }

    @Test("Each configuration key is offered only once, and no options are offered after two dashes")
    func keys() throws {
        #expect(try complete("synthhost", "config", "set", "") == ConfigurationKey.all.map(\.path))
        #expect(try complete("synthhost", "config", "set", "rate", "") == [])
        #expect(try complete("synthhost", "speak", "--", "--v") == [])
    }
}
