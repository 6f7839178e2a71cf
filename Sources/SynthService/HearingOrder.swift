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

    /// More of a text is left out.
    static let longestContext = 8 << 10
}

/// Why a service does not transcribe a sound.
extension SpeechError {
    /// The model of this name gives what was said in its own language alone.
    package static func translationUnsupported(model name: String) -> SpeechError {
        SpeechError(
            .translationUnsupported, "\(name) writes down what is said in its own language, and cannot translate.",
            Facts(model: name))
    }

    /// It is no language.
    package static func languageInvalid(_ tag: String) -> SpeechError {
        SpeechError(
            .languageInvalid, "\"\(tag.prefix(64))\" is not a language tag. Write de or pt-BR.",
            Facts(language: String(tag.prefix(64))))
    }

    /// The sound lasts longer.
    package static func recordingTooLong(limit: Duration) -> SpeechError {
        let seconds = limit.components.seconds
        let words = seconds < 60 ? "\(seconds) s" : seconds < 3600 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
        return SpeechError(
            .recordingTooLong, "The recording is longer than \(words). Send it in parts.", Facts(duration: limit))
    }

    /// There is no room for it now.
    package static let hearingOverloaded = SpeechError(
        .overloaded, "The service is transcribing as much as it can. Try again in a moment.")
}
