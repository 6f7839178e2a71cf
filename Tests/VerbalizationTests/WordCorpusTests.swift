import Foundation
import Testing
import TestNumbers
import WordChecks

/// The seed files for `Scripts/fuzz words`, and inputs that exposed faults.
@Suite("The word corpus")
struct WordCorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus/words")

    private static func inputs() throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    @Test("No corpus file, whether complete or damaged, violates an invariant")
    func said() throws {
        let inputs = try Self.inputs()
        #expect(inputs.count >= 17)
        var random = SeededRandom(1)
        for input in inputs {
            #expect(WordInput(input).violations() == [])
            for _ in 0..<20 {
                var damaged = input
                for _ in 0..<4 {
                    let other = inputs.randomElement(using: &random) ?? []
                    let start = Int.random(in: 0...other.count, using: &random)
                    let place = Int.random(in: 0...damaged.count, using: &random)
                    let end = min(damaged.count, place + Int.random(in: 0...9, using: &random))
                    damaged.replaceSubrange(place..<end, with: other[start..<min(other.count, start + 9)])
                }
                #expect(WordInput(damaged).violations() == [], "\(String(decoding: damaged, as: UTF8.self))")
            }
        }
    }
}
