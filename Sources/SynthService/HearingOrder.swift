package import SynthHost
package import SynthSystem

/// What a client wants understood, but for the sound.
package struct HearingOrder: Sendable {
    /// Who listens: RECOGNIZER/MODEL, a model by its id or name, or a recognizer; nil = the one that the user chose.
    package var model: String?
    /// What is spoken (BCP-47); nil = the recognizer finds out.
    package var language: String?
    /// What was said before, or a sentence with names and terms.
    package var context: String?
    /// Names and terms that may occur.
    package var phrases: [String] = []
    /// The text is to be English, whatever is spoken.
    package var isTranslated = false
    package var wantsWords = false
    package var priority = SpeechPriority.normal

    package init(model: String? = nil, language: String? = nil) {
        self.model = model
        self.language = language
    }

    /// More of them are left out, and of a text what is longer.
    static let mostPhrases = 200
    static let longestPhrase = 200
    static let longestContext = 8 << 10
}

/// Why a service does not transcribe a sound.
package enum HearingRefusal: ErrorCause, Equatable {
    /// The model of this name gives what was said in its own language alone.
    case noTranslation(String)
    /// It is no language.
    case language(String)
    /// The sound lasts longer.
    case tooLong(limit: Duration)
    /// There is no room for it now.
    case overloaded

    package var code: SpeechError.Code {
        switch self {
        case .noTranslation: .translationUnsupported
        case .language: .languageInvalid
        case .tooLong: .recordingTooLong
        case .overloaded: .overloaded
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .noTranslation(let name): .init(model: name)
        case .language(let tag): .init(language: String(tag.prefix(64)))
        case .tooLong(let limit): .init(duration: limit)
        case .overloaded: .init()
        }
    }

    package var message: String {
        switch self {
        case .noTranslation(let name): "\(name) writes down what is said in its own language, and cannot translate."
        case .language(let tag): "\"\(tag.prefix(64))\" is not a language tag. Write de or pt-BR."
        case .tooLong(let limit): "The recording is longer than \(Self.words(limit)). Send it in parts."
        case .overloaded: "The service is transcribing as much as it can. Try again in a moment."
        }
    }

    private static func words(_ limit: Duration) -> String {
        let seconds = limit.components.seconds
        return seconds < 60 ? "\(seconds) s" : seconds < 3600 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}
