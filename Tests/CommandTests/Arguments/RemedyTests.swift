import Foundation
import Testing

@testable import SynthCommandSyntax
@testable import synthhost_cli

/// Checks that all commands and options in messages exist.
@Suite("Commands that messages suggest") struct RemedyTests {
    private struct Line {
        let place: String
        let text: String
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Source lines, without comments.
    private static let lines: [Line] = {
        let sources = root.appending(path: "Sources")
        let files = (FileManager.default.enumerator(atPath: sources.path)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".swift") }.sorted()
        return files.flatMap { file -> [Line] in
            let text = (try? String(contentsOf: sources.appending(path: file), encoding: .utf8)) ?? ""
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
                number, line in
                let isComment = line.drop { $0 == " " }.hasPrefix("//")
                return isComment ? nil : Line(place: "\(file):\(number + 1)", text: String(line))
            }
        }
    }()

    private let tree = CommandTree()

    /// Matches a synthhost command that a message suggests or that is the key of a literal, up to a quote, a pipe, or the
    /// end of the sentence.
    private static let command =
        #"(?:`|[Tt]ype: |Try: |example: |"(?=(?:[^"\\]|\\.)*":))synthhost ((?:[a-z-]+ ?)+)([^`"|;&]*)"#

    @Test("Every suggested command and all of its options exist")
    func commands() throws {
        let (command, option) = (try Regex(Self.command), try Regex(" (--?[a-z][a-z-]*)"))
        var count = 0
        for line in Self.lines where line.text.contains("synthhost ") {
            for match in line.text.matches(of: command) {
                let words = String(match.output[1].substring ?? "").split(separator: " ").map(String.init)
                guard let node = node(of: words) else {
                    Issue.record("\(line.place): there is no command \(words)")
                    continue
                }
                count += 1
                let rest = String(match.output[0].substring ?? "")
                let options = Set((node.command.options + CommandTable.globalOptions).flatMap(\.names))
                for match in rest.matches(of: option) {
                    let name = String(match.output[1].substring ?? "")
                    #expect(options.contains(name), "\(line.place): synthhost \(node.path) has no option \(name)")
                }
            }
        }
        // A low count indicates that the sources were not found.
        #expect(count > 50)
    }

    @Test("Every long option mentioned in the sources exists")
    func options() throws {
        let known = Set(
            (CommandTable.globalOptions + tree.nodes.flatMap(\.command.options)).map(\.name)
        )
        let option = try Regex("(?:^|[^-\\w$])(--[a-z][a-z-]+)")
        for line in Self.lines
        where line.text.contains("--") && line.text.contains("\"") && !line.place.contains("/Manual/")
            // These lines contain options of LibreOffice, ocrmypdf, and programs that get the selected text.
            && !line.text.contains("\"soffice ") && !line.text.contains("ocrmypdf ")
            && !line.place.contains("ReadCommand.swift")
        {
            for match in line.text.matches(of: option) {
                let name = String(match.output[1].substring ?? "")
                #expect(known.contains(name), "\(line.place): no command has an option \(name)")
            }
        }
    }

    /// Returns the longest command at the start of the words; nil if the first word is not a command.
    private func node(of words: [String]) -> CommandTree.Node? {
        for count in stride(from: words.count, to: 0, by: -1) {
            if let node = tree.nodes.first(where: { $0.words == Array(words.prefix(count)) }) { return node }
        }
        return nil
    }
}
