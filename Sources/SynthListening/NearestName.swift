import SynthCatalogue

/// Finds which of some names was heard, though a recognizer may have written it otherwise.
package struct NearestName: Equatable, Sendable {
    /// The place in the names.
    package let index: Int
    /// How far what was heard is from the name: 0 = the same but for capitals, spaces and signs, 1 = nothing in common.
    package let distance: Double

    /// Names that are further away are not what was meant.
    package static let farthest = 0.4

    /// The name that a recognizer chose by the sound; the distance of what it wrote down.
    package init(_ choice: Int, of names: [String], heard text: String) {
        index = choice
        distance = NearestName(of: [names[choice]], heard: text, farthest: 1)?.distance ?? 1
    }

    /// Among other words only one that is nearer counts: "been" is not "Ben".
    private static let farthestAmongOthers = 0.2

    /// The nearest of the names, also among other words: "um, Anna please". Of equals in the same words the longest, then the
    /// first; nil if equals are in different words, as in "Anna? No, Ben", or all are too far.
    package init?(of names: [String], heard text: String, farthest: Double = farthest) {
        let heard = Self.letters(text)
        let words = text.prefix(Self.longest).split(whereSeparator: \.isWhitespace)
        var best: (index: Int, distance: Double, length: Int)?
        /// Where each name is that is as near as the nearest.
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
            places.allSatisfy { other in one.contains { place in other.contains { $0.overlaps(place) } } }
        }
        guard let best, isClear else { return nil }
        (index, distance) = (best.index, best.distance)
    }

    private static func distance(_ heard: [Character], _ name: [Character]) -> Double {
        if heard.isEmpty { return 1 }
        return Double(Suggestions.distance(of: heard, to: name)) / Double(max(heard.count, name.count))
    }

    private static let longest = 500

    /// Letters and digits alone: "Jean-Luc" and "jean luc" are the same.
    private static func letters(_ text: String) -> [Character] {
        text.prefix(longest).lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    }
}
