import EngineKit
import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthWhisper

/// Damaged token tables and configurations. Each is either rejected with a message or still works, and none causes a crash.
/// SYNTHHOST_MUTATIONS sets the number of damaged files.
@Suite("Damaged Whisper files")
struct DamagedTableTests {
    private static let count = ProcessInfo.processInfo.environment["SYNTHHOST_MUTATIONS"].flatMap { Int($0) } ?? 300

    private func mutated(_ whole: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let length = Int.random(in: 1...80, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + length))
            case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + length)], at: place)
            case 3: bytes.removeLast(bytes.count - place)
            case 4: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
            default:
                // Numbers that are far too large or negative, and values that are not numbers.
                let numbers = ["9007199254740993", "-1", "1e308", "0.5", "null", "[]", "{}", "\"\""]
                let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
                if !digits.isEmpty {
                    bytes.replaceSubrange(
                        digits.indices, with: Array((numbers.randomElement(using: &random) ?? "0").utf8))
                }
            }
        }
        return bytes
    }

    @Test("A damaged token table is either rejected or still works")
    func tokenizer() throws {
        let whole = try Fixture.content("tokenizer.json")
        var random = SeededRandom(36)
        var (taken, refused) = (0, 0)
        for _ in 0..<Self.count {
            do {
                let table = try TokenTable(json: mutated(whole, &random))
                let text = table.text([table.start, table.end, 0, 1, 2, table.largest, table.largest + 1, -1])
                #expect(text.utf8.count < 10_000)
                #expect(!TokenEncoder(table).tokens(of: " Hello, world").contains { $0 > table.largest })
                taken += 1
            } catch let error as EngineError {
                #expect(error.role == "tokenizer")
                refused += 1
            }
        }
        #expect(taken > 0 && refused > 0)
    }

    @Test("A damaged configuration is either rejected or still works")
    func configuration() throws {
        let whole = try Fixture.content("generation_config.json")
        let table = try Fixture.table()
        var random = SeededRandom(37)
        for _ in 0..<Self.count {
            do {
                let configuration = try GenerationConfiguration(json: mutated(whole, &random), table, vocabulary: nil)
                let rules = TokenRules(table: table, configuration: configuration, isTimed: true)
                let scores = [Float](repeating: 0, count: table.largest + 1)
                #expect(
                    try rules.choices(3, scores: scores[...], after: []).allSatisfy {
                        (0...table.largest).contains($0.token)
                    })
            } catch let error as EngineError {
                #expect(["config", "decoder"].contains(error.role))
            }
        }
    }
}
