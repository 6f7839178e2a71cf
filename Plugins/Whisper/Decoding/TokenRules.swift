import EngineKit
import Glibc

/// The rules of the published decoder, which determine the allowed tokens and their probabilities.
struct TokenRules {
    struct Choice: Equatable {
        var token: Int
        /// The natural logarithm of the token's probability among the allowed tokens.
        var logarithm: Double
    }

    /// The maximum difference between the natural logarithms of the probabilities of a boosted token and of the
    /// likeliest token. Without this limit, boosted words would replace spoken words.
    private static let maximumBoostGap: Float = 8

    let table: TokenTable
    let configuration: GenerationConfiguration
    /// Whether the output contains timestamps.
    let isTimed: Bool

    /// Returns up to `most` of the likeliest tokens, best first; fewer if fewer are allowed.
    ///
    /// - Parameters:
    ///   - scores: The model's scores for all tokens.
    ///   - said: All tokens after the prompt.
    ///   - favoured: Bonuses for tokens. They affect only the selection, not the returned logarithms.
    func choices(
        _ most: Int, scores: ArraySlice<Float>, after said: [Int], favouring favoured: [Int: Double] = [:]
    ) throws -> [Choice] {
        guard let allowed = try allowed(scores, after: said) else { return [] }
        var wanted = allowed.scores
        let least = (favoured.isEmpty ? 0 : allowed.scores.max() ?? 0) - Self.maximumBoostGap
        for (token, bonus) in favoured where wanted.indices.contains(token) && wanted[token] > least {
            wanted[token] += Float(bonus)
        }
        return Self.best(most, of: wanted).map {
            Choice(token: $0, logarithm: Double(allowed.scores[$0]) - allowed.total)
        }
    }

    /// Returns a random allowed token, drawn according to the probabilities.
    ///
    /// - Parameters:
    ///   - temperature: A number above 0. The value 1 leaves the probabilities unchanged; lower values favor likely
    ///     tokens.
    ///   - number: A random number, 0 ..< 1.
    /// - Returns: `nil` if no token is allowed.
    func drawn(
        _ number: Double, scores: ArraySlice<Float>, after said: [Int], temperature: Double
    ) throws -> Choice? {
        guard let allowed = try allowed(scores, after: said), let top = allowed.scores.max() else { return nil }
        func weight(_ score: Float) -> Double { exp(Double(score - top) / temperature) }
        // Tokens with less than e⁻³⁰ of the highest probability are never drawn.
        let places = allowed.scores.indices.filter { Double(top - allowed.scores[$0]) < 30 * temperature }
        var rest = number * places.reduce(0) { $0 + weight(allowed.scores[$1]) }
        var token = places.last
        for position in places {
            rest -= weight(allowed.scores[position])
            if rest < 0 {
                token = position
                break
            }
        }
        return token.map { Choice(token: $0, logarithm: Double(allowed.scores[$0]) - allowed.total) }
    }

    /// Returns the scores, with minus infinity for tokens that are not allowed, and the logarithm of the sum of their
    /// exponentials; `nil` if no token is allowed.
    private func allowed(
        _ scores: ArraySlice<Float>, after said: [Int]
    ) throws -> (scores: [Float], total: Double)? {
        guard scores.count > table.largest else {
            throw EngineError.decoder("has fewer tokens than the tokenizer")
        }
        var scores = Array(scores)
        forbid(&scores, after: said)
        guard let top = scores.max(), !scores.contains(where: \.isNaN), top < .infinity else {
            throw EngineError.decoder("returns scores that are not finite numbers")
        }
        guard top > -.infinity else { return nil }
        var total = Self.logarithmOfSum(scores[...], top)
        if isTimed, table.zero < scores.count {
            let times = scores[table.zero...]
            let words = scores[..<table.zero]
            let latest = times.max() ?? -.infinity
            // If all timestamps together are likelier than any single word, the next token must be a timestamp.
            if latest > -.infinity, Self.logarithmOfSum(times, latest) > Double(words.max() ?? -.infinity) {
                total = Self.logarithmOfSum(times, latest)
                for token in 0..<table.zero { scores[token] = -.infinity }
            }
        }
        return (scores, total)
    }

    /// Returns the natural logarithm of a token's probability; 0 if there is no such token.
    func logarithm(of token: Int, _ scores: ArraySlice<Float>) -> Double {
        guard token >= 0, token < scores.count, let top = scores.max(), top.isFinite else { return 0 }
        return Double(scores[scores.startIndex + token]) - Self.logarithmOfSum(scores, top)
    }

    /// Returns the probability of silence, computed from the scores after the start token; 0 if the model has no
    /// silence token.
    func probabilityOfQuiet(_ scores: ArraySlice<Float>) -> Double {
        guard let quiet = table.quiet, quiet < scores.count, let top = scores.max(), top.isFinite else { return 0 }
        return exp(Double(scores[scores.startIndex + quiet]) - Self.logarithmOfSum(scores, top))
    }

    /// Returns the likeliest language and its probability among the languages in the table; `nil` if the table contains
    /// none.
    func language(_ scores: ArraySlice<Float>) -> (code: String, probability: Double)? {
        let known = table.languages.filter { $0.id < scores.count }.map { ($0.code, scores[scores.startIndex + $0.id]) }
        guard let best = known.max(by: { $0.1 < $1.1 }), best.1.isFinite else { return nil }
        let sum = known.reduce(0) { $0 + exp(Double($1.1 - best.1)) }
        return (best.0, 1 / sum)
    }

    private func forbid(_ scores: inout [Float], after said: [Int]) {
        func forbid(_ tokens: Range<Int>) {
            for token in tokens.clamped(to: scores.indices) { scores[token] = -.infinity }
        }
        for token in configuration.suppressed where token < scores.count { scores[token] = -.infinity }
        if said.isEmpty {
            for token in configuration.suppressedFirst where token < scores.count { scores[token] = -.infinity }
        }
        guard isTimed else { return }
        let times = table.zero..<max(table.zero, scores.count)
        forbid(table.untimed..<table.untimed + 1)
        guard let last = said.last else {
            // The text must begin with a low timestamp.
            forbid(0..<table.zero)
            forbid(min(table.zero + configuration.latestFirstTime + 1, times.upperBound)..<times.upperBound)
            return
        }
        // Timestamps come in pairs: two timestamps must be followed by a word, and a single timestamp by another
        // timestamp or the end.
        let isAfterTime = table.isTime(last)
        let isAfterTwo = isAfterTime && (said.count < 2 || table.isTime(said[said.count - 2]))
        if isAfterTwo {
            forbid(times)
        } else if isAfterTime {
            forbid(0..<table.end)
        }
        if let latest = said.last(where: table.isTime) {
            // Timestamps never decrease and no segment is empty, but a segment may start where the previous one ended.
            let least = isAfterTime && !isAfterTwo ? latest : latest + 1
            forbid(table.zero..<max(table.zero, least))
        }
    }

    private static func best(_ most: Int, of scores: [Float]) -> [Int] {
        if most == 1 {
            var best = 0
            for token in scores.indices where scores[token] > scores[best] { best = token }
            return scores[best] > -.infinity ? [best] : []
        }
        var found: [Int] = []
        for token in scores.indices where scores[token] > -.infinity {
            if found.count == most, let last = found.last, scores[token] <= scores[last] { continue }
            let position = found.firstIndex { scores[$0] < scores[token] } ?? found.count
            found.insert(token, at: position)
            if found.count > most { found.removeLast() }
        }
        return found
    }

    /// - Parameter top: The highest score.
    private static func logarithmOfSum(_ scores: ArraySlice<Float>, _ top: Float) -> Double {
        // Terms below e⁻³⁰ of the highest term are negligible. Most terms are that small.
        var sum = 0.0
        for score in scores where score > top - 30 { sum += exp(Double(score - top)) }
        return Double(top) + log(sum)
    }
}
