package import Engines
import EngineWire
package import SpeechScript
package import SynthAudio
package import System
package import VoiceCatalogue

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
    case installation(InstallationError)
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
