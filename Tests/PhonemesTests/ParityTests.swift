import Foundation
import SynthPhonemes
import SynthSymbols
import Testing
import TestSupport

/// The IDs that Piper's own reader generates for the text, with one version of espeak-ng. Written by `Scripts/measure/parity`.
private struct Golden: Decodable, CustomTestStringConvertible, Sendable {
    var voice: String
    var text: String
    var ids: [[Int64]]
    /// What differs, if anything: the "phonemes" from the library, or the "clauses".
    /// `Tests/Fixtures/Phonemes/README.md` explains both.
    var differs: String?

    var testDescription: String { "\(voice): \(text)" }

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// All expected IDs; empty if there is no comparison for the installed version of espeak-ng.
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

@Suite(.enabled(if: !Golden.all.isEmpty, "This version of espeak-ng was not compared yet."), .espeakTurn)
struct ParityTests {
    /// The IDs of the begin and end symbols and of `! , . : ; ?`.
    private static let structure: Set<Int64> = [1, 2, 4, 8, 10, 11, 12, 13]

    private func ids(_ golden: Golden) throws -> [[Int64]] {
        let map = try Golden.map.get()
        return try EspeakPhonemizer(voice: golden.voice).sentences(of: golden.text, readingInlinePhonemes: true)
            .map { map.ids(of: $0).ids }
    }

    @Test("Sentences and their punctuation match those of Piper's own reader", arguments: Golden.all)
    private func structure(golden: Golden) throws {
        guard golden.differs != "clauses" else { return }
        let ours = try ids(golden).map { $0.filter(Self.structure.contains) }
        #expect(ours == golden.ids.map { $0.filter(Self.structure.contains) })
    }

    @Test("The IDs match those of Piper's own reader, except for texts with known differences")
    func identity() throws {
        for golden in Golden.all {
            let isSame = try ids(golden) == golden.ids
            #expect(isSame == (golden.differs == nil), "\(golden.testDescription)")
        }
    }

    @Test("At least two hundred texts in six languages have the same IDs as in Piper's own reader")
    func count() throws {
        let same = try Golden.all.filter { try ids($0) == $0.ids }
        #expect(same.count >= 200)
        #expect(Dictionary(grouping: same, by: \.voice).count { $1.count >= 10 } >= 6)
    }
}
