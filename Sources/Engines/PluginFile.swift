package import EngineWire

/// A file of a plugins folder, with what was found out about it.
package struct PluginFile: Equatable, Sendable {
    package var path: String
    package var verdict: Verdict

    package enum Verdict: Equatable, Sendable {
        case usable(EngineDescription)
        /// An engine of the same id comes first in the order of the folders.
        case shadowed(EngineDescription, by: String)
        case unusable(EngineFailure.Reason)
    }

    /// What it is, where it may be used.
    package var engine: EngineDescription? {
        if case .usable(let description) = verdict { description } else { nil }
    }
}
