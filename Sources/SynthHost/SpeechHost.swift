package import EngineWire
package import Engines
import Glibc
import LinuxSystem

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
    private func cacheFolder(of engine: String) -> String { "\(folders.cache)/\(engine)" }
}

extension SpeechHost {
    /// The voice that is meant, with the plugin that speaks it.
    package func voice(
        _ wish: VoiceWish, among plugins: [PluginFile]
    ) throws(VoiceError) -> (plugin: PluginFile, choice: VoiceChoice) {
        if let id = wish.engine, plugins.allSatisfy({ $0.engine?.id != id }) {
            let file = plugins.first { $0.path.hasSuffix("/\(id).so") || $0.path.hasSuffix("/lib\(id).so") }
            if let file { throw .unusableEngine(file.path) }
        }
        let choice = try VoiceDirectory(engines: plugins.compactMap(\.engine)).choose(wish)
        guard let plugin = plugins.first(where: { $0.engine?.id == choice.voice.engine }) else { throw .noEngine }
        return (plugin, choice)
    }

    /// What an engine loads for a voice. Where its folder for what it computed cannot be made, it does without.
    package func load(_ choice: VoiceChoice) -> LoadRequest {
        let voice = choice.voice
        let cache = cacheFolder(of: voice.engine)
        makeFolder(of: "\(cache)/")
        return LoadRequest(
            id: voice.description.model ?? voice.description.id,
            cacheDirectory: access(cache, W_OK | X_OK) == 0 ? cache : nil)
    }
}
