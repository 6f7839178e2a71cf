import Foundation
import Testing

/// Libraries throw values; only a front end makes sentences of them, and tells what to type.
@Suite("The libraries")
struct SentencesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Rooms of the front ends, which programs share.
    private static let frontEnds = [
        "SynthCommandSyntax/", "SynthSpeechDispatcher/Program/",
    ]

    private static let commands = [
        "speak", "play", "read", "book", "voices", "models", "engines", "config", "doctor", "setup", "serve", "listen",
    ]

    /// What a file says in quotes, line by line, with the number of the line.
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

    /// What of a command line a text names.
    private func command(in text: String) -> String? {
        guard text.contains("synthhost") || text.contains("-") else { return nil }
        // How a program of others is called is a fact, as its name is.
        if text.hasPrefix("\"soffice ") { return nil }
        for match in text.matches(of: /synthhost ([a-z]+)/) where Self.commands.contains(String(match.1)) {
            return String(match.0)
        }
        if text.contains("`synthhost") || text.contains("`-") { return text }
        // An option with its dashes, as at the start of a word.
        return text.firstMatch(of: /[ "](--[a-z][a-z-]+)/).map { String($0.1) }
            ?? text.firstMatch(of: #/ (-[a-z])[^\p{L}-]/#).map { String($0.1) }
    }

    @Test("name no command and no flag of a front end")
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
        "are seen to name one",
        arguments: [
            #""Type: synthhost models pull x""#, #""`synthhost doctor` shows it""#, #""add it with --id NAME""#,
            #""choose another file with `-o file.wav`""#, #""name one with -v.""#, #""--config""#,
        ])
    func commandIsSeen(quotation: String) {
        #expect(command(in: quotation) != nil)
    }

    @Test(
        "are not taken at their word for something else",
        arguments: [
            #""synthhost-worker""#, #""lib/synthhost/plugins""#, #""the engine-work of a well-known""#, #""a - b""#,
        ])
    func others(quotation: String) {
        #expect(command(in: quotation) == nil)
    }
}
