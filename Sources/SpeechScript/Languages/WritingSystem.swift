/// What letters belong to, as far as voices differ in what they can read.
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

    /// Whether words follow each other without spaces.
    var isUnspaced: Bool {
        switch self {
        case .han, .kana, .thai, .lao, .burmese, .khmer: true
        default: false
        }
    }
}
