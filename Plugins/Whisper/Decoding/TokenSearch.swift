import EngineKit
import Glibc
import SynthRecognizerParts

/// The beginning of a text on which all hypotheses agree while the search is still running. Use an instance on one
/// thread at a time.
final class AgreedText {
    /// The common prefix of all hypotheses, with which the result of the search begins.
    var tokens: [Int] = []
    /// The number of tokens that have been reported. Later attempts must begin with these tokens.
    var reported = 0
}

/// Finds the likeliest text by greedy search, beam search, or sampling.
struct TokenSearch {
    struct Found: Equatable {
        /// The tokens, without the end token.
        var tokens: [Int] = []
        /// The natural logarithm of each token's probability.
        var logarithms: [Double] = []
        /// The mean logarithm over all tokens, including the end token.
        var mean = 0.0
        /// The mean including the bonuses for phrases. Rare names have a low probability even if they were spoken, so
        /// the mean without bonuses would make every text with such a name doubtful.
        var meanWithBonuses = 0.0
        /// The probability that the window contains no speech.
        var probabilityOfQuiet = 0.0
        /// Whether the search was stopped because the text repeated itself.
        var isLoop = false
    }

    /// The maximum number of tokens: half of the model's context, as in other implementations. A 30 s window needs
    /// fewer.
    static let maximumTokens = 224
    /// The length of the model's context in tokens, including the prompt.
    static let context = 448

    let rules: TokenRules
    /// The beam width; 1 is a greedy search.
    let width: Int
    /// Whether to drop hypotheses that repeat themselves.
    var givesUpLoops = true
    var maximumTokens = Self.maximumTokens
    /// At 0, the likeliest tokens are selected. Above 0, `width` texts are sampled independently, and a higher value
    /// means more variation.
    var temperature = 0.0
    /// Names and terms to prefer.
    var phrases: PhraseTree?
    /// The tokens with which every hypothesis begins, because they have been reported as stable.
    var beginning: [Int] = []
    /// If not `nil`, receives the beginning of the text while the search is running.
    var agreed: AgreedText?

    private struct Text {
        var tokens: [Int] = []
        var logarithms: [Double] = []
        /// The sum of `logarithms`.
        var likelihood = 0.0
        /// The likelihood plus the bonuses for phrases.
        var score = 0.0
        var place = PhraseTree.Position()
    }

    private struct Step {
        var score: Double
        var parent: Int
        var choice: TokenRules.Choice
        var place: PhraseTree.Position
    }

    /// - Parameters:
    ///   - prompt: The prompt, including the start token.
    ///   - scorer: A scorer at the beginning of the window.
    ///   - progress: Called before each token with its number, starting at 1. It throws to stop the search.
    func find(
        _ prompt: [Int], with scorer: inout some TokenScorer, progress: (Int) throws -> Void = { _ in }
    ) throws -> Found {
        guard let start = prompt.lastIndex(of: rules.table.start) else {
            throw EngineError.internalFault("the prompt has no start token")
        }
        // Scores are needed after the start token, after the prompt, and after each token of the beginning.
        let positions = [start] + (prompt.count - 1..<prompt.count + beginning.count)
        var rows = try scorer.begin(prompt + beginning, scoresAt: positions)
        guard rows.count == positions.count else {
            throw EngineError.decoder("returns scores of an unexpected shape")
        }
        let quiet = rules.probabilityOfQuiet(rows[0])
        var places = [rows.count - 1]
        // The seed is fixed so that the same audio always results in the same text.
        var generator = SeededGenerator(seed: UInt64(prompt.count))
        var live = [begun(rows)]
        // The rank excludes the end token, as in CTranslate2; the mean includes it.
        var done: [(text: Text, rank: Double, length: Double)] = []
        let most = min(maximumTokens, Self.context - prompt.count)
        for count in 1...max(1, most - beginning.count) {
            try progress(count)
            var steps: [Step] = []
            for (parent, text) in live.enumerated() {
                let scores = rows[places[parent]]
                let found =
                    temperature > 0
                    ? try drawn(count == 1 ? width : 1, scores, text.tokens, &generator)
                    : try rules.choices(
                        width > 1 ? 2 * width : 1, scores: scores, after: text.tokens,
                        favouring: phrases?.favoured(at: text.place) ?? [:])
                for choice in found {
                    let (place, gain) = step(text.place, choice.token)
                    steps.append(
                        Step(score: text.score + choice.logarithm + gain, parent: parent, choice: choice, place: place))
                }
            }
            if temperature == 0 { steps.sort { $0.score > $1.score } }
            // As in CTranslate2, an end token ends a hypothesis only if it is among the `width` best steps. If it ranks
            // lower, it merely takes up a slot.
            var next: [(text: Text, parent: Int)] = []
            for (rank, step) in steps.prefix(2 * width).enumerated() {
                var text = live[step.parent]
                (text.score, text.place) = (step.score, step.place)
                text.likelihood += step.choice.logarithm
                if step.choice.token == rules.table.end {
                    let length = Double(text.tokens.count)
                    if rank < width { done.append((text, step.score / max(1, length), length + 1)) }
                } else if next.count < width {
                    text.tokens.append(step.choice.token)
                    text.logarithms.append(step.choice.logarithm)
                    next.append((text, step.parent))
                }
            }
            if done.count >= width || next.isEmpty { break }
            if givesUpLoops {
                let going = next.filter { !isLoop($0.text.tokens) }
                if going.isEmpty {
                    if done.isEmpty {
                        let text = next[0].text
                        return found(text, over: Double(max(1, text.tokens.count)), quiet, isLoop: true)
                    }
                    break
                }
                next = going
            }
            live = next.map(\.text)
            if quiet <= Self.maximumQuietProbability { agree(live, done.map(\.text)) }
            rows = try scorer.step(live.compactMap(\.tokens.last), parents: next.map(\.parent))
            places = Array(live.indices)
            guard rows.count == live.count else { throw EngineError.decoder("returns scores of an unexpected shape") }
        }
        if done.count < width {
            for text in live where !text.tokens.isEmpty {
                // Consider unfinished hypotheses only if no hypothesis has ended, or if they have reached the maximum
                // length.
                if done.isEmpty || text.tokens.count >= most {
                    let count = Double(text.tokens.count)
                    done.append((text, text.score / count, count))
                }
            }
        }
        guard let best = done.max(by: { $0.rank < $1.rank }) else { return Found(probabilityOfQuiet: quiet) }
        return found(best.text, over: best.length, quiet)
    }

    /// The thresholds for reporting the beginning of a text while the search is running. Unless both are met, the
    /// result of another attempt may still replace the text.
    private static let (maximumQuietProbability, minimumMean) = (0.6, -0.7)

    private func agree(_ live: [Text], _ done: [Text]) {
        guard let agreed, let first = live.first else { return }
        let count = (live.dropFirst() + done).reduce(first.tokens.count) { count, text in
            min(count, zip(first.tokens, text.tokens).prefix { $0 == $1 }.count)
        }
        guard count > agreed.tokens.count,
            first.logarithms[..<count].reduce(0, +) >= Self.minimumMean * Double(count)
        else { return }
        let tokens = Array(first.tokens[..<count])
        if Repetition.loop(atEndOf: tokens.filter(rules.table.isText)) == nil { agreed.tokens = tokens }
    }

    /// Returns a hypothesis that consists of `beginning`.
    ///
    /// - Parameter rows: The row at index 1 contains the scores for the first token.
    private func begun(_ rows: ScoreRows) -> Text {
        beginning.enumerated().reduce(into: Text()) { text, next in
            let logarithm = rules.logarithm(of: next.element, rows[1 + next.offset])
            text.tokens.append(next.element)
            text.logarithms.append(logarithm)
            text.likelihood += logarithm
            let (place, gain) = step(text.place, next.element)
            text.score += logarithm + gain
            text.place = place
        }
    }

    private func step(_ place: PhraseTree.Position, _ token: Int) -> (place: PhraseTree.Position, gain: Double) {
        phrases?.step(place, token, bytes: rules.table.bytes(token)) ?? (place, 0)
    }

    private func drawn(
        _ count: Int, _ scores: ArraySlice<Float>, _ said: [Int], _ generator: inout SeededGenerator
    ) throws -> [TokenRules.Choice] {
        try (0..<count).compactMap { _ in
            try rules.drawn(
                .random(in: 0..<1, using: &generator), scores: scores, after: said, temperature: temperature)
        }
    }

    /// - Parameter length: The number of tokens over which the means are computed.
    private func found(_ text: Text, over length: Double, _ quiet: Double, isLoop: Bool = false) -> Found {
        Found(
            tokens: text.tokens, logarithms: text.logarithms, mean: text.likelihood / length,
            meanWithBonuses: text.score / length, probabilityOfQuiet: quiet, isLoop: isLoop)
    }

    private func isLoop(_ tokens: [Int]) -> Bool {
        // Check only after every eighth token: detecting a loop slightly later costs only a few tokens.
        guard tokens.count.isMultiple(of: 8) else { return false }
        return Repetition.loop(atEndOf: tokens.filter(rules.table.isText)) != nil
    }
}

/// SplitMix64: a given seed produces the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
