package import SynthAudio
package import SynthEngineProcesses
package import SynthHost

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

/// Why a service does not understand a sound.
package enum HearingFailure: Error {
    case choice(LibraryProblem)
    case recognizer(EngineFailure)
    /// It cannot be read, or not to its end.
    case sound(ClipError)
    /// The model of this name gives what was said in its own language alone.
    case noTranslation(String)
    /// It is no language.
    case language(String)
    /// The sound lasts longer.
    case tooLong(limit: Duration)
    /// There is no room for it now.
    case overloaded
}
