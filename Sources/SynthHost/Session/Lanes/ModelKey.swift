package import EngineWire
import System

/// A model as an engine loads it: the plugin and the files, as they are now.
package struct ModelKey: Hashable, Sendable {
    /// The engine's file.
    package let plugin: String
    package let load: LoadRequest
    /// What tells a file that was replaced from the one that was there.
    private let identities: [FileIdentity?]

    package init(plugin: String, _ load: LoadRequest) {
        self.plugin = plugin
        self.load = load
        identities = ([plugin] + load.files.map(\.path)).map { FileIdentity(path: $0) }
    }
}
