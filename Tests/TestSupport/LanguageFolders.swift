import Foundation

/// The language folders, which let tests cover every language without listing it.
package enum LanguageFolders {
    package static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/SynthVerbalization/Languages").path

    /// The codes of the languages and regions whose folder contains a file, sorted.
    package static func codes(with file: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
            .filter { $0 != "any" && FileManager.default.fileExists(atPath: "\(path)/\($0)/\(file)") }
    }

    /// The languages whose rules cover all kinds of written text. In other languages, only numbers and dates are covered.
    package static let complete = codes(with: "books.txt")
}
