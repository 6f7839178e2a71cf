import Foundation
import Testing
import TestSupport

/// `Scripts/release/test-install` verifies that the examples run.
@Suite("Library documentation", .ownThreads)
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private func run(_ program: String, _ arguments: [String]) throws -> ChildResult {
        try ChildProcess(
            "/usr/bin/env", arguments: ([program] + arguments).map { Array($0.utf8) },
            environment: ProcessInfo.processInfo.environment
        ).finish(within: .seconds(120))
    }

    @Test("The documentation covers all public symbols and has no broken links")
    func conversion() throws {
        let home = try UserHome()
        let result = try run(
            "\(Self.root)/Scripts/release/document", [home.file("documentation"), "\(BuildFolder.path)/Modules"])
        #expect(result.code == 0, "\(result.errors)")
        #expect(home.exists("documentation/data/documentation/synthhost/speech.json"))
    }
}
