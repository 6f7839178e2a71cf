import Foundation
import SynthHost
import SynthScript

/// A written sentence and its spoken forms, from Tests/SpokenLists. See the README there for details.
package struct SpokenRow: Sendable {
    package let text: String
    /// Correct spoken forms, with the usual form first.
    package let readings: [String]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The rows that authors of rules may read, and those that they wrote themselves.
    package static func open(_ language: String) -> [SpokenRow] {
        ["open", "own"].flatMap { rows(in: $0, language) }
    }

    private static func rows(in list: String, _ language: String) -> [SpokenRow] {
        let file = root.appending(path: "Tests/SpokenLists/\(list)/\(language).tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t").map(String.init)
            return columns.count > 2 ? SpokenRow(text: columns[1], readings: Array(columns[2...])) : nil
        }
    }

    /// The tables of each language are read once.
    private static let preparation = TextPreparation(
        lexicon: nil,
        verbalizers: Verbalizers(tables: root.appending(path: "Sources/SynthVerbalization/Languages").path))

    /// The texts that an engine receives, one per utterance.
    package func engineTexts(in language: String) throws -> [String] {
        let source = PreparedText(try CompleteText(text), in: language, by: Self.preparation)
        var texts: [String] = []
        while let step = try source.next() {
            if let utterance = step.utterance { texts.append(EngineText(utterance, takesPhonemes: false).form.text) }
        }
        return texts
    }

    /// Whether an engine's symbols for the prepared text match those for one of the readings.
    ///
    /// - Parameter symbols: Returns the phonemes that the engine's reader generates from the text.
    package func isRight(in language: String, _ symbols: (String) throws -> String) throws -> Bool {
        let said = try engineTexts(in: language).map(symbols).joined()
        return try readings.contains { Self.sounds(try symbols($0)) == Self.sounds(said) }
    }

    /// Returns the symbols without stress marks, spaces and punctuation.
    private static func sounds(_ symbols: String) -> String {
        String(
            String.UnicodeScalarView(
                symbols.unicodeScalars.filter { $0.properties.isAlphabetic && !"ˈˌ".unicodeScalars.contains($0) }))
    }
}
