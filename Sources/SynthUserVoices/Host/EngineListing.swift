package import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSpeech
import SynthSystem

/// An entry in the list of engines: a file in the plugins folders.
package struct EngineListing: Sendable {
    /// The result of the scan.
    package enum Verdict: Sendable {
        case usable(SpeechEngine)
        /// Another engine with the same ID, in the file `by`, takes precedence.
        case shadowed(SpeechEngine, by: String)
        case unusable(EngineFailure)
    }
    package let path: String
    package let verdict: Verdict
    /// A permission that the user can grant.
    package typealias Allowed = EngineNeed.Kind
    /// The permissions that the engine requests, or nil if the file is unusable.
    package let requests: PluginRequests?
    private let file: PluginFile

    /// Returns nil if the file is a recognizer.
    ///
    /// - Parameters:
    ///   - allowed: the permissions that the user has granted.
    ///   - environment: the variables from which the engine's variables are selected.
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

    /// The permissions that the engine requests, except for environment variables; empty if the file is unusable.
    package var needs: [PluginRequests.Need] { requests?.needs ?? [] }

    /// The engine, or nil if it is unusable.
    package var engine: SpeechEngine? { if case .usable(let engine) = verdict { engine } else { nil } }

    /// The errors for the engine's built-in voices that are unusable, one for each voice.
    package var unusableVoices: [RegistryError] { file.engine?.unusableVoices ?? [] }

    /// Whether the file is the engine with this ID, even if shadowed. An unusable file is identified by its file name.
    package func isOf(_ id: String) -> Bool {
        switch verdict {
        case .usable(let engine), .shadowed(let engine, _): engine.id == id
        case .unusable: file.isNamed(after: id)
        }
    }
}

extension HostSnapshot {
    /// All plugin files that are engines or that failed to load as engines, in order of precedence.
    package var listings: [EngineListing] {
        let environment = host.engineVariables
        return plugins.compactMap { EngineListing($0, allowing: host.allowed($0), in: environment) }
    }
}

/// An entry in the list of recognizers: a file in the plugins folders.
package struct RecognizerListing: Sendable {
    package let path: String
    /// The result of the scan.
    package let verdict: Result<RecognizerDescription, EngineFailure>
    /// The permissions that the recognizer requests, or nil if the file is unusable.
    package let requests: PluginRequests?

    init(_ file: RecognizerFile, _ host: LocalHost, in environment: [String: String]) {
        path = file.path
        requests = file.description.map {
            PluginRequests(
                .recognizer, id: $0.id, path: file.path, needs: $0.needs, variables: $0.variables,
                allowing: host.allowed($0, at: file.path), in: environment)
        }
        verdict = file.verdict
    }
}

extension HostSnapshot {
    /// The installed recognizers, one for each ID, and the unusable files.
    package var recognizerListings: [RecognizerListing] {
        let environment = host.engineVariables
        return recognizers.map { RecognizerListing($0, host, in: environment) }
    }
}

extension HostSnapshot {
    /// The requests of the usable engine and the usable recognizer with this ID. Both may exist.
    ///
    /// - Parameter name: an ID, or `engine:ID` or `recognizer:ID` to select one kind.
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

    /// The requests of the engine with this ID, or nil if no such engine is usable.
    package func engineRequests(of id: String) -> PluginRequests? {
        plugins.first { $0.engine?.id == id }.flatMap {
            EngineListing($0, allowing: host.allowed($0), in: host.engineVariables)?.requests
        }
    }

    /// The requests of the recognizer with this ID, or nil if no such recognizer is usable.
    package func recognizerRequests(of id: String) -> PluginRequests? {
        recognizers.first { $0.description?.id == id }.flatMap {
            RecognizerListing($0, host, in: host.engineVariables).requests
        }
    }
}
