import System
import VoiceCatalogue

/// The ten sentences that the loudness of a voice is measured with.
///
/// They stand in `sentences.txt` in the folder of the language's tables, one a line; a line that begins with `# ` is a
/// comment. A language without that file is measured with numbers, since every language has digits. With espeak-ng the two
/// differ by 0.1 to 0.8 LU in six languages, and by 1.4 LU in Japanese.
enum LoudnessSentences {
    static let count = 10

    /// For the languages that have no sentences. Without commas: pauses make speech softer before and after them.
    static let numbers = [
        "3 18 40 7 25 61.", "12 5 90 26 33 8.", "8 31 14 60 47 2.", "70 2 19 45 81 36.", "6 80 11 23 54 17.",
        "50 9 34 17 62 28.", "13 28 4 66 91 20.", "21 16 75 30 8 43.", "1 55 20 48 37 12.", "99 10 37 15 6 84.",
    ]

    /// - Parameters:
    ///   - language: BCP-47.
    ///   - folder: the folder of the languages' tables; nil = there is none.
    static func sentences(in language: String, of folder: String?) -> [String] {
        guard let folder else { return numbers }
        for tag in tags(of: language) where FileName.isID(tag) {
            guard let text = try? readWholeFile("\(folder)/\(tag)/sentences.txt", limit: 64 << 10) else { continue }
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
            let sentences = lines.filter { !$0.hasPrefix("# ") }.prefix(count)
            if sentences.count == count { return Array(sentences) }
        }
        return numbers
    }

    /// The language itself, without its region, and under its other names.
    private static func tags(of language: String) -> [String] {
        let names = [language] + RelatedLanguages.tags(for: language.lowercased())
        return names + names.map { String($0.prefix { $0 != "-" }) }
    }
}
