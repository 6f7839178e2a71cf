/// The function of an element, determined by its name.
enum SSMLElement {
    /// A sentence or a paragraph.
    case block(PauseKind)
    /// An element that only sets the language.
    case language
    case voice
    case prosody
    /// `amazon:effect`; only whispering is supported.
    case effect
    case pause
    case mark
    case substitution
    case notation
    case phonemes
    case clip
    /// An element without spoken content.
    case silent
    /// An element that has no effect on its text: `emphasis`, `token`, `w`, or `lookup`, whose lexicon is not loaded.
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

    /// Whether the element has an effect inside text that has a pronunciation. If false, only the text of the element is
    /// used there.
    var isHeardInWord: Bool {
        switch self {
        case .mark, .substitution, .notation, .silent: true
        default: false
        }
    }
}

/// An open element: the state for its content, and the action at its end.
struct SSMLFrame {
    enum Closing {
        case nothing
        case block(PauseKind)
        case spelling
        /// Words that replace the content, which starts at `content`.
        case substitution(XMLAttribute, content: Int)
        /// The pronunciation of the content and the attribute that specifies it.
        case word(String, XMLAttribute)
        case clip(String, gain: Double, start: Int)
    }

    var style = ScriptStyle()
    /// Whether the content is skipped.
    var isSilent = false
    /// Whether the content is spelled character by character.
    var isSpelled = false
    /// The type of the content, such as a date.
    var reading: ScriptReading?
    /// Whether the content has a pronunciation. If true, only the text of the content is used.
    var isWord = false
    var closing = Closing.nothing
}
