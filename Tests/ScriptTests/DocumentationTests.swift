import Foundation
import Testing
import TestSupport

@Suite("The library's documentation", .ownThreads)
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let articles = [
        "SynthHost", "SpeakAndSave", "FollowWords", "DownloadVoices", "TuneVoices", "QueueSpeech",
    ]

    private func run(_ program: String, _ arguments: [String]) throws -> ChildResult {
        try ChildProcess(
            "/usr/bin/env", arguments: ([program] + arguments).map { Array($0.utf8) },
            environment: ProcessInfo.processInfo.environment
        ).finish(within: .seconds(120))
    }

    /// The module maps that another program needs to import the library of this build.
    private func moduleMaps() -> [String] {
        let files = FileManager.default
        return ["\(Self.root)/Sources", BuildFolder.path].flatMap { folder -> [String] in
            let names = files.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            return names.filter { $0.hasSuffix("/module.modulemap") }.map { "\(folder)/\($0)" }
        }
    }

    @Test("has code that compiles as it stands", arguments: articles)
    func code(article: String) throws {
        let home = try UserHome()
        let text = try String(
            contentsOfFile: "\(Self.root)/Sources/SynthHost/SynthHost.docc/\(article).md", encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(!blocks.isEmpty)
        for (number, block) in blocks.enumerated() {
            try home.write(block, to: "main.swift")
            let maps = moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
            let result = try run(
                "swiftc",
                [
                    "-c", "-o", "/dev/null", "-swift-version", "6", "-warnings-as-errors", "-I",
                    "\(BuildFolder.path)/Modules",
                ] + maps
                    + [home.file("main.swift")])
            #expect(result.code == 0, "block \(number): \(result.errors)")
        }
    }

    @Test("covers every public symbol and has no broken link")
    func conversion() throws {
        let home = try UserHome()
        let result = try run(
            "\(Self.root)/Scripts/document", [home.file("documentation"), "\(BuildFolder.path)/Modules"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(home.exists("documentation/data/documentation/synthhost/speech.json"))
    }
}
