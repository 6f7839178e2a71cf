package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSpeech
import SynthSystem

/// A file of the plugins folders, as a list of engines shows it.
package struct EngineListing: Sendable {
    package enum Verdict: Sendable {
        case usable(SpeechEngine)
        /// An engine of the same id comes first in the order of the folders; its file.
        case shadowed(SpeechEngine, by: String)
        case unusable(EngineFailure)
    }
    package let path: String
    package let verdict: Verdict
    /// What a user allows, for who hands it on.
    package typealias Allowed = EngineNeed.Kind
    /// nil if it cannot be used.
    package let requests: PluginRequests?
    private let file: PluginFile

    /// nil = it is a recognizer and no engine that speaks.
    ///
    /// - Parameters:
    ///   - allowed: what its user allows.
    ///   - environment: the variables from which its process gets some.
    init?(_ file: PluginFile, allowing allowed: [EngineNeed.Kind], in environment: [String: String]) {
        self.file = file
        requests = file.engine.map {
            PluginRequests(
                .engine, id: $0.id, path: file.path, needs: $0.needs, variables: $0.variables, allowing: allowed,
                in: environment)
        }
        path = file.path
        switch file.verdict {
        case .usable(let engine): verdict = .usable(SpeechEngine(engine))
        case .shadowed(let engine, let owner): verdict = .shadowed(SpeechEngine(engine), by: owner)
        case .unusable(let reason): verdict = .unusable(EngineFailure(engine: file.path, reason: reason))
        case .recognizer: return nil
        }
    }

    /// What the engine needs its user's permission for.
    package var needs: [PluginRequests.Need] { requests?.needs ?? [] }

    /// The engine, if it may be used.
    package var engine: SpeechEngine? { if case .usable(let engine) = verdict { engine } else { nil } }

    /// Why voices that the engine names itself cannot be used, one for each.
    package var unusableVoices: [RegistryError] { file.engine?.unusableVoices ?? [] }

    /// Whether it is the engine of that id, used or not, or its name says that it would be.
    package func isOf(_ id: String) -> Bool {
        switch verdict {
        case .usable(let engine), .shadowed(let engine, _): engine.id == id
        case .unusable: file.isNamed(after: id)
        }
    }
}

extension Inventory {
    /// Every file of the plugins folders that is to speak, in the order in which the first engine of an id wins.
    package var listings: [EngineListing] {
        let environment = host.engineVariables
        return plugins.compactMap { EngineListing($0, allowing: host.allowed($0), in: environment) }
    }
}

/// A file of the plugins folders that recognizes speech, or should, as a list shows it.
package struct RecognizerListing: Sendable {
    package enum Verdict: Sendable {
        case usable(id: String, name: String, version: String, licence: String)
        case unusable(EngineFailure)
    }

    package let path: String
    package let verdict: Verdict
    /// nil if it cannot be used.
    package let requests: PluginRequests?

    init(_ file: RecognizerFile, _ host: LocalHost, in environment: [String: String]) {
        path = file.path
        requests = file.description.map {
            PluginRequests(
                .recognizer, id: $0.id, path: file.path, needs: $0.needs, variables: $0.variables,
                allowing: host.allowed($0, at: file.path), in: environment)
        }
        verdict =
            switch file.verdict {
            case .usable(let recognizer):
                .usable(
                    id: recognizer.id, name: recognizer.name, version: recognizer.version,
                    licence: recognizer.licence)
            case .unusable(let reason): .unusable(EngineFailure(engine: file.path, reason: reason))
            }
    }
}

extension Inventory {
    /// Each recognizer that is here, of each id the first, and what cannot be used.
    package var recognizerListings: [RecognizerListing] {
        let environment = host.engineVariables
        return recognizers.map { RecognizerListing($0, host, in: environment) }
    }
}

extension Inventory {
    /// What the engine of an id requests and the recognizer, if they can be used. Both may have the same id.
    ///
    /// - Parameter name: an id, or `engine:ID` or `recognizer:ID` for one of them.
    package func requests(of name: String) -> [PluginRequests] {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            return [engineRequests(of: name), recognizerRequests(of: name)].compactMap(\.self)
        }
        switch PluginKind(rawValue: parts[0]) {
        case .engine: return engineRequests(of: parts[1]).map { [$0] } ?? []
        case .recognizer: return recognizerRequests(of: parts[1]).map { [$0] } ?? []
        case nil: return []
        }
    }

    /// What the engine of an id requests; nil = none can be used.
    package func engineRequests(of id: String) -> PluginRequests? {
        plugins.first { $0.engine?.id == id }.flatMap {
            EngineListing($0, allowing: host.allowed($0), in: host.engineVariables)?.requests
        }
    }

    /// What the recognizer of an id requests; nil = none can be used.
    package func recognizerRequests(of id: String) -> PluginRequests? {
        recognizers.first { $0.description?.id == id }.flatMap {
            RecognizerListing($0, host, in: host.engineVariables).requests
        }
    }
}
