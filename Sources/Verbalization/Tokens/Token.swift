/// A piece of a text that patterns look at as a whole.
struct Token: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// A run of letters.
        case word
        /// A run of ASCII digits.
        case digits
        /// A run of white space.
        case space
        /// One character of a script that puts no spaces between words.
        case ideograph
        /// Any other character.
        case mark
    }

    /// How a word is written.
    enum Shape: UInt8, BitwiseCopyable, Sendable {
        case lower
        /// One capital at the beginning. A single capital letter, too.
        case capital
        /// Capitals only, two at least.
        case upper
        case mixed
    }

    let kind: Kind
    var shape = Shape.lower
    var isASCII = true
    /// Whether a word has one letter.
    var isLetter = false
    /// Offsets of bytes in the text.
    let start: Int32
    let end: Int32
    /// The scalar of a mark or an ideograph, `space`, or the vocabulary's number of a word or of digits.
    var exact: UInt32
    /// The same for the word in small letters.
    var folded: UInt32

    static let space: UInt32 = 0x20
    /// Words have numbers from here on, above all scalars.
    static let firstWord: UInt32 = 0x11_0000
    /// A word that no table has.
    static let unknown = UInt32.max

    var range: Range<Int> { Int(start)..<Int(end) }
    var length: Int { Int(end - start) }
    /// A letter or a digit that belongs to what is beside it.
    var isAlphanumeric: Bool { kind == .word || kind == .digits }
}
