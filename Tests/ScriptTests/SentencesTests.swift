import Foundation
import Testing

/// Libraries throw errors as values. Only a front end prints messages and tells users what to type.
@Suite("Messages in libraries")
struct SentencesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Front-end modules that programs share.
    private static let frontEnds = [
        "SynthCommandSyntax/", "SynthSpeechDispatcher/Program/",
    ]

    private static let commands = [
        "speak", "play", "read", "book", "voices", "models", "engines", "config", "doctor", "setup", "serve", "listen",
    ]

    /// A file's string literals and their line numbers.
    private func quotations(_ text: String) -> [(line: Int, text: String)] {
        var found: [(Int, String)] = []
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            if code.contains("\"\"\"") {
                isInside.toggle()
            } else if isInside {
                found.append((index + 1, String(code)))
            } else if let start = code.firstIndex(of: "\""), let end = code.lastIndex(of: "\""), start < end {
                found.append((index + 1, String(code[start...end])))
            }
        }
        return found
    }

    /// Returns the command or option that the text names.
    private func command(in text: String) -> String? {
        guard text.contains("synthhost") || text.contains("-") else { return nil }
        // A different program's command line is data, like its name.
        if text.hasPrefix("\"soffice ") { return nil }
        for match in text.matches(of: /synthhost ([a-z]+)/) where Self.commands.contains(String(match.1)) {
            return String(match.0)
        }
        if text.contains("`synthhost") || text.contains("`-") { return text }
        // Returns an option, including its dashes, at the start of a word.
        return text.firstMatch(of: /[ "](--[a-z][a-z-]+)/).map { String($0.1) }
            ?? text.firstMatch(of: #/ (-[a-z])[^\p{L}-]/#).map { String($0.1) }
    }

    @Test("Libraries do not mention front-end commands and options")
    func commands() throws {
        let sources = "\(Self.root)/Sources"
        var count = 0
        for path in FileManager.default.enumerator(atPath: sources)?.compactMap({ $0 as? String }) ?? []
        where path.hasSuffix(".swift") && path.first?.isUppercase == true
            && !Self.frontEnds.contains(where: path.hasPrefix)
        {
            let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
            for quotation in quotations(text) {
                count += 1
                if let command = command(in: quotation.text) {
                    Issue.record("Sources/\(path):\(quotation.line) names \(command): \(quotation.text)")
                }
            }
        }
        #expect(count > 300)
    }

    @Test(
        "A command or option in a literal is detected",
        arguments: [
            #""Type: synthhost models pull x""#, #""`synthhost doctor` shows it""#, #""add it with --id NAME""#,
            #""choose another file with `-o file.wav`""#, #""name one with -v.""#, #""--config""#,
        ])
    func commandIsSeen(quotation: String) {
        #expect(command(in: quotation) != nil)
    }

    @Test(
        "Other words that start with dashes are not mistaken for options",
        arguments: [
            #""synthhost-worker""#, #""lib/synthhost/plugins""#, #""the engine-work of a well-known""#, #""a - b""#,
        ])
    func others(quotation: String) {
        #expect(command(in: quotation) == nil)
    }
}
