import Glibc
import SynthHost
import SynthService
import SynthSystem
import SynthWyoming

enum ModuleHost {
    /// Creates a host with this user's settings, and a model cache for it. If the user's service is running, the host
    /// borrows the service's lanes. An invalid configuration is reported and ignored, because a user who depends on a
    /// screen reader needs speech even to read the message.
    static func make(
        _ limits: inout ServiceLimits, _ say: (String) -> Void
    ) throws(SpeechError) -> (host: SpeechHost, models: WarmModels) {
        let process = ProcessEnvironment()
        let environment = process.variables
        if let name = process.misleading.first { say("The environment variable \(name) is not UTF-8.") }
        var setup = HostSetup(
            installation: try Installation(executable: Installation.executable, environment: environment),
            folders: UserFolders(environment: environment), environment: environment)
        do {
            setup.presets = try setup.configuration.load()
        } catch {
            say("synthhost's configuration is ignored. \(error.message)")
        }
        limits.rest = setup.presets.engineRest
        setup.limits = setup.presets.limits
        setup.network = NetworkPolicy(environment: environment)
        let models =
            if let socket = setup.folders.socket {
                WarmModels(limits, serviceLanes: ResidentLanes(at: socket, setup.identity, .urgent).opening)
            } else {
                WarmModels(limits)
            }
        setup.lanes = models
        return (SpeechHost(setup), models)
    }
}

/// The module's configuration file, whose path the server passes.
enum OptionsFile {
    private static let largest = 1 << 20

    /// - Parameter path: the path, or nil for none. A missing file is not an error.
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
