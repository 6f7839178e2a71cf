import Glibc
import SynthHost
import SynthService
import SynthSystem
import SynthWyoming

/// The host of speech that the module speaks with.
enum ModuleHost {
    /// This user's, as `synthhost` would find it, with the models that it keeps; a service of the user's lends its lanes. A configuration that cannot be used is told, and left out: who needs speech
    /// to read its message must hear something.
    static func make(
        _ limits: inout ServiceLimits, _ say: (String) -> Void
    ) throws(SpeechError) -> (host: LocalHost, models: WarmModels) {
        let process = ProcessEnvironment()
        let environment = process.variables
        if let name = process.misleading.first { say("The environment variable \(name) is not UTF-8.") }
        let file = ConfigurationFile.inForce(environment: { environment[$0] })
        var presets = Configuration()
        do {
            presets = try file.load()
        } catch {
            say("The configuration of synthhost is ignored. \(error.message)")
        }
        limits.rest = presets.engineRest
        let folders = UserFolders(environment: environment)
        var models = WarmModels(limits)
        let limits = limits
        let host = LocalHost(
            installation: try Installation(executable: Installation.executable, environment: environment),
            folders: folders, environment: environment, limits: presets.limits,
            network: NetworkPolicy(environment: environment), presets: presets, configuration: file
        ) { identity in
            if let socket = folders.socket {
                models = WarmModels(limits, elsewhere: ResidentLanes(at: socket, identity, .urgent).opening)
            }
            return models
        }
        return (host, models)
    }
}

/// The module's configuration, which the server names.
enum OptionsFile {
    private static let largest = 1 << 20

    /// - Parameter path: nil = none, as for a file that is not there.
    static func read(_ path: String?, _ say: (String) -> Void) -> ModuleOptions {
        guard let path, !path.isEmpty else { return ModuleOptions() }
        let bytes: [UInt8]
        do {
            bytes = try readWholeFile(path, limit: largest)
        } catch {
            if error != Errno(ENOENT) { say("\(path) cannot be read: \(error).") }
            return ModuleOptions()
        }
        let (options, mistakes) = ModuleOptions.read(String(decoding: bytes, as: UTF8.self))
        for mistake in mistakes { say("\(path), line \(mistake.line): \(mistake.reason.sentence)") }
        return options
    }
}
