import SynthSystem

/// A writing system, which determines which voices can read the letters.
package enum WritingSystem: Sendable {
    case latin
    case greek
    case cyrillic
    case armenian
    case georgian
    case hebrew
    case arabic
    case devanagari
    case bengali
    case gurmukhi
    case gujarati
    case oriya
    case tamil
    case telugu
    case kannada
    case malayalam
    case sinhala
    case thai
    case lao
    case burmese
    case khmer
    case ethiopic
    case hangul
    /// Chinese characters.
    case han
    case kana

    /// Whether the writing system has no spaces between words.
    var isUnspaced: Bool {
        switch self {
        case .han, .kana, .thai, .lao, .burmese, .khmer: true
        default: false
        }
    }
}

extension WritingSystem {
    private typealias Block = (scalars: ClosedRange<UInt32>, system: WritingSystem)

    /// All letters below this code point are Latin.
    static let firstOutsideLatin: UInt32 = 0x370

    /// Determines the writing system of a letter, vowel sign or digit. Returns nil for characters that are shared by
    /// several writing systems and for writing systems that no voice can read.
    init?(_ scalar: UInt32) {
        if scalar < Self.firstOutsideLatin {
            guard Self.isLatin(scalar) else { return nil }
            self = .latin
            return
        }
        let found = Self.blocks.firstSortedIndex { $0.scalars.upperBound >= scalar }
        guard found < Self.blocks.count, Self.blocks[found].scalars.contains(scalar) else { return nil }
        self = Self.blocks[found].system
    }

    private static func isLatin(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A: true
        case 0xD7, 0xF7: false
        case 0xC0...0x2AF: true
        default: false
        }
    }

    /// The ranges are from Unicode's `Scripts.txt`, without the characters that `ScriptExtensions.txt` assigns to
    /// several scripts.
    private static let blocks: [Block] = [
        (0x370...0x373, .greek), (0x376...0x377, .greek), (0x37B...0x37D, .greek), (0x37F...0x37F, .greek),
        (0x386...0x386, .greek), (0x388...0x3FF, .greek), (0x400...0x52F, .cyrillic), (0x531...0x556, .armenian),
        (0x560...0x588, .armenian), (0x591...0x5BD, .hebrew), (0x5BF...0x5F2, .hebrew), (0x610...0x61A, .arabic),
        (0x620...0x63F, .arabic), (0x641...0x64A, .arabic), (0x66E...0x6D3, .arabic), (0x6D5...0x6DC, .arabic),
        (0x6DF...0x6EF, .arabic), (0x6FA...0x6FF, .arabic), (0x750...0x77F, .arabic), (0x8A0...0x8E1, .arabic),
        (0x900...0x950, .devanagari), (0x955...0x963, .devanagari), (0x966...0x97F, .devanagari),
        (0x980...0x9FE, .bengali), (0xA01...0xA76, .gurmukhi), (0xA81...0xAFF, .gujarati), (0xB01...0xB77, .oriya),
        (0xB82...0xBFA, .tamil), (0xC00...0xC7F, .telugu), (0xC80...0xCF2, .kannada), (0xD00...0xD7F, .malayalam),
        (0xD81...0xDF4, .sinhala), (0xE01...0xE3A, .thai), (0xE40...0xE5B, .thai), (0xE81...0xEDF, .lao),
        (0x1000...0x109F, .burmese), (0x10A0...0x10FA, .georgian), (0x10FC...0x10FF, .georgian),
        (0x1100...0x11FF, .hangul), (0x1200...0x139F, .ethiopic), (0x1780...0x17F9, .khmer),
        (0x1C80...0x1C88, .cyrillic), (0x1C90...0x1CBF, .georgian), (0x1E00...0x1EFF, .latin),
        (0x1F00...0x1FFE, .greek), (0x2C60...0x2C7F, .latin), (0x2DE0...0x2DFF, .cyrillic), (0x2E80...0x2FD5, .han),
        (0x3005...0x3005, .han), (0x3007...0x3007, .han), (0x3041...0x3096, .kana), (0x309D...0x309F, .kana),
        (0x30A1...0x30FA, .kana), (0x30FC...0x30FF, .kana), (0x3131...0x318E, .hangul), (0x31F0...0x31FF, .kana),
        (0x3400...0x4DBF, .han), (0x4E00...0x9FFF, .han), (0xA640...0xA69F, .cyrillic), (0xA722...0xA7FF, .latin),
        (0xAB30...0xAB64, .latin), (0xAC00...0xD7FB, .hangul), (0xF900...0xFAFF, .han), (0xFB00...0xFB06, .latin),
        (0xFB13...0xFB17, .armenian), (0xFB1D...0xFB4F, .hebrew), (0xFB50...0xFD3D, .arabic),
        (0xFD50...0xFDFB, .arabic), (0xFE70...0xFEFC, .arabic), (0xFF21...0xFF3A, .latin), (0xFF41...0xFF5A, .latin),
        (0xFF66...0xFF9D, .kana), (0xFFA0...0xFFDC, .hangul), (0x1B000...0x1B16F, .kana), (0x20000...0x323AF, .han),
    ]
}

/// The writing systems of languages, and the most probable language for given letters.
enum WrittenLanguage {
    /// Writing systems with the languages that use them (ISO 639), the most common one first. All other languages use
    /// Latin.
    private static let languages: [(WritingSystem, String)] = [
        (.greek, "el grc"),
        (.cyrillic, "ru uk be bg mk sr kk ky mn tg tt ba cv os ab av ce kv udm sah tyv myv"),
        (.armenian, "hy hyw"), (.georgian, "ka xmf"), (.hebrew, "he iw yi ji ydd"),
        (.arabic, "ar arb arz ary apc fa pes prs ur ug ps pbu sd ckb ks pnb"),
        (.devanagari, "hi mr ne npi sa kok knn gom bho mai doi"), (.bengali, "bn as bpy"), (.gurmukhi, "pa"),
        (.gujarati, "gu"), (.oriya, "or ory"), (.tamil, "ta"), (.telugu, "te"), (.kannada, "kn"), (.malayalam, "ml"),
        (.sinhala, "si"), (.thai, "th"), (.lao, "lo"), (.burmese, "my shn"), (.khmer, "km"),
        (.ethiopic, "am ti"), (.hangul, "ko"), (.han, "zh cmn yue hak nan wuu"), (.kana, "ja"),
    ]

    private static let systems = languages.reduce(into: [String: WritingSystem]()) { table, line in
        for language in line.1.split(separator: " ") { table[String(language)] = line.0 }
    }

    /// Letters that identify a language other than the most common one in a writing system.
    private static let markers: [WritingSystem: [(language: String, letters: String)]] = [
        .cyrillic: [("uk", "іїєґ"), ("be", "ў"), ("mk", "ѓќѕ"), ("sr", "ђјљњћџ"), ("kk", "әғқңұһ"), ("mn", "өү")],
        .arabic: [("ur", "ٹڈڑںے"), ("fa", "پچژگکی")],
    ]

    /// Languages whose voices spell out Latin words or read them as transliterations.
    private static let readingNoLatin: Set<String> = ["zh", "cmn", "yue", "hak", "nan", "wuu", "ja", "he", "iw"]

    /// - Parameter tag: a BCP 47 tag.
    static func system(of tag: String) -> WritingSystem { systems[LanguageTag.primary(tag)] ?? .latin }

    /// Whether voices for a language can read letters of a writing system as words.
    ///
    /// - Parameter tag: a BCP 47 tag.
    static func reads(_ system: WritingSystem, in tag: String) -> Bool {
        let own = self.system(of: tag)
        // Chinese characters also occur in Japanese and Korean text.
        return system == own || system == .han && (own == .kana || own == .hangul)
    }

    static func readsLatinWords(in tag: String) -> Bool { !readingNoLatin.contains(LanguageTag.primary(tag)) }

    /// Returns the most probable language for letters of a writing system.
    ///
    /// - Parameter letters: the letters, in lowercase if the writing system has case.
    static func likely(_ system: WritingSystem, letters: some Sequence<Unicode.Scalar>) -> String {
        if let others = markers[system] {
            let letters = Set(letters)
            let found = others.first { other in other.letters.unicodeScalars.contains(where: letters.contains) }
            if let found { return found.language }
        }
        let line = languages.first { $0.0 == system }
        return line.map { String($0.1.prefix { $0 != " " }) } ?? "en"
    }
}
