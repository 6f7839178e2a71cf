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
        case .variable(let name): "the variable \(name)"
        }
    }
}

extension EngineNeed {
    /// What an engine that failed was not allowed, and what to type to allow it.
    func missedWords(by engine: String) -> String {
        let allow = "To allow it, type: \(kind.allowCommand(engine))"
        return kind.variable == nil
            ? "It asks for \(kind.words): \"\(reason.asOneLine)\" \(allow)"
            : "It requests \(kind.words), which is set but not allowed. \(allow)"
    }
}

extension EngineNeed.Kind {
    fileprivate func allowCommand(_ engine: String) -> String {
        "synthhost engines allow \(ShellWord.quoted(engine)) \(ShellWord.quoted(word))"
    }
}

extension PluginRequests.Need {
    /// "the network, which is not allowed: “It asks a server.”".
    package var words: String { words(isAllowed: isAllowed) }

    package func words(isAllowed: Bool) -> String {
        "\(kind.words), which \(isAllowed ? "you allow" : "is not allowed"): \"\(reason.asOneLine)\""
    }
}

extension PluginRequests.Variable {
    /// "the variable TZ, which every engine gets".
    package var words: String { words(isAllowed: isAllowed) }

    package func words(isAllowed: Bool) -> String {
        let state =
            if isAllowed {
                isSet ? "you allow" : "you allow and which is not set"
            } else if isHarmless {
                "every engine gets"
            } else {
                isSet ? "is set but not allowed" : "is neither set nor allowed"
            }
        return "the variable \(name), which \(state)" + (looksSecret ? ". It looks like a secret" : "")
    }
}

extension PluginRequests {
    /// What to type to allow the needs that are not allowed; nil = there is none.
    package var allowRemedy: String? {
        let words = needs.filter { !$0.isAllowed }.map { ShellWord.quoted($0.kind.word) }
        guard !words.isEmpty else { return nil }
        return "To allow it, type: synthhost engines allow \(id) \(words.joined(separator: " "))"
    }

    /// What to type so that its process gets a variable.
    package func remedy(for variable: Variable) -> String {
        "To allow it, type: \(EngineNeed.Kind.variable(variable.name).allowCommand(id))"
    }

    /// Lines of a listing: what it requests, and what to type to allow it.
    package var lines: [String] {
        needs.map { "asks for \($0.words)" } + (allowRemedy.map { [$0] } ?? [])
            + variables.filter { !$0.isHarmless || $0.isAllowed }.flatMap { variable in
                ["requests \(variable.words)"] + (variable.isWithheld ? [remedy(for: variable)] : [])
            }
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
