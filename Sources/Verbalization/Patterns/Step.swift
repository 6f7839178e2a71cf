/// One step of a pattern.
enum Step: BitwiseCopyable, Sendable {
    /// A word as it is written, digits, a mark or an ideograph.
    case exact(UInt32)
    /// A word in whatever letters.
    case folded(UInt32)
    case space
    case optionalSpace
    /// Digits of this length and value.
    case digits(lengths: (least: Int32, most: Int32), values: (least: Int64, most: Int64))
    case number(NumberShape)
    /// The longest entry of a list, then shorter ones.
    case list(Int)
    case word(WordShape)
    case ending(WordEnding)
    case special(SpecialShape)
    case textStart
    case textEnd
    case open(slot: Int)
    case close(slot: Int)
    /// Tries the next step, then the one at `other`.
    case split(other: Int)
    case jump(Int)
    case end
}
