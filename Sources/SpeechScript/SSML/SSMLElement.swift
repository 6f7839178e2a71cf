/// What an element means, by its name.
enum SSMLElement {
    /// A sentence or a paragraph.
    case block(PauseKind)
    /// Sets the language and nothing else.
    case language
    case voice
    case prosody
    case pause
    case mark
    case substitution
    case notation
    case phonemes
    case clip
    /// Holds no speech.
    case silent
    /// Its text is spoken: also `emphasis`, `token`, `w`, and `lookup`, whose lexicon is not read.
    case other

    init(_ name: String) {
        self =
            switch name {
            case "p", "paragraph": .block(.paragraph)
            case "s", "sentence": .block(.sentence)
            case "speak", "lang": .language
            case "voice": .voice
            case "prosody": .prosody
            case "break": .pause
            case "mark": .mark
            case "sub": .substitution
            case "say-as": .notation
            case "phoneme": .phonemes
            case "audio": .clip
            case "desc", "metadata", "meta", "lexicon": .silent
            default: .other
            }
    }

    /// Whether it counts inside a text that is pronounced as a whole. Others give their text there.
    var isHeardInWord: Bool {
        switch self {
        case .mark, .substitution, .notation, .silent: true
        default: false
        }
    }
}
