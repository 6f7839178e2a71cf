import Foundation
import SynthHibari
import Testing
import TestNumbers
import VoiceChecks

/// The seed files for `Scripts/fuzz voices`, and inputs that exposed faults. The name of a file starts with its `VoiceForm`.
@Suite("The corpus of small voices and their English data") struct VoiceCorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Corpus/voices")

    private static func files(_ form: VoiceForm) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix(form.rawValue) }.sorted { $0.path < $1.path }
            .map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test("No file, whether complete or damaged, makes a reader violate its invariants", arguments: VoiceForm.allCases)
    func read(form: VoiceForm) throws {
        let files = try Self.files(form)
        #expect(!files.isEmpty)
        var random = SeededRandom(1)
        for (name, bytes) in files {
            #expect(bytes.first == form.letter, "\(name)")
            #expect(VoiceForm.violations(in: bytes) == [], "\(name)")
            for round in 0..<20 {
                var damaged = Array(bytes.dropFirst())
                for _ in 0..<4 where !damaged.isEmpty {
                    damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                #expect(form.violations(in: damaged) == [], "\(name), round \(round): \(damaged)")
            }
        }
    }

    @Test("An unreadable graph is rejected, and the error includes its role")
    func graphs() {
        for bytes in [[], Array("<html>".utf8), [UInt8](repeating: 0xFF, count: 5000)] {
            #expect(GraphInvariants.violations(of: bytes) == [])
        }
    }

    @Test("An edit changes one byte, and if the input's first byte is odd, the file is truncated first")
    func edits() {
        let whole: [UInt8] = [1, 2, 3, 4]
        #expect(Edits.applied([], to: whole) == whole)
        #expect(Edits.applied([0, 0, 0, 1, 9], to: whole) == [1, 9, 3, 4])
        #expect(Edits.applied([0, 0, 0, 6, 9], to: whole) == [1, 2, 9, 4])
        #expect(Edits.applied([1, 0, 0, 2, 0, 0, 0, 9], to: whole) == [9, 2])
        #expect(Edits.applied([0, 0, 0, 0, 9], to: whole, places: [3]) == [1, 2, 3, 9])
    }
}
