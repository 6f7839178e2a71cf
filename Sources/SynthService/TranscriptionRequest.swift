package import SynthHost
package import SynthSystem

/// A client's transcription request, without the audio.
package struct TranscriptionRequest: Sendable {
    /// The model as RECOGNIZER/MODEL, a model's ID or name, or a recognizer's ID. nil selects the default model.
    package var model: String?
    /// The spoken language (BCP 47), or nil to detect it.
    package var language: String?
    /// The preceding text, or a sentence with names and terms, as context for the recognizer.
    package var context: String?
    /// Names and terms to expect.
    package var phrases: [String] = []
    /// Whether to translate the text into English.
    package var isTranslated = false
    package var wantsWords = false
    /// Whether to transcribe each channel of a recording separately instead of mixing them.
    package var splitsChannels = false
    package var priority = SpeechPriority.normal

    package init(model: String? = nil, language: String? = nil) {
        self.model = model
        self.language = language
    }

    /// The maximum size of the context in bytes. A longer context is truncated.
    static let longestContext = 8 << 10
}

extension SpeechError {
    /// The requested model cannot translate.
    package static func translationUnsupported(model name: String) -> SpeechError {
        SpeechError(
            .translationUnsupported, "\(name) transcribes speech in its original language and cannot translate it.",
            Facts(model: name))
    }

    /// The language tag is invalid.
    package static func languageInvalid(_ tag: String) -> SpeechError {
        SpeechError(
            .languageInvalid, "\"\(tag.prefix(64))\" is not a language tag. Use a tag such as de or pt-BR.",
            Facts(language: String(tag.prefix(64))))
    }

    /// The recording exceeds the maximum duration.
    package static func recordingTooLong(limit: Duration) -> SpeechError {
        let seconds = limit.components.seconds
        let words = seconds < 60 ? "\(seconds) s" : seconds < 3600 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
        return SpeechError(
            .recordingTooLong, "The recording is longer than \(words). Send it in parts.", Facts(duration: limit))
    }

    /// The service cannot accept more transcriptions at the moment.
    package static let transcriptionOverloaded = SpeechError(
        .overloaded, "The service cannot accept more transcriptions right now. Try again in a moment.")
}
