import System
import Verbalization

/// The verbalizers of all languages, each made when a text of its language first needs one. Any thread may use it.
package final class Verbalizers: Sendable {
    private let tables: String
    private let known = Monitor<[String: Verbalizer]>([:])

    /// - Parameter tables: the folder of the languages' tables.
    package init(tables: String) { self.tables = tables }

    /// - Parameter language: BCP-47.
    func verbalizer(of language: String) -> Verbalizer {
        known.update { known in
            if let verbalizer = known[language] { return verbalizer }
            let verbalizer = Verbalizer(language: language, tables: tables)
            known[language] = verbalizer
            return verbalizer
        }
    }
}
