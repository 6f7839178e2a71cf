/// The words that somebody may have meant who mistyped one.
package enum NearMiss {
    /// Longer words are not compared: the cost grows with the product of both lengths.
    private static let longestWord = 64

    /// The candidates nearest to a word, best first, compared without regard to case; empty when none is near.
    ///
    /// Near is a candidate that begins with the word, or one at a Damerau-Levenshtein distance (restricted to
    /// adjacent transpositions) of at most a third of the word's length, at least 1.
    package static func nearest(to word: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
        let typed = Array(word.lowercased())
        guard !typed.isEmpty, typed.count <= longestWord else { return [] }
        let bound = max(1, (typed.count + 1) / 3)
        var found: [(score: Int, order: Int, candidate: String)] = []
        for (order, candidate) in candidates.enumerated() {
            let letters = Array(candidate.lowercased())
            guard letters.count <= longestWord else { continue }
            let isBeginning = typed.count >= 2 && letters.starts(with: typed)
            let distance = distance(typed, letters)
            guard isBeginning || (distance <= bound && distance < max(typed.count, letters.count)) else { continue }
            let shared = zip(typed, letters).prefix { $0 == $1 }.count
            found.append(((isBeginning ? 1 : distance) * 8 - min(shared, 7), order, candidate))
        }
        return found.sorted { ($0.score, $0.order) < ($1.score, $1.order) }.prefix(limit).map(\.candidate)
    }

    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        if second.isEmpty { return first.count }
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
        return previous[second.count]
    }
}
