import CommandSupport
import Foundation
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("Shell completion", .ownThreads) struct CompletionTests {
    /// Returns the candidates that zsh's completion system offers for a line, without a terminal.
    private func zsh(_ line: String, in shell: Shell) throws -> [String] {
        _ = try shell.write(CompletionScript.zsh.text, to: "_synthhost")
        let result = try shell.run(
            "zsh", "-f", "-c",
            """
            fpath=($PWD $fpath)
            autoload -U compinit && compinit -u -d $PWD/dump
            [[ $_comps[synthhost] = _synthhost ]] || print wrong
            autoload -U +X _synthhost
            compset() { [[ $PREFIX = --*=* ]] && PREFIX=${PREFIX#--*=} }
            _call_program() { shift; eval "$@" }
            _describe() { print -rl -- ${(P)@[-1]} }
            _files() { print -r -- files $@ }
            words=("${(z)1}") PREFIX=
            [[ $1 = *\\  ]] && words+=("")
            PREFIX=$words[-1] CURRENT=$#words
            _synthhost
            """, "zsh", line)
        #expect(result.errors.isEmpty)
        return result.output.split(separator: "\n").map { line in
            String(line.replacing("\\:", with: "\u{1}").prefix { $0 != ":" }).replacing("\u{1}", with: ":")
        }
    }

    @Test(
        "zsh completes commands, options and their values",
        .enabled(if: Shell.has("zsh"), "There is no zsh on this machine."),
        arguments: [
            ("synthhost sp", "speak"), ("synthhost config un", "unset"), ("synthhost speak --vol", "--volume"),
            ("synthhost speak -e to", "tone"), ("synthhost config get limits.sc", "limits.scanSeconds"),
            ("synthhost config set autoDownload t", "true"), ("synthhost voices Bu", "Buzz"),
            ("synthhost speak -v 'English (America)' --speaker f", "f3"),
            ("synthhost speak -v English\\ \\(America\\) --speaker f", "f3"),
            ("synthhost speak --voice=Bu", "Buzz"), ("synthhost speak -f a", "files"),
            ("synthhost speak --clips a", "files -/"),
        ])
    func zshLine(line: String, expected: String) throws {
        let shell = try Shell()
        defer { shell.remove() }
        #expect(try zsh(line, in: shell).contains(expected))
    }

    @Test(
        "fish completes commands, options and their values",
        .enabled(if: Shell.has("fish"), "There is no fish on this machine."),
        arguments: [
            ("synthhost ", "speak"), ("synthhost config un", "unset"), ("synthhost speak --vol", "--volume"),
            ("synthhost speak -e to", "tone"), ("synthhost --config speak voices --al", "--all"),
            ("synthhost config get limits.sc", "limits.scanSeconds"), ("synthhost config set engine to", "tone"),
            ("synthhost config set autoDownload t", "true"), ("synthhost voices cho", "choose"),
            ("synthhost voices Bu", "Buzz"), ("synthhost models pull Ke", "Kerstin"),
            ("synthhost models remove M", "Mine"), ("synthhost speak -l de-", "de-DE"),
            ("synthhost speak -v 'English (America)' --speaker f", "f3"),
            ("synthhost speak --voice=en-us --speaker f", "f3"),
        ])
    func fish(line: String, expected: String) throws {
        let shell = try Shell()
        defer { shell.remove() }
        try shell.offer("Kerstin")
        try shell.add("Mine")
        let script = try shell.write(CompletionScript.fish.text, to: "completion.fish")
        let result = try shell.run(
            "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line)
        #expect(result.errors.isEmpty)
        let offered = result.output.split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        #expect(offered.contains(expected))
    }

    @Test("Names are listed one per line, without duplicates", arguments: [["speak", "-e", ""], ["speak", "-v", ""]])
    func names(words: [String]) throws {
        let shell = try Shell()
        defer { shell.remove() }
        let result = try shell.run("synthhost", "help", "--complete", "--", joined: words)
        #expect(result.status == 0)
        let names = result.output.split(separator: "\n")
        #expect(names.count > 1)
        #expect(Set(names).count == names.count)
    }

    @Test("A key is not offered as its own value", .enabled(if: Shell.has("fish"), "There is no fish."))
    func fishPlaces() throws {
        let shell = try Shell()
        defer { shell.remove() }
        let script = try shell.write(CompletionScript.fish.text, to: "completion.fish")
        let result = try shell.run(
            "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, "synthhost config set rate ")
        #expect(result.errors.isEmpty && !result.output.contains("limits.scanSeconds"))
    }

    @Test(
        "Listing names does not start an engine unless that engine provides the names",
        arguments: [["models", "pull", ""], ["models", "remove", ""], ["speak", "-l", ""]])
    func cold(words: [String]) throws {
        let shell = try Shell()
        defer { shell.remove() }
        try shell.offer("Kerstin")
        let result = try shell.run("synthhost", "help", "--complete", "--", joined: words)
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: shell.home.appending(path: ".cache").path))
        #expect((words[1] == "pull") == result.output.contains("Kerstin\n"))
    }

    @Test("The error for an unknown shell lists the supported shells")
    func unknown() throws {
        let shell = try Shell()
        defer { shell.remove() }
        let result = try shell.run("synthhost", "help", "--completions", "csh")
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(result.errors.contains("bash, zsh, fish"))
    }
}
