package import SynthCatalogue
package import SynthEngineProcesses
package import SynthModelStore
package import SynthSpeech

/// Why something cannot be done with the voices of this user, or was not done.
package enum LibraryProblem: Error, Sendable {
    case unknown(key: String)
    /// Its engine speaks it without any file.
    case builtIn(title: String, engine: String)
    /// It has no files here.
    case notHere(title: String)
    /// What is to be removed is being downloaded.
    case downloading(title: String)
    /// What is to be removed speaks, or another voice of its model does.
    case speaking(title: String)
    /// It must be downloaded before it can be chosen.
    case notReady(title: String, key: String)
    case notDownloaded(VoiceDownloadProblem, title: String)
    case notRemoved(VoiceDownloadProblem, title: String)
    /// The name means a speaker, or a blend, and one voice is meant; what to type for its voices.
    case notOneVoice(name: String, isBlend: Bool, words: [String])
    /// The voice does not come in it; the voices with the models that it comes in.
    case noPrecision(String, title: String, known: [Voice])
    case ownFiles(OwnFilesProblem)
    case hearing(HearingProblem)
    /// The files are as they were, or as far as the store came.
    case store(StoreError)
    case configuration(ConfigurationError)
    case speech(SpeechFailure)

    /// Whether it was stopped on request.
    package var isCancellation: Bool { if case .store(let error) = self { error.kind == .cancelled } else { false } }
}

/// Why the user's files make no voice.
package enum OwnFilesProblem: Sendable {
    case unknownLanguage(path: String)
    /// The files are no model with the files of its voices.
    case noBundle(count: Int)
    /// A name or an id was given for several voices.
    case namesForSeveral(count: Int)
    case sameName(String)
    case noName
    case severalEngines([String])
    /// The engine that was named has no files.
    case withoutFiles(engine: String)
    /// None of these engines can use them.
    case fitsNone(engines: [String])
    /// The engine needs a file for each of these roles. Some are missing, and would be found by the names here; `others` are
    /// files that may be meant. The command adds the files then; nil = an archive has to be unpacked first.
    case needs(
        engine: String, roles: [String], missing: [(role: String, path: String)], others: [String], next: NextAddition?)
    /// A file is missing beside the one that was named.
    case missing(name: String, beside: String, engine: String)
    /// A model without a voice. The command adds it with the voices beside it, or with those from elsewhere.
    case noVoice(model: String, engine: String, role: String, from: EngineHints.Origin?, next: NextAddition)
    /// Voices without their model, likewise.
    case noModel(voices: String, engine: String, role: String, from: EngineHints.Origin?, next: NextAddition)
    /// Several models, each of which makes voices by itself; what to type for each.
    case severalModels(path: String, choices: [NextAddition])
    /// Voices that their engine cannot speak; what would add them in another language.
    case unsupported(LeftOutVoices, next: NextAddition)
    /// A model that the registry has, with the voices that use it; what to type for the first.
    case modelOnly(path: String, Model, voices: [Voice], word: String)
    /// Several of the files could be the one of this role.
    case severalFiles(role: String, [String])
    /// A recognizer that tried its model did not load it, or could not listen.
    case deaf(name: String, EngineFailure)
    /// A voice that was tried could not speak.
    case silent(title: String, SpeechFailure)
}

/// Why nobody listens.
package enum HearingProblem: Sendable, Equatable {
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

extension SpeechError {
    init(_ problem: HearingProblem) {
        switch problem {
        case .noRecognizer(let folder): self = .listening(.noRecognizer(folder: folder))
        case .unknownRecognizer(let id, let known): self = .listening(.unknownRecognizer(id, known: known))
        case .onlyDetects(let id): self = .listening(.unknownRecognizer(id, known: []))
        case .unusable(let failure): self = .engine(failure.engine, EngineProblem(failure.reason))
        case .unknownModel(let name, let known): self = .listening(.unknownModel(name, known: known))
        case .noModel(let language): self = .listening(.noModel(language: language))
        case .otherLanguage(_, let language): self = .listening(.noModel(language: language))
        case .notDownloaded(let model, _):
            self = .listening(.notDownloaded(model: model.id, bytes: model.downloadSize))
        }
    }
}

/// Files that the user could add next, all together, and what they say of them.
package struct NextAddition: Equatable, Sendable {
    package var paths: [String]
    /// BCP-47.
    package var language: String?
    package var engine: String?
}

/// Voices that were not added, all for one reason.
package struct LeftOutVoices: Sendable {
    package var titles: [String]
    /// A sentence without a full stop.
    package let reason: String
}
