import Glibc
package import SynthAudio
import SynthCatalogue
package import SynthHost
import SynthSystem

extension HearingProblem {
    /// What happened, in one sentence.
    package var message: String {
        switch self {
        case .noRecognizer: "No recognizer is installed."
        case .unknownRecognizer(let id, _): "No recognizer is called \(id)."
        case .onlyDetects(let id): "\(id) detects speech, and cannot transcribe."
        case .unusable(let failure): failure.message
        case .unknownModel(let name, let known):
            "No model is called \(name)."
                + Wording.suggestion(
                    Suggestions.nearest(to: name, among: known))
        case .noModel(let language?): "No model of the installed recognizers understands \(language)."
        case .noModel(nil): "No model of a recognizer is installed."
        case .notDownloaded(let model, nil):
            "\(model.name) (\(ByteCount.words(model.downloadSize))) is not downloaded."
        case .notDownloaded(let model, let reason?): "\(model.name) is not ready: \(reason)."
        case .otherLanguage(let model, _):
            "The model \(model.id) understands "
                + (model.languages.count > Self.mostLanguages
                    ? "\(model.languages.count) languages, but not this one"
                    : "\(Wording.all(model.languages.map(LanguageName.of))) only") + "."
        }
    }

    /// A model with more languages is not listed in a sentence.
    private static let mostLanguages = 6

    /// What to type or do next, in one sentence.
    package var remedy: String {
        switch self {
        case .noRecognizer(let folder): "Put a recognizer's .so file into \(folder)."
        case .unknownRecognizer(_, let known):
            known.isEmpty
                ? "`synthhost recognizers` shows why." : "Installed are: \(Wording.all(known))."
        case .unusable(let failure): failure.remedy
        case .onlyDetects:
            "`listen` uses it beside another recognizer; `synthhost recognizers` lists them."
        case .unknownModel, .noModel: "`synthhost recognizers` lists the models."
        case .otherLanguage: "`synthhost recognizers` lists others."
        case .notDownloaded(let model, _): "To get it, type: synthhost models pull \(ShellWord.quoted(model.id))"
        }
    }
}

/// A microphone that does not listen.
extension AudioError {
    /// What happened, in one sentence.
    package var microphoneMessage: String {
        switch self {
        case .deviceMissing("default", _): "This machine has no microphone, or it offers none to this user."
        case .deviceRefusesFormat(let device, let format, let code):
            "The sound device \"\(device)\" does not record \(format.sampleRate) Hz: \(ALSADevice.reason(code))."
        default: message
        }
    }

    /// What to type or do next, in one sentence.
    package var microphoneRemedy: String {
        let other = "name another microphone with -d, as in: -d plughw:1"
        return switch self {
        case .deviceMissing: "Connect a microphone, or \(other)"
        case .deviceNotOpened(_, EBUSY): "End the other program, or \(other)"
        case .deviceNotOpened(_, EACCES), .deviceNotOpened(_, EPERM):
            "Join the group with `sudo usermod -aG audio $USER` and log in again, or \(other)"
        case .deviceNotOpened(_, ECONNREFUSED):
            "Log in to a desktop or start its sound server, or \(other)"
        case .deviceRefusesFormat(let device, _, _): "Try `-d plug:\(device)`, which converts, or \(other)"
        case .deviceNotOpened, .deviceFailed: "Connect it anew, or \(other)"
        default: remedy
        }
    }
}

/// The English names of languages that models are often made for.
private enum LanguageName {
    private static let names = [
        "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
        "fi": "Finnish", "fr": "French", "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese",
        "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
        "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
    ]

    /// The name of a language, or else its tag (BCP-47).
    static func of(_ tag: String) -> String { names[tag.lowercased()] ?? tag }
}
