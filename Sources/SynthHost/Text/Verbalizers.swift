import System
import Verbalization
import VoiceCatalogue

/// The verbalizers of all languages, each made when a text of its language first needs one. Any thread may use it.
package final class Verbalizers: Sendable {
    private static let most = 16

    private let tables: String
    private let known = Monitor<[String: Verbalizer]>([:])

    /// - Parameter tables: the folder of the languages' tables.
    package init(tables: String) { self.tables = tables }

    /// - Parameter language: BCP-47.
    func verbalizer(of language: String) -> Verbalizer {
        known.update { known in
            if let verbalizer = known[language] { return verbalizer }
            // A document may name any number of languages.
            if known.count == Self.most { known = [:] }
            let verbalizer = Verbalizer(language: Self.tableTag(language), tables: tables)
            known[language] = verbalizer
            return verbalizer
        }
    }

    /// Mandarin has its tables under the tag of Chinese.
    private static func tableTag(_ language: String) -> String {
        RelatedLanguages.areSame(language, "zh") && !language.lowercased().hasPrefix("zh") ? "zh" : language
    }
}
