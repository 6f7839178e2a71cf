package import SynthCatalogue
package import SynthEngineProcesses
package import SynthSystem

/// Why no recognizer can be used.
package enum HearingProblem: ErrorCause, Equatable {
    /// No recognizer is here; the folder that they are put into.
    case noRecognizer(folder: String)
    case unknownRecognizer(String, known: [String])
    /// It only finds where somebody speaks.
    case onlyDetects(String)
    /// The recognizer of that name cannot be used.
    case unusable(EngineFailure)
    case unknownModel(String, known: [String])
    /// None of the models that are here understands it.
    case noModel(language: String?)
    /// The model that was named understands other languages.
    case otherLanguage(HearingModel, String)
    /// The model is known, but its files are not here.
    case notDownloaded(HearingModel, because: String?)
}

extension HearingProblem {
    package var code: SpeechError.Code {
        switch self {
        case .noRecognizer: .recognizerMissing
        case .unknownRecognizer, .onlyDetects: .recognizerUnknown
        case .unusable(let failure): RecognizerFailure(failure).code
        case .unknownModel: .modelUnknown
        case .noModel: .modelMissing
        case .otherLanguage: .modelLanguageUnsupported
        case .notDownloaded: .modelNotDownloaded
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .noRecognizer(let folder): .init(path: folder)
        case .unknownRecognizer(let id, let known): .init(engine: id, candidates: known)
        case .onlyDetects(let id): .init(engine: id)
        case .unusable(let failure): failure.facts
        case .unknownModel(let name, let known): .init(model: name, candidates: known)
        case .noModel(let language): .init(language: language)
        case .otherLanguage(let model, let language):
            .init(model: model.id, language: language, candidates: model.languages)
        case .notDownloaded(let model, let reason): .init(model: model.id, reason: reason, bytes: model.downloadSize)
        }
    }

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

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .noRecognizer(let folder): .installRecognizer(folder: folder)
        case .unknownRecognizer(_, let known): known.isEmpty ? .inspectRecognizers : .chooseRecognizer(known)
        case .unusable(let failure): failure.remedy
        case .onlyDetects: .chooseTranscriber
        case .unknownModel, .noModel: .chooseModel
        case .otherLanguage: .chooseOtherModel
        case .notDownloaded(let model, _): .downloadModel(model.id)
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
