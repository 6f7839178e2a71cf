/// Suggestions for mistyped words.
package enum Suggestions {
    /// The maximum length of words to compare. The limit exists because the cost grows with the product of the two
    /// words' lengths.
    private static let longestWord = 64

    /// The candidates that are most similar to a word, best first, ignoring case; empty if none is similar.
    ///
    /// A candidate is similar if it begins with the word, or if its Damerau-Levenshtein distance (restricted to
    /// adjacent transpositions) is at most 1 or a third of the word's length, whichever is greater. If the word has at
    /// least four letters, a longer candidate is also similar if one of its prefixes is at distance 1: "espek" suggests
    /// "espeak-ng".
    ///
    /// - Parameter errors: the maximum distance; nil to derive it from the word's length.
    package static func nearest(
        to word: String, among candidates: some Sequence<String>, limit: Int = 3, errors most: Int? = nil
    ) -> [String] {
        let typed = Array(word.lowercased())
        guard !typed.isEmpty, typed.count <= longestWord else { return [] }
        let bound = max(1, (typed.count + 1) / 3)
        var found: [(score: Int, order: Int, candidate: String)] = []
        for (order, candidate) in candidates.enumerated() {
            let letters = Array(candidate.lowercased())
            guard letters.count <= longestWord else { continue }
            let isBeginning = typed.count >= 2 && letters.starts(with: typed)
            let (distance, toBeginning) = distances(typed, letters)
            var errors: [Int] = []
            if isBeginning { errors.append(1) }
            if distance <= bound, distance < max(typed.count, letters.count) { errors.append(distance) }
            if typed.count >= 4, toBeginning <= 1 { errors.append(toBeginning + 1) }
            guard let least = errors.min(), least <= most ?? .max else { continue }
            let shared = zip(typed, letters).prefix { $0 == $1 }.count
            found.append((least * 8 - min(shared, 7), order, candidate))
        }
        return found.sorted { ($0.score, $0.order) < ($1.score, $1.order) }.prefix(limit).map(\.candidate)
    }

    /// The number of letters to insert, delete, replace, or swap with the next letter (restricted Damerau-Levenshtein distance).
    ///
    /// The cost grows with the product of the two lengths.
    package static func distance(of first: [Character], to second: [Character]) -> Int {
        distances(first, second).whole
    }

    /// The distance between two words, and the distance to the most similar prefix of the second.
    private static func distances(
        _ first: [Character], _ second: [Character]
    ) -> (whole: Int, beginning: Int) {
        if second.isEmpty { return (first.count, first.count) }
        var beforePrevious = [Int](repeating: 0, count: second.count + 1)
        var previous = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let cost = first[row] == second[column] ? 0 : 1
                var best = min(previous[column] + cost, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return (previous[second.count], previous.min() ?? first.count)
    }
}
