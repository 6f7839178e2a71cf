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
    /// A phrase that describes the permission, such as "the network, which is not allowed: “It asks a server.”".
    package var words: String { words(isAllowed: isAllowed) }

    package func words(isAllowed: Bool) -> String {
        "\(kind.words), which \(isAllowed ? "you allow" : "is not allowed"): \"\(reason.asOneLine)\""
    }
}

extension PluginRequests.Variable {
    /// A phrase that describes the variable, such as "the variable TZ, which every engine gets".
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
    /// Advice with the command that grants all requested permissions that have not been granted yet, or nil if there
    /// are none.
    package var allowRemedy: String? {
        let words = needs.filter { !$0.isAllowed }.map { ShellWord.quoted($0.kind.word) }
        guard !words.isEmpty else { return nil }
        return "To allow it, type: synthhost engines allow \(id) \(words.joined(separator: " "))"
    }

    /// Advice with the command that allows the process to get an environment variable.
    package func remedy(for variable: Variable) -> String {
        "To allow it, type: \(EngineNeed.Kind.variable(variable.name).allowCommand(id))"
    }

    /// A warning for each environment variable that is set but withheld from the process, with the command that allows the variable.
    package var withheldWarnings: [String] {
        variables.filter(\.isWithheld).map { "The \(kindName) \(id) requests \($0.words). \(remedy(for: $0))" }
    }

    /// The lines to print in a list: one for each request, and one with the command that grants the permissions.
    package var lines: [String] {
        needs.map { "requests \($0.words)" } + (allowRemedy.map { [$0] } ?? [])
            + variables.filter { !$0.isHarmless || $0.isAllowed }.flatMap { variable in
                ["requests \(variable.words)"] + (variable.isWithheld ? [remedy(for: variable)] : [])
            }
    }
}

extension HostSnapshot {
    /// Warnings about environment variables that engines and recognizers request but do not get, although they are set.
    package var withheldWarnings: [String] {
        (listings.filter { $0.engine != nil }.compactMap(\.requests) + recognizerListings.compactMap(\.requests))
            .flatMap(\.withheldWarnings)
    }
}
