import CommandSupport
import Foundation
import Testing
import TestSupport

@testable import SynthCommandSyntax
@testable import synthhost_cli

@Suite("Guides") struct GuideTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/synthhost-cli/Guides").path

    @Test("`help` shows guides without Markdown link, heading and fence syntax", arguments: Guide.allCases)
    func shown(_ guide: Guide) throws {
        let home = try UserHome()
        let result = try home.run(["help", guide.rawValue])
        #expect(result.code == 0, "\(result.errors)")
        let text = result.text
        let source = try String(contentsOfFile: "\(Self.folder)/\(guide.rawValue).md", encoding: .utf8)
        let title = source.split(separator: "\n").first
        #expect(text.hasPrefix("\(try #require(title).dropFirst(2).uppercased())\n\n"))
        #expect(text.count > 1000)
        #expect(source.split(whereSeparator: \.isWhitespace).count <= 1800)
        #expect(!text.contains("](") && !text.contains("```") && !text.contains("\n#"))
    }

    @Test("The program contains every guide in the folder, and the help lists them all")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(files) == Set(Guide.allCases.map { "\($0.rawValue).md" }))
        let help = HelpText.render(for: ["help"])
        #expect(HelpText.render(for: []).contains("\n  reading "))
        for guide in Guide.allCases { #expect(help.contains("\n  \(guide.rawValue) ")) }
        #expect(CommandTable.root.subcommands.allSatisfy { Guide(rawValue: $0.word) == nil })
    }

    @Test("For a word that is not a command or guide, `help` lists the guides that contain it")
    func searched() throws {
        let home = try UserHome()
        let found = try home.run(["help", "Kubernetes"])
        #expect(found.code == 0 && found.errors.contains("No command or guide is called \"Kubernetes\""))
        let guides = found.text.split(separator: "\n").map { String($0.prefix { $0 != ":" }) }
        let expected = try Guide.allCases.map(\.rawValue).filter {
            try String(contentsOfFile: "\(Self.folder)/\($0).md", encoding: .utf8).contains("Kubernetes")
        }
        #expect(Set(guides) == Set(expected) && !guides.isEmpty)
        // The list begins with the guide that contains the word most often.
        #expect(found.errors.contains("synthhost help \(guides.first ?? "")"))
        // "phone" does not occur as a part of "microphone".
        let phone = try home.run(["help", "phone"])
        #expect(phone.text.contains("web-page: ") && !phone.text.contains("listening"))
        let unknown = try home.run(["help", "xylophones"])
        #expect(unknown.code == 64 && unknown.errors.contains("no guide contains this word"), "\(unknown.errors)")
        // A typing error is not a search.
        let mistyped = try home.run(["help", "speek"])
        #expect(mistyped.code == 64 && mistyped.errors.contains("Did you mean speak?"))
    }

    @Test("Paragraphs, list items and table cells are wrapped, but examples are not")
    func rendered() {
        var text = GuideText(width: 30)
        let document = """
            # A [title](x.md)

            Some words that are longer than one line of [thirty](https://example.org/a) columns.

            * an item that is longer than one line, too
            * [x] no link

            ```console
            $ synthhost speak "a line that is longer than thirty columns"
            ```
            | a | b |
            |---|---|
            | `c` | [d](e) |
            | longer | |
            | f | some words in a cell that is too wide |

            ![A picture](page.png)
            """
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) { text.read(line) }
        #expect(
            text.end() == """
                A TITLE

                Some words that are longer
                than one line of thirty
                columns.

                * an item that is longer
                  than one line, too
                * [x] no link

                    $ synthhost speak "a line that is longer than thirty columns"
                  a       b
                  `c`     d
                  longer
                  f       some words in a cell
                          that is too wide

                """)
    }
}
