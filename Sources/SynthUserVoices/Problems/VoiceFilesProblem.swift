package import SynthCatalogue
package import SynthSystem

/// Why something cannot be done with a voice of this user.
package enum VoiceFilesProblem: ErrorCause {
    /// The client of a service named a voice by this key.
    case unknown(key: String)
    /// Its engine speaks it without any file.
    case builtIn(title: String, engine: String)
    /// It has no files on this machine.
    case notInstalled(title: String)
    /// What is to be removed is being downloaded.
    case downloading(title: String)
    /// What is to be removed speaks, or another voice of its model does.
    case speaking(title: String)
    /// It must be downloaded before it can be chosen.
    case notReady(title: String, key: String)
    case notDownloaded(title: String, SpeechError)
    case notRemoved(title: String, SpeechError)
    /// The name means a speaker, or a blend, and one voice is meant; what to type for its voices.
    case notOneVoice(name: String, isBlend: Bool, words: [String])
    /// The voice does not come in it; the voices with the models that it comes in.
    case noPrecision(String, title: String, known: [Voice])

    package var code: SpeechError.Code {
        switch self {
        case .unknown: .voiceKeyUnknown
        case .builtIn: .voiceBuiltIn
        case .notInstalled: .voiceNotInstalled
        case .downloading, .speaking: .voiceInUse
        case .notReady: .voiceNotDownloaded
        case .notDownloaded(_, let error): error.code == .filesBusy ? .filesBusy : .downloadFailed
        case .notRemoved(_, let error): error.code == .filesBusy ? .filesBusy : .removalFailed
        case .notOneVoice: .voiceNotSingle
        case .noPrecision: .precisionUnknown
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .unknown(let key): .init(name: String(key.prefix(80)))
        case .builtIn(let title, let engine): .init(voice: title, engine: engine)
        case .notInstalled(let title), .downloading(let title), .speaking(let title), .notReady(let title, _):
            .init(voice: title)
        case .notDownloaded(let title, let error), .notRemoved(let title, let error):
            {
                var facts = error.facts
                facts.voice = title
                return facts
            }()
        case .notOneVoice(let name, _, let words): .init(name: name, candidates: words)
        case .noPrecision(let precision, let title, let known):
            .init(name: precision, voice: title, candidates: known.compactMap { $0.model?.precision })
        }
    }

    package var message: String {
        switch self {
        // A key from outside may have any length.
        case .unknown(let key): "There is no voice \"\(key.prefix(80))\"."
        case .builtIn(let title, let engine): "\(title) is built into \(engine) and has no files."
        case .notInstalled(let title): "\(title) is not downloaded."
        case .downloading(let title): "\(title) is being downloaded. Cancel that first."
        case .speaking(let title): "\(title), or another voice of its model, speaks now. Wait until it is silent."
        case .notReady(let title, _): "\(title) is not downloaded. Download it first."
        case .notDownloaded(let title, let error): "\(title) was not downloaded. \(error.message)"
        case .notRemoved(let title, let error): "\(title) was not removed. \(error.message)"
        case .notOneVoice(let name, isBlend: true, _): "\"\(name)\" is a blend, and one voice is meant here."
        case .notOneVoice(let name, isBlend: false, _):
            "\"\(name)\" is one speaker of a voice, and the whole voice is meant here."
        case .noPrecision(_, let title, let known) where known.isEmpty: "\(title) comes in one precision only."
        case .noPrecision(let precision, let title, _): "\(title) does not come in \(precision)."
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .unknown: .listVoices
        case .builtIn, .notInstalled: .listInstalled
        case .notReady(_, let key): .downloadVoice(key)
        case .downloading, .speaking: nil
        case .notDownloaded(_, let error), .notRemoved(_, let error): error.remedy
        case .notOneVoice(_, _, let words): .chooseVoiceOf(words)
        case .noPrecision(_, _, let known) where known.isEmpty: .omitPrecision
        case .noPrecision(_, _, let known):
            .choosePrecision(
                known.compactMap { voice in
                    voice.model?.precision.map { "\($0) (\(ByteCount.words(voice.downloadSize)))" }
                })
        }
    }

    package var underlying: (any Error)? {
        switch self {
        case .notDownloaded(_, let error), .notRemoved(_, let error): error.cause
        default: self
        }
    }
}
