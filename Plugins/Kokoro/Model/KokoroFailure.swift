import EngineKit
import SynthInference
import SynthPhonemes

/// Converts errors from lower layers to messages for the user who downloaded the voice.
enum KokoroFailure {
    static func model(_ what: String) -> EngineError {
        EngineError(.badFile, "The model \(what).", role: KokoroRole.model)
    }

    static func style(_ what: String, of voice: String) -> EngineError {
        EngineError(.badFile, "The style file of the voice \"\(voice)\" \(what).", role: KokoroRole.style)
    }

    /// The style file does not contain this voice.
    static func unknown(_ voice: String, among names: [String]) -> EngineError {
        let list = names.prefix(8).joined(separator: ", ")
        let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
        return style("contains no voice with this name; its voices are \(list)\(rest)", of: voice)
    }

    static func lexicon(_ what: String) -> EngineError {
        EngineError(.badFile, "The lexicon \(what).", role: KokoroRole.lexicon)
    }

    static func of(_ error: InferenceError) -> EngineError {
        switch error.reason {
        case .model: model("cannot be loaded: \(error)")
        // A run is terminated only if its request is cancelled. In that case, EngineKit ignores the error.
        default: EngineError(.failed, "The voice could not speak: \(error).")
        }
    }

    static func of(_ error: PhonemeError) -> EngineError {
        EngineError(.failed, error.description)
    }
}

/// The roles of a Kokoro voice's files.
enum KokoroRole {
    static let model = "model"
    static let style = "style"
    static let lexicon = "lexicon"
    static let britishLexicon = "lexicon-gb"
}
