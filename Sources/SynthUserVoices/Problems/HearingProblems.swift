package import SynthCatalogue
package import SynthSystem

/// Errors in choosing a recognizer.
extension SpeechError {
    /// No recognizer is installed. `folder` is the folder in which to install a recognizer.
    package static func recognizerMissing(folder: String) -> SpeechError {
        SpeechError(
            .recognizerMissing, "No recognizers are installed.", Facts(path: folder),
            remedy: .installRecognizer(folder: folder))
    }

    package static func unknownRecognizer(_ id: String, known: [String]) -> SpeechError {
        SpeechError(
            .recognizerUnknown, "No recognizer is called \(id).", Facts(engine: id, candidates: known),
            remedy: known.isEmpty ? .inspectRecognizers : .chooseRecognizer(known))
    }

    /// The recognizer detects speech but does not transcribe it.
    package static func recognizerOnlyDetects(_ id: String) -> SpeechError {
        SpeechError(
            .recognizerUnknown, "\(id) only detects speech and cannot transcribe it.", Facts(engine: id),
            remedy: .chooseTranscriber)
    }

    package static func unknownModel(_ name: String, known: [String]) -> SpeechError {
        SpeechError(
            .modelUnknown,
            "No model is called \(name)." + Wording.suggestion(Suggestions.nearest(to: name, among: known)),
            Facts(model: name, candidates: known), remedy: .chooseModel)
    }

    /// No installed model supports the language. If `language` is nil, no model is installed at all.
    package static func noModel(language: String?) -> SpeechError {
        SpeechError(
            .modelMissing,
            language.map { "None of the installed recognizers has a model that supports \($0)." }
                ?? "No recognizer models are installed.",
            Facts(language: language), remedy: .chooseModel)
    }

    /// The requested model does not support the language.
    package static func modelOfOtherLanguage(_ model: RecognizerModelEntry, _ language: String) -> SpeechError {
        // A longer list would not fit in a sentence.
        let known =
            model.languages.count > 6
            ? "\(model.languages.count) languages, but not this one"
            : "\(Wording.all(model.languages.map(LanguageName.of))) only"
        return SpeechError(
            .modelLanguageUnsupported, "The model \(model.id) supports \(known).",
            Facts(model: model.id, language: language, candidates: model.languages), remedy: .chooseOtherModel)
    }

    /// The model is known, but its files are missing.
    package static func modelNotDownloaded(_ model: RecognizerModelEntry, because reason: String?) -> SpeechError {
        SpeechError(
            .modelNotDownloaded,
            reason.map { "\(model.name) is not ready: \($0)." }
                ?? "\(model.name) (\(ByteCount.words(model.downloadSize))) is not downloaded.",
            Facts(engine: model.recognizer, model: model.id, reason: reason, bytes: model.downloadSize),
            remedy: .downloadModel(model.id))
    }
}

/// The English names of languages that models commonly support.
private enum LanguageName {
    private static let names = [
        "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
        "fi": "Finnish", "fr": "French", "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese",
        "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
        "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
    ]

    /// The name of a language, or its BCP 47 tag if the name is not listed.
    static func of(_ tag: String) -> String { names[tag.lowercased()] ?? tag }
}
