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

/// How a number must be written.
enum NumberShape: BitwiseCopyable, Sendable {
    /// Without a fraction; 0 only at the beginning of "0" itself.
    case integer
    /// With a fraction.
    case decimal
    case either
}

/// What a word must look like.
enum WordShape: String, BitwiseCopyable, Sendable {
    case any = "word"
    case lower
    case capital = "Cap"
    case upper = "UP"
    /// One letter.
    case letter
    /// One capital letter.
    case initial
    /// A Roman number of capitals, but not a lone "I".
    case roman
    case anyRoman = "anyroman"
    /// Two to five capital letters of the Latin alphabet, none of them a vowel, and perhaps a small s.
    case unspeakable
}

/// Pieces that are too irregular for tokens.
enum SpecialShape: String, BitwiseCopyable, Sendable {
    /// An address of the web.
    case address = "url"
    case mail = "email"
    case path
    /// "#word"
    case tag
    /// "@name"
    case handle
    /// A chemical formula with lowered digits.
    case formula
    /// A run of raised digits.
    case raised
    /// Letters and digits in one piece, "B12".
    case code
}
