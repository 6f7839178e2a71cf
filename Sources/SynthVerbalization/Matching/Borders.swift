/// Determines where a match may start and end: not within a longer word, number, address or similar sequence of tokens.
struct Borders {
    let tokens: FixedBuffer<Token>

    /// Whether a match may start at the token.
    func canBegin(at index: Int) -> Bool {
        guard index > 0 else { return true }
        let previous = tokens[index - 1]
        switch previous.kind {
        case .space, .ideograph: return true
        case .word, .digits: return tokens[index].kind == .ideograph
        case .mark: break
        }
        let before = index > 1 ? tokens[index - 2] : nil
        switch previous.exact {
        case 0x2C, 0x3A: return before?.kind != .digits  // , :
        case 0x27, 0x2019: return before?.isAlphanumeric != true  // Apostrophes
        case 0x2D: return before == nil || before?.kind == .space  // -
        case 0x2013: return before?.kind != .digits  // –
        case 0x2E: return before == nil || before?.exact == 0x2E  // ...
        case 0x3E, 0x3F, 0x40, 0x23, 0x26: return previous.exact == 0x3E || previous.exact == 0x3F
        default: return Self.isBorder(previous.exact)
        }
    }

    /// Whether a match may end before the token.
    func canEnd(before index: Int) -> Bool {
        guard index < tokens.count else { return true }
        let next = tokens[index]
        switch next.kind {
        case .space, .ideograph: return true
        case .word, .digits:
            return index > 0 && (tokens[index - 1].kind == .ideograph || tokens[index - 1].kind == .space)
        case .mark: break
        }
        let after = index + 1 < tokens.count ? tokens[index + 1] : nil
        switch next.exact {
        case 0x2C, 0x2E, 0x3A:  // , . :
            return after?.isAlphanumeric != true && after?.exact != 0x2D && after?.exact != 0x2F
        case 0x27, 0x2019:  // Apostrophes; "Henry VIII's"
            guard let after, after.isAlphanumeric else { return true }
            return after.length == 1 && after.shape == .lower && after.kind == .word
                && (index + 2 >= tokens.count || !tokens[index + 2].isAlphanumeric)
        case 0x2D: return after == nil || after?.kind == .space  // -
        case 0x2013: return after?.kind != .digits  // –
        default: return Self.isBorder(next.exact)
        }
    }

    /// Whether the character always separates adjacent tokens.
    private static func isBorder(_ scalar: UInt32) -> Bool {
        switch scalar {
        // ! " ( ) * + ; < = > ? [ ] _ ` { | } ~
        case 0x21, 0x22, 0x28...0x2B, 0x3B...0x3F, 0x5B, 0x5D, 0x5F, 0x60, 0x7B...0x7E: true
        // « · » ¿ ¡ × ÷ ±
        case 0xAB, 0xB7, 0xBB, 0xBF, 0xA1, 0xD7, 0xF7, 0xB1: true
        // Quotation marks, the em dash, the ellipsis, mathematical characters.
        case 0x2014, 0x2015, 0x2018...0x201F, 0x2026, 0x2039, 0x203A, 0x2190...0x22FF: true
        // Chinese and Japanese punctuation, emoji.
        case 0x3000...0x303F, 0xFF00...0xFF65, 0x2600...0x27BF, 0xFE0E, 0xFE0F, 0x1_F000...: true
        default: false
        }
    }
}

/// The text range that a named pattern element matched.
struct Capture {
    /// The token range. `start` is -1 if the element did not match.
    var start: Int32 = -1
    var end: Int32 = -1
    /// The number of the matched list entry, or -1 if the element is not a list.
    var entry: Int32 = -1
    /// The index of the token with the digits after the decimal separator, or -1 if there is none.
    var fraction: Int32 = -1

    var isEmpty: Bool { start >= end }
    var range: Range<Int> { isEmpty ? 0..<0 : Int(start)..<Int(end) }
}

/// The captures of a match, indexed by name number.
typealias Captures = InlineArray<8, Capture>

/// The previous values of the captures that a match has changed. The storage is kept when the trail shrinks.
struct Trail {
    /// The number of valid changes.
    var count = 0
    private var changes: [(slot: Int, old: Capture)] = []

    mutating func append(_ slot: Int, _ old: Capture) {
        if count < changes.count { changes[count] = (slot, old) } else { changes.append((slot, old)) }
        count += 1
    }

    /// Traps if there are no changes.
    mutating func removeLast() -> (slot: Int, old: Capture) {
        count -= 1
        return changes[count]
    }
}
