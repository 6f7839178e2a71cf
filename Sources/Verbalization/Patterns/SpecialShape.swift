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
    /// The same with hyphens between: "F-16", "R2-D2".
    case model
    /// The name of a file, of a type that the list `file-type` has.
    case file
    /// "max_count", "size=10"
    case identifier
    /// "userName"
    case camel
    /// "--dry-run", "-v"
    case flag
}

extension SpecialShape {
    /// What the second token may be.
    var second: TokenMask {
        switch self {
        case .address: [.mark(0x2E), .mark(0x3A), .mark(0x2D), .digits]
        case .mail: [.mark(0x2E), .mark(0x40), .mark(0x2D), .mark(0x5F), .mark(0x2B), .mark(0x25), .digits, .word]
        case .tag, .handle: .word
        case .path: [.mark(0x2F), .mark(0x2E), .mark(0x3A), .mark(0x2D), .mark(0x5F), .word, .digits]
        case .code: [.word, .digits]
        case .model: [.mark(0x2D), .digits]
        case .file: [.mark(0x2E), .mark(0x2D), .mark(0x5F), .word, .digits]
        case .identifier: [.mark(0x5F), .mark(0x3D), .word, .digits]
        case .flag: [.mark(0x2D), .word]
        case .camel: .all
        case .formula, .raised: .all
        }
    }
}
