/// What is wrong with a token.
struct TokenProblem: Error {
    let reason: ScriptError.Reason
    /// Of the text that the token stands in.
    let offset: Int

    init(_ reason: ScriptError.Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
