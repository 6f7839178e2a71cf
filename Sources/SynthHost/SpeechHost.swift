package import EngineWire
package import Engines

/// Everything that speech needs to know of its surroundings: where the parts lie, which plugins there are, what the
/// limits are.
package struct SpeechHost: Sendable {
    package let installation: Installation
    package let folders: UserFolders
    package let limits: EngineLimits
    /// In the order in which the first engine of an id wins.
    package let pluginFolders: [String]

    /// - Parameter extraPluginFolders: come before all others.
    package init(
        installation: Installation, folders: UserFolders, environment: [String: String],
        extraPluginFolders: [String] = [], limits: EngineLimits = EngineLimits()
    ) {
        self.installation = installation
        self.folders = folders
        self.limits = limits
        let named = environment["SYNTHHOST_PLUGINS"]?.split(separator: ":").map(String.init) ?? []
        pluginFolders = extraPluginFolders + named + [folders.plugins] + installation.plugins
    }

    package var workerProgram: WorkerProgram {
        WorkerProgram(path: installation.worker, logFolder: "\(folders.state)/logs")
    }

    /// All plugins with their verdicts. Blocks while engines that are not known yet answer.
    package func plugins(anew: Bool = false) -> [PluginFile] {
        PluginScan(
            folders: pluginFolders, program: workerProgram, limits: limits, cacheFolder: "\(folders.cache)/engines"
        ).run(anew: anew)
    }

    /// The engine of a plugin, ready to speak.
    package func engine(_ plugin: PluginFile, onLog: @escaping EngineLog = { _, _ in }) -> Engine? {
        plugin.engine.map {
            Engine(file: plugin.path, description: $0, program: workerProgram, limits: limits, onLog: onLog)
        }
    }

    /// The folder that the engine may write to.
    package func cacheFolder(of engine: EngineDescription) -> String { "\(folders.cache)/\(engine.id)" }
}
