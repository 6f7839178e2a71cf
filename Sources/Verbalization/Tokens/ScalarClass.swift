/// What kind of token a character belongs to.
enum ScalarClass {
    case letter, digit, space, ideograph, mark

    static func of(_ scalar: UInt32) -> ScalarClass {
        switch scalar {
        case 0x30...0x39: .digit
        case 0x41...0x5A, 0x61...0x7A: .letter
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: .space
        case ..<0xB5: .mark
        case 0xB5, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF: .letter
        case ..<0x300: .mark
        // Marks that combine with a letter, Greek, Cyrillic and the scripts after them.
        case 0x300...0x37D, 0x37F...0x386, 0x388...0x589: .letter
        case 0x37E, 0x387, 0x58A: .mark
        // Arabic's, Syriac's and Devanagari's own punctuation.
        case 0x60C, 0x61B, 0x61F, 0x66A...0x66D, 0x6D4, 0x964, 0x965: .mark
        case ..<0x2000: .letter
        // Punctuation, raised and lowered digits, currencies, letterlike signs, arrows, signs of mathematics, boxes.
        case ..<0x2C00: .mark
        case ..<0x2E00: .letter
        case ..<0x3005: .mark
        case 0x3005, 0x3007: .ideograph
        case ..<0x3041: .mark
        case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: .ideograph
        case 0x3100...0x318F, 0xA000...0xD7FF: .letter
        case ..<0xA000: .mark
        case ..<0xFB00: .mark
        case ..<0xFDFF: .letter
        case ..<0x1_0000: .mark
        case 0x1_F000...0x1_FAFF: .mark
        case 0x2_0000...0x3_FFFF: .ideograph
        case 0xE_0000...: .mark
        default: .letter
        }
    }
}
