import Foundation
import Testing
import TestNumbers

/// The seed files for `Scripts/fuzz`, and inputs that exposed faults, for all readers that this module checks.
@Suite("The corpora for file format readers")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus")

    private static func inputs(_ target: ParserTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = folder.appending(path: target.rawValue)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test("No file, whether complete or damaged, makes a reader violate its rules", arguments: ParserTarget.built)
    func read(target: ParserTarget) throws {
        let inputs = try Self.inputs(target)
        #expect(inputs.count >= 3)
        var random = SeededRandom(1)
        for (name, bytes) in inputs {
            #expect(target.violations(in: bytes) == [], "\(name)")
            for round in 0..<12 {
                let other = inputs.randomElement(using: &random)?.bytes ?? []
                let damaged = Self.damaged(bytes, with: other, using: &random)
                #expect(target.violations(in: damaged) == [], "\(name), round \(round): \(damaged)")
            }
        }
    }

    @Test("The corpora are small", arguments: ParserTarget.allCases)
    func size(target: ParserTarget) throws {
        #expect(try Self.inputs(target).reduce(0) { $0 + $1.bytes.count } <= 40_000)
    }

    /// The bytes with up to four changes: a changed byte, bytes from another input, or a truncation.
    private static func damaged(_ bytes: [UInt8], with other: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...9, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = .random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
            case 2:
                let start = Int.random(in: 0...other.count, using: &random)
                bytes.replaceSubrange(place..<end, with: other[start..<min(other.count, start + 12)])
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
