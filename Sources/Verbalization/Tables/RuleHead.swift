/// The part of a rule that is looked at for every token.
struct RuleHead: BitwiseCopyable, Sendable {
    let start: Int32
    /// What the second token may be.
    let second: TokenMask
    let beginsAnywhere: Bool
    let endsAnywhere: Bool
    /// Whether it has conditions.
    let isConditional: Bool
}
