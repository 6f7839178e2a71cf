package import SynthSystem

/// Why no voice could be chosen.
package enum VoiceError: Error, Hashable, Sendable {
    case noEngine
    case unknownEngine(String, near: [String])
    case onlyExamples([String])
    case noVoices(engine: String)
    case unknownVoice(String, near: [String])
    case forgottenVoice(String, engine: String, near: [String])
    case ambiguousVoice(String, candidates: [String])
    case unknownSpeaker(String, voice: String, speakers: [String])
    case speakerOfBlend(String)
    /// A name is missing before, after or between `+` signs.
    case incompleteBlend(String)
    case noWeight(String, voice: String)
    case largeBlend(Int, largest: Int)
    case noBlends(engine: String)
    case blendOfEngines(String, String, other: String, otherEngine: String)
    case blendOfModels(String, other: String)
    case unknownLanguage(String, engine: String, near: [String])
    /// The voice is known, but its engine does not support it.
    case unsupportedVoice(title: String, why: String)
    /// The voice is known, but its files are not installed; `word` is the name to type for it. `why` is set if the
    /// files were previously installed, or are only partly installed.
    case notDownloaded(title: String, word: String, bytes: Int64, why: String?)
    /// The voice is the user's own, and its files are damaged.
    case damaged(title: String, id: String, why: String)
    /// The voice is known, but its engine is not installed.
    case missingEngine(title: String, engine: String)
    /// The voice's files are installed, but the engine needs another file, whose URL is not known.
    case missingFile(title: String, role: String)

    /// Whether the request is invalid, regardless of the installed voices.
    package var isMistyped: Bool {
        switch self {
        case .speakerOfBlend, .incompleteBlend, .noWeight, .largeBlend: true
        default: false
        }
    }
}

extension VoiceError: ErrorCause {
    package var message: String {
        switch self {
        case .noEngine: "No engines are installed in the plugins folders."
        case .unknownEngine(let name, let near): "No engine is called \"\(name)\"." + Wording.suggestion(near)
        case .onlyExamples(let engines):
            "Only example engines, which do not speak any language, are installed: \(Wording.few(engines))."
        case .noVoices(let engine): "The engine \"\(engine)\" has no voices."
        case .unknownVoice(let name, let near): "No voice is called \"\(name)\"." + Wording.suggestion(near)
        case .forgottenVoice(let name, let engine, let near):
            "The configuration names the voice \"\(name)\" for the engine \(engine), which has no such voice."
                + Wording.suggestion(near)
        case .ambiguousVoice(let name, let candidates):
            "\"\(name)\" matches several voices: \(Wording.few(candidates))."
        case .unknownSpeaker(let name, let voice, let speakers):
            speakers.isEmpty
                ? "The voice \(voice) has only one speaker, so \"\(name)\" cannot be chosen."
                : "The voice \(voice) has no speaker \"\(name)\"; its speakers are \(Wording.few(speakers)), "
                    + "numbered 0 to \(speakers.count - 1)."
        case .speakerOfBlend(let speaker):
            "The speaker \"\(speaker)\" cannot be chosen for several voices at the same time."
        case .incompleteBlend(let text): "\"\(text)\" is missing a voice next to a \"+\" or \"*\"."
        case .noWeight(let weight, let voice):
            "\"\(weight)\" is not a weight for the voice \(voice): a weight is a number above 0, such as 0.7."
        case .largeBlend(let count, let largest): "\(count) voices are too many for one blend; the limit is \(largest)."
        case .noBlends(let engine): "The engine \(engine) cannot blend voices."
        case .blendOfEngines(let title, let engine, let other, let otherEngine):
            "\(title) is a voice of \(engine) and \(other) is a voice of \(otherEngine); all voices of a blend must belong to the same "
                + "engine."
        case .blendOfModels(let title, let other):
            "\(title) and \(other) use different models; all voices of a blend must use the same model."
        case .unknownLanguage(let language, let engine, let near):
            "The engine \(engine) has no voice for the language \"\(language)\"." + Wording.suggestion(near)
        case .unsupportedVoice(let title, let why): "The voice \(title) cannot be used: \(why)."
        case .notDownloaded(let title, _, let bytes, let why):
            "The voice \(title) is not downloaded (\(ByteCount.words(bytes)))" + (why.map { ": \($0)." } ?? ".")
        case .damaged(let title, _, let why): "The voice \(title) is damaged: \(why)."
        case .missingEngine(let title, let engine):
            "The voice \(title) needs the engine \(engine), which is not installed."
        case .missingFile(let title, let role): "The voice \(title) has no file for the role \"\(role)\"."
        }
    }

    package var code: SpeechError.Code {
        switch self {
        case .noEngine: .noEngine
        case .onlyExamples: .engineWithoutVoices
        case .unknownEngine: .engineUnknown
        case .noVoices: .engineWithoutVoices
        case .unknownVoice, .forgottenVoice: .voiceUnknown
        case .ambiguousVoice: .voiceAmbiguous
        case .unknownSpeaker: .speakerUnknown
        case .speakerOfBlend, .incompleteBlend, .noWeight, .largeBlend: .blendInvalid
        case .noBlends, .blendOfEngines, .blendOfModels: .blendUnsupported
        case .unknownLanguage: .languageUnsupported
        case .unsupportedVoice: .voiceUnsupported
        case .notDownloaded: .voiceNotDownloaded
        case .damaged: .voiceDamaged
        case .missingEngine: .voiceWithoutEngine
        case .missingFile: .voiceIncomplete
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .noEngine: .init()
        case .unknownEngine(let id, let near): .init(engine: id, candidates: near)
        case .onlyExamples(let engines): .init(candidates: engines)
        case .noVoices(let engine), .noBlends(let engine): .init(engine: engine)
        case .unknownVoice(let name, let near), .ambiguousVoice(let name, let near): .init(name: name, candidates: near)
        case .forgottenVoice(let name, let engine, let near): .init(name: name, engine: engine, candidates: near)
        case .unknownSpeaker(let name, let voice, let speakers): .init(name: name, voice: voice, candidates: speakers)
        case .speakerOfBlend(let name), .incompleteBlend(let name): .init(name: name)
        case .noWeight(let weight, let voice): .init(name: weight, voice: voice)
        case .largeBlend(let count, let largest): .init(limit: Int64(largest), count: count)
        case .blendOfEngines(let title, let engine, let other, _):
            .init(voice: title, engine: engine, candidates: [other])
        case .blendOfModels(let title, let other): .init(voice: title, candidates: [other])
        case .unknownLanguage(let language, let engine, let near):
            .init(engine: engine, language: language, candidates: near)
        case .unsupportedVoice(let title, let why), .damaged(let title, _, let why): .init(voice: title, reason: why)
        case .notDownloaded(let title, _, let bytes, let why): .init(voice: title, reason: why, bytes: bytes)
        case .missingEngine(let title, let engine): .init(voice: title, engine: engine)
        case .missingFile(let title, let role): .init(name: role, voice: title)
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .noEngine: .inspectPlugins
        case .onlyExamples(let engines): .useExample(engines.first ?? "")
        case .unknownEngine: .chooseEngine
        case .unsupportedVoice: .chooseOtherVoice
        case .noVoices, .unknownVoice, .unknownLanguage, .noBlends: .chooseVoice
        case .notDownloaded(_, let word, _, _): .downloadVoice(word)
        case .damaged(_, let id, _): .addVoiceAgain(id)
        case .missingEngine(_, let engine): .installEngine(engine)
        case .missingFile: .addWholeVoice
        case .forgottenVoice(_, let engine, _): .forgetVoice(engine: engine)
        case .ambiguousVoice(_, let candidates):
            Set(candidates).count == candidates.count ? .chooseVoiceNamed(candidates.first ?? "") : .nameEngineOfVoice
        case .speakerOfBlend: .putSpeakerInBlend
        case .incompleteBlend, .noWeight, .largeBlend: .writeBlend
        case .blendOfEngines, .blendOfModels: .compareEngines
        case .unknownSpeaker(_, let voice, let speakers): speakers.isEmpty ? .omitSpeaker : .selectSpeaker(voice: voice)
        }
    }
}
