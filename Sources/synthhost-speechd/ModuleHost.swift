import ModelStore
import SynthHost

/// The host of speech that the module speaks with.
enum ModuleHost {
    /// This user's, as `synthhost` would find it. A configuration that cannot be used is told, and left out: who needs speech
    /// to read its message must hear something.
    static func make(_ say: (String) -> Void) throws(InstallationError) -> LocalHost {
        let process = ProcessEnvironment()
        let environment = process.variables
        if let name = process.misleading.first { say("The environment variable \(name) is not UTF-8.") }
        let file = ConfigurationFile.inForce(environment: { environment[$0] })
        var presets = Configuration()
        do throws(ConfigurationError) {
            presets = try file.load()
        } catch {
            say(error.sentence)
        }
        return LocalHost(
            installation: try Installation(executable: Installation.executable, environment: environment),
            folders: UserFolders(environment: environment), environment: environment, limits: presets.limits,
            network: NetworkPolicy(environment: environment), presets: presets, configuration: file)
    }
}
