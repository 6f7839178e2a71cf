import Foundation
import Phonemes
import TestSupport
import Testing

/// What Piper's own reader makes of the texts with one version of espeak-ng. `Scripts/parity` writes it.
private struct Golden: Decodable, CustomTestStringConvertible, Sendable {
    var voice: String
    var text: String
    var ids: [[Int64]]

    var testDescription: String { "\(voice): \(text)" }

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// Empty where the espeak-ng of this machine is of a version that was not compared yet.
    static let all: [Golden] = {
        let version = Espeak.version.prefix { $0.isNumber || $0 == "." }
        let url = fixtures.appending(path: "Phonemes/espeak-ng-\(version).json")
        guard let data = try? Data(contentsOf: url) else { return [] }
        return (try? JSONDecoder().decode([Golden].self, from: data)) ?? []
    }()

    static let map: Result<PhonemeIDMap, any Error> = Result {
        struct Configuration: Decodable { var phoneme_id_map: [String: [Int64]] }
        let data = try Data(contentsOf: fixtures.appending(path: "Voices/en_US-tern-x_low.onnx.json"))
        return try PhonemeIDMap(try JSONDecoder().decode(Configuration.self, from: data).phoneme_id_map)
    }
}

@Suite(.enabled(if: !Golden.all.isEmpty, "this version of espeak-ng was not compared yet"), .espeakTurn)
struct ParityTests {
    /// Begin, end, and the ids of `! , . : ; ?`.
    private static let structure: Set<Int64> = [1, 2, 4, 8, 10, 11, 12, 13]

    private func ids(_ golden: Golden) throws -> [[Int64]] {
        let map = try Golden.map.get()
        return try EspeakPhonemizer(voice: golden.voice).sentences(of: golden.text).map { map.ids(of: $0).ids }
    }

    @Test("sentences, and the punctuation in them, are those of Piper's own reader", arguments: Golden.all)
    private func structure(golden: Golden) throws {
        let ours = try ids(golden).map { $0.filter(Self.structure.contains) }
        #expect(ours == golden.ids.map { $0.filter(Self.structure.contains) })
    }

    // Piper carries an espeak-ng of its own, newer than any release, that reads a few words differently with the same
    // data: every Italian r, and in other languages one word in a hundred.
    @Test("ids are those of Piper's own reader, but for words that its espeak-ng reads differently")
    func identity() throws {
        let others = Golden.all.filter { $0.voice != "it" }
        let same = try others.filter { try ids($0) == $0.ids }
        #expect(Double(same.count) >= 0.85 * Double(others.count), "\(same.count) of \(others.count)")
    }
}
