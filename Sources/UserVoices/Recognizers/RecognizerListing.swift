package import EngineProcesses
import EngineWire

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
