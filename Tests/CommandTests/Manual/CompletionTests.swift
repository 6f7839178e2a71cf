import Foundation
import Testing

@testable import synthhost

@Suite("Completion") struct CompletionTests {
    @Test(
        "zsh loads the script as a function of its completion system",
        .enabled(if: Shell.has("zsh"), "There is no zsh on this machine."))
    func zsh() throws {
        let shell = try Shell()
        defer { shell.remove() }
        _ = try shell.write(ZshCompletion.render(), to: "_synthhost")
        // What the script hands to `_arguments` is shown instead of used: that needs a terminal.
        let result = try shell.run(
            "zsh", "-f", "-c",
            """
            fpath=($PWD $fpath)
            autoload -U compinit && compinit -u -d $PWD/dump
            print -r -- $_comps[synthhost]
            autoload -U +X _synthhost
            _arguments() { print -rl -- "$@" }
            _synthhost
            _synthhost_speak
            _synthhost_config_set
            """)
        #expect(result.errors.isEmpty)
        let lines = Set(result.output.split(separator: "\n").map(String.init))
        #expect(lines.contains("_synthhost"))
        #expect(lines.contains { $0.hasPrefix("--volume=[") && $0.hasSuffix("]:GAIN: ") })
        #expect(lines.contains { $0.hasPrefix("(--voice -v)-v+[") && $0.hasSuffix("]:VOICE:_synthhost_listed voices") })
        #expect(lines.contains { $0.hasPrefix(":KEY:(engine ") })
    }

    @Test(
        "fish completes commands, options and their values",
        .enabled(if: Shell.has("fish"), "There is no fish on this machine."),
        arguments: [
            ("synthhost ", "speak"), ("synthhost config un", "unset"), ("synthhost speak --vol", "--volume"),
            ("synthhost speak -e to", "tone"), ("synthhost --config speak voices --al", "--all"),
            ("synthhost config get limits.sc", "limits.scanSeconds"),
        ])
    func fish(line: String, expected: String) throws {
        let shell = try Shell()
        defer { shell.remove() }
        let script = try shell.write(FishCompletion.render(), to: "completion.fish")
        let result = try shell.run(
            "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line)
        #expect(result.errors.isEmpty)
        let offered = result.output.split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        #expect(offered.contains(expected))
    }

    @Test("names are listed one per line, each once", arguments: ["engines", "voices"])
    func names(subject: String) throws {
        let shell = try Shell()
        defer { shell.remove() }
        let result = try shell.run("synthhost", "help", "--completions", subject)
        #expect(result.status == 0)
        let names = result.output.split(separator: "\n")
        #expect(names.count > 1)
        #expect(Set(names).count == names.count)
    }

    @Test("a shell that is not known is an error that names those that are")
    func unknown() throws {
        let shell = try Shell()
        defer { shell.remove() }
        let result = try shell.run("synthhost", "help", "--completions", "csh")
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(result.errors.contains("bash, zsh, fish"))
    }
}
