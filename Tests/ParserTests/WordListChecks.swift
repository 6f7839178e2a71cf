import Foundation
@testable import SynthScript
@testable import SynthVerbalization

/// The rules for lexicons and for the tables of languages.
enum WordListChecks {
    static func violations(inLexicon bytes: [UInt8]) -> [String] {
        var lexicon = Lexicon()
        guard (try? lexicon.add(bytes.span)) != nil else { return [] }
        // The entries themselves are the text that is most likely to match.
        let text = String(decoding: bytes.prefix(2000).map { $0 == UInt8(ascii: "=") ? 0x20 : $0 }, as: UTF8.self)
        var found: [String] = []
        for language in [nil, "en", "de-AT"] {
            var end = 0
            for edit in lexicon.edits(of: text, in: language) {
                if edit.range.isEmpty || edit.range.lowerBound < end || edit.range.upperBound > text.utf8.count {
                    found.append("an edit at \(edit.range) after \(end) of \(text.utf8.count)")
                }
                end = edit.range.upperBound
                switch edit.replacement {
                case .text(let text): if text.isEmpty { found.append("an empty text at \(edit.range)") }
                case .pronunciation(let ipa, _):
                    if ipa.isEmpty { found.append("an empty pronunciation at \(edit.range)") }
                }
            }
        }
        return found
    }

    /// The tables are followed by a line "---" and by a text.
    static func violations(inTables bytes: [UInt8]) -> [String] {
        let (tables, text) = bytes.split(atLine: "---")
        let folder = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID().uuidString)")
        let language = folder.appending(path: "en")
        try? FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = FileManager.default.createFile(
            atPath: language.appending(path: "language.txt").path, contents: Data(tables))
        let verbalizer = Verbalizer(language: "en", tables: folder.path)
        guard (try? verbalizer.check()) == true else { return [] }
        let spoken = String(decoding: text, as: UTF8.self)
        var (found, end) = ([String](), 0)
        for replacement in verbalizer.replacements(in: spoken) {
            if replacement.range.lowerBound < end || replacement.range.upperBound > spoken.utf8.count {
                found.append("\(replacement.kind) at \(replacement.range) after \(end) of \(spoken.utf8.count)")
            }
            end = replacement.range.upperBound
        }
        return found
    }
}
