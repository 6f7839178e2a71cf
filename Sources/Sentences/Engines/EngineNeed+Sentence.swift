import EngineProcesses
package import EngineWire
import System

extension EngineNeed.Kind {
    /// "the network".
    package var words: String {
        switch self {
        case .network: "the network"
        case .executableMemory: "memory for code that it writes"
        case .device(let path): "the device \(path)"
        case .folder(let path): "the folder \(path)"
        }
    }
}

extension EngineNeed {
    /// "the network, which you have not allowed: “It asks a server.”".
    package func words(isAllowed: Bool) -> String {
        "\(kind.words), which \(isAllowed ? "you allow" : "is not allowed"): “\(reason.asOneLine)”"
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
