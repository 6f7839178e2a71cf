/// What is wrong with a line of a lexicon.
struct LexiconProblem: Error {
    let reason: LexiconError.Reason

    init(_ reason: LexiconError.Reason) { self.reason = reason }
}
