import EngineProcesses
import EngineWire
package import SynthHost
import System

extension EngineNeed.Kind {
    /// "the network".
    var words: String {
        switch self {
        case .network: "the network"
        case .executableMemory: "memory for code that it writes"
        case .device(let path): "the device \(path)"
        case .folder(let path): "the folder \(path)"
        }
    }
}

extension EngineListing.Need {
    /// "the network, which is not allowed: “It asks a server.”".
    package var words: String { words(isAllowed: isAllowed) }

    package func words(isAllowed: Bool) -> String {
        "\(kind.words), which \(isAllowed ? "you allow" : "is not allowed"): “\(reason.asOneLine)”"
    }
}

extension EngineListing {
    /// What to type to allow what the engine lacks; nil = it lacks nothing.
    package var allowRemedy: String? {
        let words = needs.filter { !$0.isAllowed }.map { ShellWord.quoted($0.word) }
        guard !words.isEmpty, let id = engine?.id else { return nil }
        return "To allow it, type: synthhost engines allow \(id) \(words.joined(separator: " "))"
    }
}

extension EngineFailure.Reason {
    /// Whether an engine that is refused what it asks for may end like this.
    var mayBeOfConfinement: Bool {
        switch self {
        case .crashed, .exited, .hung: true
        case .reported(let error): [.failed, .missingFile, .badFile].contains(error.kind)
        case .refused, .notStarted, .violatedProtocol, .unspeakableText: false
        }
    }
}
