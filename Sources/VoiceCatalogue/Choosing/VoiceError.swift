/// A voice, speaker or engine that is not there, or not clearly meant.
package enum VoiceError: Error, Hashable, Sendable {
    case noEngine
    case unknownEngine(String, near: [String])
    /// Engines are here, but none that speaks a language.
    case onlyExamples([String])
    case noVoices(engine: String)
    case unknownVoice(String, near: [String])
    /// The voice of the configuration is not there any more.
    case forgottenVoice(String, engine: String, near: [String])
    case ambiguousVoice(String, candidates: [String])
    case unknownSpeaker(String, voice: String, speakers: [String])
    /// One speaker was asked for beside several voices.
    case speakerOfBlend(String)
    /// Nothing stands before, after or between two `+`.
    case incompleteBlend(String)
    case noWeight(String, voice: String)
    case largeBlend(Int, largest: Int)
    case noBlends(engine: String)
    case blendOfEngines(String, String, other: String, otherEngine: String)
    case blendOfModels(String, other: String)
    case unknownLanguage(String, engine: String, near: [String])
    /// It is known, and its engine cannot speak it.
    case unsupportedVoice(title: String, why: String)
    /// It is known, and its files are not here; `word` is what people call it. `why` is there if they once were here, or
    /// half of them are.
    case notDownloaded(title: String, word: String, bytes: Int64, why: String?)
    /// It is the user's own, and something is wrong with its files.
    case damaged(title: String, id: String, why: String)
    /// It is known, and its engine is not among the plugins.
    case missingEngine(title: String, engine: String)
    /// Its files are here, and the engine needs another one, which nothing says where to get.
    case missingFile(title: String, role: String)

    /// Whatever voices there are, this cannot be asked for.
    package var isMistyped: Bool {
        switch self {
        case .speakerOfBlend, .incompleteBlend, .noWeight, .largeBlend: true
        default: false
        }
    }
}
