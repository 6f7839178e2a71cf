import VoiceCatalogue

/// Finds which of some names was heard, though a recognizer may have written it otherwise.
package struct NearestName: Equatable, Sendable {
    /// The place in the names.
    package let index: Int
    /// How far what was heard is from the name: 0 = the same but for capitals, spaces and signs, 1 = nothing in common.
    package let distance: Double

    /// Names that are further away are not what was meant.
    package static let farthest = 0.4

    /// The nearest of the names, the first of equals; nil if all are too far.
    package init?(of names: [String], heard text: String, farthest: Double = farthest) {
        let heard = Self.letters(text)
        var best: (index: Int, distance: Double)?
        for (index, name) in names.enumerated() {
            let letters = Self.letters(name)
            guard !heard.isEmpty, !letters.isEmpty else { continue }
            let distance =
                Double(Suggestions.distance(of: heard, to: letters)) / Double(max(heard.count, letters.count))
            if distance <= farthest, distance < best?.distance ?? .infinity { best = (index, distance) }
        }
        guard let best else { return nil }
        (index, distance) = best
    }

    /// Letters and digits alone: "Jean-Luc" and "jean luc" are the same.
    private static func letters(_ text: String) -> [Character] {
        text.prefix(500).lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    }
}
