import EngineWire
import Engines
import Glibc
import ModelStore
import SynthHost
import Terminal

/// What a command sees of the world.
struct CommandContext: Sendable {
    /// Data only.
    var output: TextOutput
    /// Messages.
    var errors: TextOutput
    /// Where text comes from when none is given.
    var input: Int32
    var environment: [String: String]
    /// The running program, beside which its parts are looked for.
    var executable: String
    var version: String

    static func ofProcess() -> CommandContext {
        var variables: [String: String] = [:]
        var entry = environ
        while let string = entry.pointee {
            let parts = String(cString: string).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return CommandContext(
            output: .standardOutput, errors: .standardError, input: STDIN_FILENO, environment: variables,
            executable: Installation.executable, version: hostVersion)
    }

    func print(_ line: String) throws(CommandFailure) {
        do {
            try output.write(line.hasSuffix("\n") ? line : line + "\n")
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Where an error cannot be told, there is nobody to tell it to.
    func say(_ line: String) { try? errors.writeLine(line) }

    func configurationFile(_ arguments: ParsedArguments) -> ConfigurationFile {
        ConfigurationFile.inForce(flag: arguments[Options.config], environment: { environment[$0] })
    }

    /// The configuration in force: flag over environment over file over default.
    func configuration(_ arguments: ParsedArguments) throws(CommandFailure) -> Configuration {
        var flags = ConfigurationOverrides()
        flags.engine = arguments[Options.engine]
        flags.device = arguments[Options.device]
        flags.rate = arguments[Options.rate]
        flags.pitch = arguments[Options.pitch]
        flags.volume = arguments[Options.volume]
        do {
            return try configurationFile(arguments).load().overridden(by: flags, environment: { environment[$0] })
        } catch {
            throw CommandFailure(ExitCode(error), error.message, error.remedy)
        }
    }

    func host(_ arguments: ParsedArguments, limits: EngineLimits) throws(CommandFailure) -> SpeechHost {
        var network = NetworkPolicy(environment: environment)
        if arguments[Options.offline] { network.isOffline = true }
        do {
            return SpeechHost(
                installation: try Installation(executable: executable, environment: environment),
                folders: UserFolders(environment: environment), environment: environment,
                extraPluginFolders: arguments[all: Options.pluginsDirectory], limits: limits, network: network)
        } catch {
            throw CommandFailure(.failure, error.message, error.remedy)
        }
    }
}
