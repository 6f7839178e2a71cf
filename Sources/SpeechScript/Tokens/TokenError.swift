/// A token that cannot be read.
struct TokenError: Error {
    let reason: ScriptError.Reason
    /// Of the document.
    let offset: Int
}
