import Foundation
import Synchronization
package import SynthVerbalization

/// The verbalizers for all languages, each created once.
package enum Verbalizers {
    private static let known = Mutex<[String: Verbalizer]>([:])

    /// The folder of the languages' tables.
    package static let tables = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/SynthVerbalization/Languages").path

    /// The codes of the languages and regions with rules. English is first.
    static let languages = ((try? FileManager.default.contentsOfDirectory(atPath: tables)) ?? [])
        .filter { $0 != "any" && FileManager.default.fileExists(atPath: "\(tables)/\($0)/rules.txt") }
        .sorted { ($0 == "en" ? "" : $0) < ($1 == "en" ? "" : $1) }

    package static func verbalizer(of language: String) -> Verbalizer {
        known.withLock { known in
            if let verbalizer = known[language] { return verbalizer }
            let verbalizer = Verbalizer(language: language, tables: tables)
            known[language] = verbalizer
            return verbalizer
        }
    }
}
