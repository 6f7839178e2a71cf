package import SynthAudio
package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthScript
package import SynthSystem

/// Why speech could not be made, or not be heard.
package enum SpeechFailure: Error, Sendable {
    case engine(EngineFailure)
    /// The engine cannot use a file of the voice.
    case voiceFile(VoiceFileFlaw)
    case voice(VoiceError)
    case text(TextError)
    /// The text is not a script of its form.
    case script(ScriptError)
    /// A script starts a clip on a channel beside the speech, which only a queue has.
    case channel(String, clip: String)
    /// A lexicon, by the path of its file, cannot be used.
    case lexicon(path: String, LexiconError)
    /// A library that a form of script needs is not on this machine; the reason is the loader's.
    case libraryNotLoaded(String, String?)
    /// What gave the text threw.
    case textSource(any Error)
    /// The text could not be read.
    case input(String, Errno)
    /// The system, or a limit of this user's, leaves no thread to speak on.
    case noThread
    /// Texts that others wait for leave no room for this one now.
    case overloaded
    case audio(AudioError)
    /// The file that says when words sound could not be written.
    case timings(AudioError)
    /// The ending of its name means no format of such a file.
    case timingsEndingUnknown(path: String)
    /// The clip of this name.
    case clip(String, ClipFailure)
    case installation(MissingProgram)
    /// What a host says that found the voice.
    case host(SpeechError)
    case registry(RegistryError)
    /// A speech is read once.
    case alreadyRead
    /// The session was closed.
    case closed
}

extension SpeechFailure {
    /// The id of an engine that did what no engine may do, whatever it was asked for; nil = it is something else.
    package var brokenEngine: String? {
        guard case .engine(let failure) = self else { return nil }
        switch failure.reason {
        case .crashed, .exited, .hung, .violatedProtocol: return failure.engine
        case .reported(let error): return error.kind == .violatedContract ? failure.engine : nil
        case .refused, .notStarted, .unspeakableText: return nil
        }
    }

    /// Whether an engine, or what it was handed, is not as it should be, so that another one may do better.
    package var isOfEngine: Bool {
        switch self {
        // No engine is handed such a text.
        case .engine(let failure): failure.reason != .unspeakableText
        case .voiceFile: true
        case .voice(.damaged), .voice(.missingFile): true
        case .audio(.formatUnusable), .audio(.conversionFailed): true
        default: false
        }
    }
}

/// What an engine says of a file of a voice that it cannot use.
package struct VoiceFileFlaw: Equatable, Sendable {
    /// The id of the voice.
    package let voice: String
    /// Whether the user added the voice.
    package let isUsersOwn: Bool
    package let path: String
    /// Whether the file belongs to the voice alone, and not to its model.
    package let isOfVoice: Bool
    package var error: EngineError
}

/// Why a clip cannot be heard: its name means none, or its file cannot be used.
package enum ClipFailure: Equatable, Sendable {
    case name(ClipNameProblem)
    case file(ClipError)
}

/// Why a name means no clip.
package enum ClipNameProblem: Equatable, Sendable {
    /// There is no clip of that name; names near it.
    case unknown(String, near: [String])
    /// Several files of the folder of clips have the name.
    case several(String, files: [String])
    /// The folder of clips cannot be read.
    case folder(String, Errno)
    /// A document names a path, and nothing says which folder it may mean.
    case pathNotAllowed(String)
    /// A document names a path from the root, or an address.
    case notRelative(String)
    /// A document names more channels for clips than may sound beside each other.
    case tooManyChannels(String, limit: Int)
    /// The path that a document names leads out of its folder.
    case outside(String, folder: String)
}
