import Foundation
import SynthVerbalization
import Testing

/// The example tables in the tests' folder, and the verbalizers for them.
enum Table {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    /// The folder of the languages' tables.
    static let languages = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/SynthVerbalization/Languages").path

    /// A text and its expected verbalization.
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let said: String
        var testDescription: String { text }
    }

    /// The lines of a file, without comments.
    static func lines(_ file: String) -> [String] {
        let text = (try? String(contentsOf: here.appending(path: "Tables/\(file)"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { String($0) }.filter { !$0.hasPrefix("# ") }
    }

    /// The rows of a file: text, tab, expected verbalization.
    static func rows(_ file: String) -> [Row] {
        lines(file).compactMap { line in
            let cells = line.split(separator: "\t").map { String($0) }
            return cells.count == 2 ? Row(text: cells[0], said: cells[1]) : nil
        }
    }

    static func verbalizer(_ language: String) -> Verbalizer { Verbalizer(language: language, tables: languages) }
}
