import SynthEngineProcesses
import SynthEngineWire
package import SynthHost
import SynthSystem

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
    /// The command that allows the needs that are not allowed; nil = there are none.
    package var allowRemedy: String? {
        let words = needs.filter { !$0.isAllowed }.map { ShellWord.quoted($0.kind.word) }
        guard !words.isEmpty else { return nil }
        return "To allow it, type: synthhost engines allow \(id) \(words.joined(separator: " "))"
    }

    /// The command that lets its process get a variable.
    package func remedy(for variable: Variable) -> String {
        "To allow it, type: \(EngineNeed.Kind.variable(variable.name).allowCommand(id))"
    }

    /// A warning with a command for each variable that is set but withheld from its process.
    package var withheldWarnings: [String] {
        variables.filter(\.isWithheld).map { "The \(kindWord) \(id) requests \($0.words). \(remedy(for: $0))" }
    }

    /// Lines of a listing: its requests, and the commands that allow them.
    package var lines: [String] {
        needs.map { "requests \($0.words)" } + (allowRemedy.map { [$0] } ?? [])
            + variables.filter { !$0.isHarmless || $0.isAllowed }.flatMap { variable in
                ["requests \(variable.words)"] + (variable.isWithheld ? [remedy(for: variable)] : [])
            }
    }
}

extension HostSnapshot {
    /// Warnings about variables that engines and recognizers request and do not get, although they are set.
    package var withheldWarnings: [String] {
        (listings.filter { $0.engine != nil }.compactMap(\.requests) + recognizerListings.compactMap(\.requests))
            .flatMap(\.withheldWarnings)
    }
}
