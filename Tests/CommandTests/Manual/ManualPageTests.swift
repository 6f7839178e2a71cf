import CommandSupport
import Foundation
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("Manual pages", .ownThreads) struct ManualPageTests {
    @Test(
        "Every page renders without a warning", .enabled(if: Shell.has("man"), "There is no man on this machine."),
        arguments: [""] + CommandTable.root.subcommands.map(\.word))
    func renders(word: String) throws {
        let shell = try Shell()
        defer { shell.remove() }
        let words = word.isEmpty ? [] : [word]
        let page = try shell.write(ManualPage.render(for: words, version: "1.2.3"), to: "page.1")
        let result = try shell.run("man", "--warnings", "-E", "UTF-8", "-l", page)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        #expect(result.output.contains(word.isEmpty ? "SYNTHHOST(1)" : "SYNTHHOST-\(word.uppercased())(1)"))
    }

    @Test(
        "The page for speak shows every option and every example exactly as typed",
        .enabled(if: Shell.has("man"), "There is no man on this machine."))
    func speak() throws {
        let shell = try Shell()
        defer { shell.remove() }
        let speak = try #require(CommandTable.root.subcommands.first { $0.word == "speak" })
        let page = try shell.write(ManualPage.render(for: ["speak"], version: "1.2.3"), to: "page.1")
        let text = try shell.run("man", "-E", "UTF-8", "-l", page).output
        for option in speak.options { #expect(text.contains(option.name)) }
        for (line, _) in speak.examples { #expect(text.contains("    \(line)\n")) }
    }

    @Test("The program's page refers to a page for each command, and all of these pages exist")
    func references() {
        let root = ManualPage.render(for: [], version: "1.2.3")
        for command in CommandTable.root.subcommands where command.name != .help {
            #expect(root.contains(".BR synthhost\\-\(command.word) (1)"))
            #expect(
                ManualPage.render(for: [command.word], version: "1.2.3").contains(
                    "SYNTHHOST\\-\(command.word.uppercased())"))
        }
    }

    @Test("Text that looks like a roff request is shown literally")
    func escapes() {
        var page = Roff()
        page.text(".SH 'a' \\n -x")
        #expect(page.text == ".PP\n\\&.SH \\(aqa\\(aq \\en \\-x\n")
    }

    @Test("`help --man` prints a command's manual page")
    func command() throws {
        #expect(try ArgumentParser.parse(["help", "--man", "config", "set"]) == .manual(["config", "set"]))
        #expect(try ArgumentParser.parse(["help", "--completions", "fish"]) == .completions(.fish))
        #expect(throws: UsageError.self) { try ArgumentParser.parse(["help", "--man", "nonsense"]) }
        #expect(throws: UsageError.self) { try ArgumentParser.parse(["help", "--man", "--completions", "zsh"]) }
    }
}
