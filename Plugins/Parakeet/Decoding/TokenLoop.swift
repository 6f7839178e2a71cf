import EngineKit
import Glibc
import SynthRecognizerParts

/// What scores the token at a frame: a model that has heard a window, or a script in tests.
protocol TokenPredictor {
    /// Scores of the tokens, then those of how many frames to skip, from 0 on; the latter may be missing.
    mutating func scores(at frame: Int) throws(EngineError) -> [Float]

    /// The token that the last scores were best for is said: those that follow depend on it.
    mutating func say(_ token: Int)
}

/// Finds the tokens of a window: the likeliest one at each frame that is not skipped, until it is the blank.
struct TokenLoop {
    /// The published models have five; more are tokens that the vocabulary does not have.
    private static let mostDurations = 32

    let vocabulary: TokenTable
    /// In one frame; more is a loop.
    let mostInFrame: Int
    /// Names and terms that are found sooner.
    var phrases: PhraseTree?

    /// - Parameters:
    ///   - frames: Of the window.
    ///   - progress: Called before each run of the model; throws to stop.
    func find(
        _ frames: Int, with predictor: inout some TokenPredictor, progress: () throws -> Void = {}
    ) throws -> [FoundToken] {
        var found: [FoundToken] = []
        var (frame, here) = (0, 0)
        var place = PhraseTree.Place()
        while frame < frames {
            try progress()
            let scores = try predictor.scores(at: frame)
            guard (0...Self.mostDurations).contains(scores.count - vocabulary.count) else {
                throw EngineError.tokens("has \(vocabulary.count) tokens, and the model scores \(scores.count)")
            }
            let best = try favoured(try Self.best(scores[..<vocabulary.count]), scores, at: place)
            let skip = scores.count > vocabulary.count ? try Self.best(scores[vocabulary.count...]) : 0
            if best != vocabulary.blank {
                predictor.say(best)
                if let phrases { place = phrases.step(place, best, bytes: Array(vocabulary.piece(best).utf8)).place }
                found.append(
                    FoundToken(
                        token: best, frame: frame, frames: skip,
                        probability: Self.probability(of: best, in: scores[..<vocabulary.count])))
                here += 1
            }
            if skip > 0 {
                (frame, here) = (frame + skip, 0)
            } else if best == vocabulary.blank || here == mostInFrame {
                (frame, here) = (frame + 1, 0)
            }
        }
        return found
    }

    /// A token of a phrase that is nearly as likely as the best one. What is said cannot be taken back here, so a silence stays one: only
    /// where the model says something anyway may it be something else.
    private func favoured(_ best: Int, _ scores: [Float], at place: PhraseTree.Place) throws(EngineError) -> Int {
        guard let phrases, best != vocabulary.blank else { return best }
        var (found, most) = (best, Double(scores[best]))
        for (token, bonus) in phrases.favoured(at: place) where token < vocabulary.count && token != vocabulary.blank {
            let score = Double(scores[token]) + bonus
            // In the order of the tokens among equals, whatever that of the phrases is.
            if score > most || score == most && token < found { (found, most) = (token, score) }
        }
        return found
    }

    /// The first of the largest, from 0 on.
    private static func best(_ scores: ArraySlice<Float>) throws(EngineError) -> Int {
        var best = scores.startIndex
        for place in scores.indices where scores[place] > scores[best] { best = place }
        guard !scores.isEmpty, scores[best].isFinite else { throw .predictor("gives scores that are no numbers") }
        return best - scores.startIndex
    }

    private static func probability(of best: Int, in scores: ArraySlice<Float>) -> Double {
        let top = scores[best]
        return 1 / scores.reduce(0) { $0 + exp(Double($1 - top)) }
    }
}
