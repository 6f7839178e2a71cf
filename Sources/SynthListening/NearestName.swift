import SynthCatalogue

/// Finds the name that was spoken, even if the recognizer spelled it differently.
package struct NearestName: Equatable, Sendable {
    /// The index in the list of names.
    package let index: Int
    /// The distance between the recognized text and the name. 0 means that they differ only in case, spaces and
    /// punctuation; 1 means that they have nothing in common.
    package let distance: Double

    /// The maximum distance at which a name counts as a match.
    package static let farthest = 0.4

    /// Creates a result for a name that the recognizer itself chose. The distance is measured between the name and the
    /// transcript.
    package init(_ choice: Int, of names: [String], heard text: String) {
        index = choice
        distance = NearestName(of: [names[choice]], heard: text, farthest: 1)?.distance ?? 1
    }

    /// The maximum distance for a name that is spoken among other words. It is lower than `farthest` so that "been"
    /// does not match "Ben".
    private static let farthestAmongOthers = 0.2

    /// Finds the nearest name, even among other words, as in "um, Anna please". If several names match the same words
    /// equally well, the longest one is chosen or, among names of the same length, the first. Returns nil if equally
    /// near names match different words, as in "Anna? No, Ben", or if no name is near enough.
    package init?(of names: [String], heard text: String, farthest: Double = farthest) {
        let heard = Self.letters(text)
        let words = text.prefix(Self.longest).split(whereSeparator: \.isWhitespace)
        var best: (index: Int, distance: Double, length: Int)?
        /// The positions of the nearest names.
        var places: [[Range<Int>]] = []
        for (index, name) in names.enumerated() {
            let letters = Self.letters(name)
            guard !heard.isEmpty, !letters.isEmpty else { continue }
            var distance = Self.distance(heard, letters)
            var found = [words.indices]
            let count = name.split { $0.isWhitespace || $0 == "-" }.count
            for count in [count, 1] where count < words.count {
                for start in 0...words.count - count {
                    let among = Self.distance(Self.letters(words[start..<start + count].joined()), letters)
                    guard among <= Self.farthestAmongOthers, among <= distance else { continue }
                    found = (among < distance ? [] : found) + [start..<start + count]
                    distance = among
                }
            }
            guard distance <= farthest, distance <= best?.distance ?? 1 else { continue }
            places = (distance == best?.distance ? places : []) + [found]
            if let best, (best.distance, -best.length) <= (distance, -letters.count) { continue }
            best = (index, distance, letters.count)
        }
        let isClear = places.allSatisfy { one in
            places.allSatisfy { other in one.contains { position in other.contains { $0.overlaps(position) } } }
        }
        guard let best, isClear else { return nil }
        (index, distance) = (best.index, best.distance)
    }

    private static func distance(_ heard: [Character], _ name: [Character]) -> Double {
        if heard.isEmpty { return 1 }
        return Double(Suggestions.distance(of: heard, to: name)) / Double(max(heard.count, name.count))
    }

    private static let longest = 500

    /// Returns only the letters and digits, so that "Jean-Luc" equals "jean luc".
    private static func letters(_ text: String) -> [Character] {
        text.prefix(longest).lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    }
}
