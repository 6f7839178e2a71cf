import Foundation
import SynthPhonemes

/// A text and its symbols from misaki, with one version of espeak-ng. Written by `Scripts/measure/parity`.
struct ParityGolden: Decodable {
    var language: String
    var text: String
    var symbols: String

    /// The texts for the installed version of espeak-ng. Phonemes differ between versions.
    static let texts = read("")
    /// The English words of the texts, one by one, as misaki passes them to espeak-ng.
    static let words = read("words-")

    private static func read(_ kind: String) -> [ParityGolden] {
        let version = Espeak.version.prefix { $0.isNumber || $0 == "." }
        let path = Fixtures.kokoro("\(kind)espeak-ng-\(version).json")
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return (try? JSONDecoder().decode([ParityGolden].self, from: data)) ?? []
    }

    /// The names of the reasons for differences, keyed by text. Tests/Fixtures/Kokoro/README.md explains them.
    static let differences: [String: String] = {
        let lines = (try? String(contentsOfFile: Fixtures.kokoro("differences.tsv"), encoding: .utf8)) ?? ""
        var reasons: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: "\t").map(String.init)
            if parts.count == 3 { reasons[key(parts[0], parts[2])] = parts[1] }
        }
        return reasons
    }()

    var key: String { Self.key(language, text) }

    static func key(_ language: String, _ text: String) -> String { "\(language)\t\(text)" }
}
