/// What an element means, by its name.
enum SSMLElement {
    /// A sentence or a paragraph.
    case block(PauseKind)
    /// Sets the language and nothing else.
    case language
    case voice
    case prosody
    /// `amazon:effect`, of which whispering is known.
    case effect
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
            case "effect": .effect
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

/// An open element: what holds inside it, and what is to be done at its end.
struct SSMLFrame {
    enum Closing {
        case nothing
        case block(PauseKind)
        case spelling
        /// Words that stand for the content, which begins at `content`.
        case substitution(XMLAttribute, content: Int)
        /// The pronunciation of the content, and where it is written.
        case word(String, XMLAttribute)
        case clip(String, gain: Double, start: Int)
    }

    var style = ScriptStyle()
    /// Nothing inside is spoken.
    var isSilent = false
    /// Each character inside is said on its own.
    var isSpelled = false
    /// What the text inside is.
    var reading: ScriptReading?
    /// What is inside is pronounced as a whole, and only its text counts.
    var isWord = false
    var closing = Closing.nothing
}
