import Foundation
import Testing

/// The host has no code for specific engines; their naming conventions are data in the registry.
@Suite("Engine names in the host")
struct EngineNamesTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources").path

    /// Files that may name engines: the documentation for engine authors, and examples in the manual and the help.
    private static let examples = [
        "EngineKit/", "SynthCommandSyntax/Manual/", "SynthCommandSyntax/Arguments/CommandTable",
    ]
    /// Tables of libraries. They list the Debian packages that contain the libraries, and define how to read their versions.
    private static let known = [
        "synthhost-cli/Commands/Configuration/LibraryVersion.swift",
        "SynthCommandSyntax/Wording/Engines/MissingLibrary.swift",
    ]

    @Test("The host's code does not name any engine")
    func names() throws {
        var checked = 0
        for path in FileManager.default.enumerator(atPath: Self.sources)?.compactMap({ $0 as? String }) ?? []
        where path.hasSuffix(".swift") {
            guard !(Self.examples + Self.known).contains(where: { path.hasPrefix($0) }) else { continue }
            checked += 1
            let text = try String(contentsOfFile: "\(Self.sources)/\(path)", encoding: .utf8)
            // In a build without optimization, matching every line against a regular expression would take seconds.
            let small = text.lowercased()
            guard ["espeak", "piper", "kokoro", "hibari"].contains(where: { small.contains($0) }) else { continue }
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                #expect(!code.contains(/(?i)espeak|piper|kokoro|hibari/), "\(path):\(number + 1): \(line)")
            }
        }
        #expect(checked > 200)
    }
}
