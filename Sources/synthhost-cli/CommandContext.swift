import Engines
import EngineWire
import Glibc
import ModelStore
import SynthHost
package import Terminal

/// What a command sees of the world. A test makes one of its own, so that command lines run side by side in one process.
package struct CommandContext: Sendable {
    /// Data only.
    var output: TextOutput
    /// The descriptor of the same stream, for sound.
    var soundOutput: Int32
    /// Messages.
    var errors: TextOutput
    /// Where text comes from when none is given.
    var input: Int32
    var terminal: QuestionTerminal
    var environment: [String: String]
    /// What the programs that a command starts get; nil = the variables of this process, to the byte.
    var childEnvironment: [String: String]?
    /// The running program, beside which its parts are looked for.
    var executable: String
    var version: String
    /// Ctrl-C and the like.
    var interruption: any Interruption
    var devices: SoundDevices
    /// What asynchronous work runs on; nil = what Swift has for it.
    var executor: (any TaskExecutor)?
    /// Errors are JSON, too.
    var reportsAsJSON = false
    /// Variables of the environment that would lead to other files than they say.
    var misleading: [String] = []

    /// The descriptors stay open for as long as the value is used.
    package init(
        output: TextOutput, soundOutput: Int32, errors: TextOutput, input: Int32, terminal: QuestionTerminal,
        environment: [String: String], executable: String, version: String, interruption: any Interruption,
        devices: SoundDevices, executor: (any TaskExecutor)? = nil
    ) {
        self.output = output
        self.soundOutput = soundOutput
        self.errors = errors
        self.input = input
        self.terminal = terminal
        self.environment = environment
        childEnvironment = environment
        self.executable = executable
        self.version = version
        self.interruption = interruption
        self.devices = devices
        self.executor = executor
    }

    static func ofProcess() -> CommandContext {
        let environment = ProcessEnvironment()
        var context = CommandContext(
            output: .standardOutput, soundOutput: STDOUT_FILENO, errors: .standardError, input: STDIN_FILENO,
            terminal: .ofProcess, environment: environment.variables, executable: Installation.executable,
            version: hostVersion, interruption: SignalInterruption(), devices: .alsa)
        context.childEnvironment = nil
        context.misleading = environment.misleading
        return context
    }

    /// The same with nothing that is drawn where the person wants plain lines.
    func obeying(_ arguments: ParsedArguments) -> CommandContext {
        guard arguments[Options.plain] else { return self }
        var context = self
        context.output = output.plain
        context.errors = errors.plain
        context.environment[TerminalStyle.plainVariable] = "1"
        return context
    }

    var isPlain: Bool { TerminalStyle.wantsPlainLines { environment[$0] } }

    /// Whether a person is there who sees messages and wants to.
    func canAsk(_ arguments: ParsedArguments) -> Bool {
        errors.style.isTerminal && !arguments[Options.quiet] && !arguments[Options.json]
    }

    /// Before anything is read or written: a repaired path is another one.
    func checkEnvironment() throws(CommandFailure) {
        guard let name = misleading.first else { return }
        throw CommandFailure(
            .configuration,
            "The environment variable \(name) is not UTF-8, so it would lead to other files than it says.",
            "Give what it names a name in UTF-8, or set another one, for example: \(name)=/srv/speech synthhost voices")
    }

    /// One line of a result; breaks in it, such as those of names from outside, become spaces.
    func print(_ line: String) throws(CommandFailure) {
        try attempt { () throws(OutputError) in try output.writeLine(line) }
    }

    /// Lines of our own making: a table, a help.
    func print(text: String) throws(CommandFailure) {
        try attempt { () throws(OutputError) in try output.write(text.hasSuffix("\n") ? text : text + "\n") }
    }

    /// One line for another program, to the letter: a path, a value.
    func print(data: String) throws(CommandFailure) {
        try attempt { () throws(OutputError) in try output.writeData(data) }
    }

    /// A line with emphasis, every part of which was made harmless.
    func print(drawn line: String) throws(CommandFailure) {
        try attempt { () throws(OutputError) in try output.draw(line + "\n") }
    }

    /// One line. Where it cannot be told, there is nobody to tell it to.
    func say(_ line: String) { try? errors.writeLine(line) }

    /// Says what went wrong.
    func report(_ failure: CommandFailure) {
        guard let report = reportsAsJSON ? failure.json : failure.text else { return }
        try? errors.write(report + "\n")
    }

    private func attempt(_ body: () throws(OutputError) -> Void) throws(CommandFailure) {
        do {
            try body()
        } catch {
            throw CommandFailure(error)
        }
    }

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
            throw CommandFailure(error)
        }
    }

    func host(_ arguments: ParsedArguments, limits: EngineLimits) throws(CommandFailure) -> LocalHost {
        var network = NetworkPolicy(environment: environment)
        if arguments[Options.offline] { network.isOffline = true }
        do {
            return LocalHost(
                installation: try Installation(executable: executable, environment: environment),
                folders: UserFolders(environment: environment), environment: environment,
                childEnvironment: childEnvironment, extraPluginFolders: arguments[all: Options.pluginsDirectory],
                limits: limits, network: network)
        } catch {
            throw CommandFailure(error)
        }
    }
}
