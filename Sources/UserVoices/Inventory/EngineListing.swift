package import EngineProcesses
package import EngineWire
package import Synthesis
import System
package import VoiceCatalogue

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
    /// What the engine asks its user for.
    package let needs: [Need]
    private let file: PluginFile

    package struct Need: Equatable, Sendable {
        /// All that there are, as a user names them.
        package static let names = EngineNeed.Kind.names
        private let need: EngineNeed
        package let isAllowed: Bool

        fileprivate init(_ need: EngineNeed, isAllowed: Bool) {
            self.need = need
            self.isAllowed = isAllowed
        }

        package var kind: EngineNeed.Kind { need.kind }
        /// One of `names`.
        package var name: String { need.kind.name }
        package var path: String? { need.kind.path }
        /// As in `network` and `folder:/opt/voices`.
        package var word: String { need.kind.word }
        /// The engine's sentence for the user.
        package var reason: String { need.reason }
    }

    /// nil = it is a recognizer and no engine that speaks.
    ///
    /// - Parameter allowed: the needs that its user allows.
    init?(_ file: PluginFile, allowing allowed: [EngineNeed.Kind]) {
        self.file = file
        needs = (file.engine?.needs ?? []).map { Need($0, isAllowed: allowed.contains($0.kind)) }
        path = file.path
        switch file.verdict {
        case .usable(let engine): verdict = .usable(SpeechEngine(engine))
        case .shadowed(let engine, let owner): verdict = .shadowed(SpeechEngine(engine), by: owner)
        case .unusable(let reason): verdict = .unusable(EngineFailure(engine: file.path, reason: reason))
        case .recognizer: return nil
        }
    }

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
    package var listings: [EngineListing] { plugins.compactMap { EngineListing($0, allowing: host.allowed($0)) } }
}

/// A file of the plugins folders that recognizes speech, or should, as a list shows it.
package struct RecognizerListing: Sendable {
    package enum Verdict: Sendable {
        case usable(id: String, name: String, version: String, licence: String)
        case unusable(EngineFailure)
    }

    package let path: String
    package let verdict: Verdict

    init(_ file: RecognizerFile) {
        path = file.path
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
    package var recognizerListings: [RecognizerListing] { recognizers.map(RecognizerListing.init) }
}
