import Foundation
import ScriptChecks
import Testing
import TestNumbers

/// The seed files for `Scripts/fuzz scripts`, and inputs that exposed faults.
@Suite("The script corpus")
struct ScriptCorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus/scripts")

    private static func documents() throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test("No file, whether complete or damaged, makes a reader violate its rules", arguments: ScriptForm.allCases)
    func read(form: ScriptForm) throws {
        let documents = try Self.documents()
        #expect(documents.count >= 10)
        var random = SeededRandom(1)
        for document in documents {
            #expect(form.violations(in: document) == [])
            for _ in 0..<100 {
                let other = documents.randomElement(using: &random) ?? []
                let damaged = ScriptMutation.damage(document, with: other, using: &random)
                #expect(form.violations(in: damaged) == [])
            }
        }
    }
}
