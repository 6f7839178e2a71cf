/// The part of a rule that is looked at for every token.
struct RuleHead: BitwiseCopyable, Sendable {
    let start: Int32
    /// What the second token may be.
    let second: TokenMask
    /// What the third token may be.
    let third: TokenMask
    let beginsAnywhere: Bool
    let endsAnywhere: Bool
    /// Whether it has conditions on what is around.
    let isConditional: Bool
    /// Whether it has no condition at all.
    let isFree: Bool
}
