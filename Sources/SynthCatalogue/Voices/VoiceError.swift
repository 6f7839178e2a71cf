/// Why no voice could be chosen.
package enum VoiceError: Error, Hashable, Sendable {
    case noEngine
    case unknownEngine(String, near: [String])
    /// There are only example engines.
    case onlyExamples([String])
    case noVoices(engine: String)
    case unknownVoice(String, near: [String])
    /// The configured voice does not exist any more.
    case forgottenVoice(String, engine: String, near: [String])
    case ambiguousVoice(String, candidates: [String])
    case unknownSpeaker(String, voice: String, speakers: [String])
    /// A speaker was given for a blend.
    case speakerOfBlend(String)
    /// A name is missing before, after or between two `+`.
    case incompleteBlend(String)
    case noWeight(String, voice: String)
    case largeBlend(Int, largest: Int)
    case noBlends(engine: String)
    case blendOfEngines(String, String, other: String, otherEngine: String)
    case blendOfModels(String, other: String)
    case unknownLanguage(String, engine: String, near: [String])
    /// The voice is known, but its engine cannot speak it.
    case unsupportedVoice(title: String, why: String)
    /// The voice is known, but its files are not installed; `word` is what to type for it. `why` is set if they were
    /// installed once, or are installed in part.
    case notDownloaded(title: String, word: String, bytes: Int64, why: String?)
    /// It is a voice of the user, and its files are damaged.
    case damaged(title: String, id: String, why: String)
    /// The voice is known, but its engine is not among the plugins.
    case missingEngine(title: String, engine: String)
    /// Its files are installed, but the engine needs another file, for which no address is known.
    case missingFile(title: String, role: String)

    /// Whether the request is invalid with any set of voices.
    package var isMistyped: Bool {
        switch self {
        case .speakerOfBlend, .incompleteBlend, .noWeight, .largeBlend: true
        default: false
        }
    }
}
