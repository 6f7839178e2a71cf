import Glibc
package import SynthAudio
import SynthCommandSyntax
import SynthEngineWire
import SynthHost
import SynthSystem
package import SynthTerminal

/// The environment of a command: streams, variables, signals and devices. Tests create their own contexts to run several commands in
/// parallel in one process.
package struct CommandContext: Sendable {
    /// Standard output, to which only data is written.
    var output: TextOutput
    /// The descriptor of standard output, for audio.
    var soundOutput: Int32
    /// Standard error, to which messages are written.
    var errors: TextOutput
    /// The descriptor of standard input, from which text is read if the arguments contain none.
    var input: Int32
    var terminal: QuestionTerminal
    var environment: [String: String]
    /// The environment for child processes, or nil for the unmodified environment of this process.
    var childEnvironment: [String: String]?
    /// The path of the running program. The other programs and files of this installation are located relative to it.
    var executable: String
    var version: String
    /// Handles Ctrl-C and similar signals.
    var interruption: any Interruption
    var devices: SoundDevices
    /// The executor for asynchronous work, or nil for Swift's default.
    var executor: (any TaskExecutor)?
    /// The clock for progress displays.
    var waits: ProgressClock
    /// The files that the command reads and must therefore not overwrite with its output.
    let inUse = FilesInUse()
    /// The validated arguments of the command.
    var arguments = ParsedArguments()
    /// Whether errors are written as JSON.
    var reportsAsJSON = false
    /// The names of environment variables whose values are not UTF-8. Swift repairs such values, so a path in one of them would refer
    /// to a different file.
    var misleading: [String] = []

    /// The descriptors must stay open while the context is used.
    package init(
        output: TextOutput, soundOutput: Int32, errors: TextOutput, input: Int32, terminal: QuestionTerminal,
        environment: [String: String], executable: String, version: String, interruption: any Interruption,
        devices: SoundDevices, waits: ProgressClock = .continuous, executor: (any TaskExecutor)? = nil
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
        self.waits = waits
        self.executor = executor
    }

    /// The context of this process.
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

    /// Returns a context for a command with these arguments. The context prints plain lines if the arguments contain
    /// `--plain`.
    func obeying(_ arguments: ParsedArguments) -> CommandContext {
        var context = self
        context.arguments = arguments
        guard arguments[Options.plain] else { return context }
        context.output = output.plain
        context.errors = errors.plain
        context.environment[TerminalStyle.plainVariable] = "1"
        return context
    }

    /// Returns the path of an installed program, or nil if it is not installed.
    func program(_ name: String) -> String? { ProcessEnvironment.program(name, in: environment) }

    /// Returns the terminal from which to read keys and answers, and whether it is the controlling terminal. Returns nil
    /// if there is none or this process is in the background.
    func keyTerminal() -> (descriptor: Descriptor, isOfProcess: Bool)? {
        switch terminal {
        case .ofProcess:
            // SIGTTOU or SIGTTIN would stop a background process.
            guard let found = try? Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY), tcgetpgrp(found.raw) == getpgrp()
            else {
                return nil
            }
            return (found, true)
        case .descriptor(let number):
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
            return copy < 0 ? nil : (Descriptor(owning: copy), false)
        case .none: return nil
        }
    }

    var isPlain: Bool { TerminalStyle.wantsPlainLines { environment[$0] } }

    /// Returns a reporter for progress. With `quiet` or the option `--quiet`, the reporter shows nothing.
    func reporter(quiet: Bool = false) -> ProgressReporter {
        let form = ProgressForm(
            for: errors.style, json: arguments[Options.json], quiet: quiet || arguments[Options.quiet])
        return ProgressReporter(form: form, output: errors, clock: waits)
    }

    /// Whether to ask the user questions. True if messages are written to a terminal and are not suppressed.
    var canAsk: Bool {
        errors.style.isTerminal && !arguments[Options.quiet] && !arguments[Options.json]
    }

    /// Throws if an environment variable is not UTF-8. Call this before any file is accessed, because a repaired path
    /// would refer to a different file.
    func checkEnvironment() throws {
        guard let name = misleading.first else { return }
        throw CommandFailure(
            .configuration,
            "The environment variable \(name) is not UTF-8, so it cannot name a file.",
            "Rename the file or folder to a UTF-8 name, or set a different value, for example: \(name)=/srv/speech "
                + "synthhost voices"
        )
    }

    /// Prints a line of a result. Line breaks, such as those in external names, are replaced with spaces.
    func print(_ line: String) throws {
        try output.writeLine(line)
    }

    /// Prints a result as a line of JSON.
    func print(json result: some Encodable) throws { try print(JSONText.line(of: result)) }

    /// Prints formatted lines, such as a table or a help text.
    func print(text: String) throws {
        try output.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// Prints a part of a text, which may end in the middle of a line.
    func print(part: String) throws {
        try output.write(part)
    }

    /// Prints a line, such as a path or a value, unchanged for use by another program.
    func print(data: String) throws {
        try output.writeData(data)
    }

    /// Prints a line that contains escape sequences for emphasis. External text in the line must not contain control
    /// characters.
    func print(drawn line: String) throws {
        try output.draw(line + "\n")
    }

    /// Prints a message. Errors are ignored, because they cannot be reported anywhere.
    func printMessage(_ line: String) { try? errors.writeLine(line) }

    /// Prints a message that `--quiet` suppresses.
    func printNote(_ line: String) { if !arguments[Options.quiet] { printMessage(line) } }

    /// Prints an error.
    func report(_ error: any Error) {
        let failure = CommandFailure(error)
        guard let report = reportsAsJSON ? failure.json : failure.text else { return }
        try? errors.write(report + "\n")
    }

    var configurationFile: ConfigurationFile {
        ConfigurationFile.inForce(flag: arguments[Options.config], environment: { environment[$0] })
    }

    /// The configuration file to change. A change creates the file if it does not exist.
    var changedConfiguration: ConfigurationFile { ConfigurationFile(path: configurationFile.path) }

    /// Returns the current configuration. Flags take precedence over the environment, the file and the defaults, in this order.
    func configuration() throws -> Configuration {
        var flags = ConfigurationOverrides()
        flags.engine = arguments[Options.engine]
        flags.device = arguments[Options.device]
        flags.rate = arguments[Options.rate]
        flags.pitch = arguments[Options.pitch]
        flags.volume = arguments[Options.volume]
        return try configurationFile.load().overridden(by: flags, environment: { environment[$0] })
    }

    /// The decoder for recordings that libsndfile does not support, or nil if it is not installed.
    var media: MediaProgram? {
        (try? installation()).map { MediaProgram(path: $0.read, environment: childEnvironment) }
    }

    /// The programs and files of this installation.
    func installation() throws -> Installation {
        try Installation(executable: executable, environment: environment)
    }

    /// Returns a copy of the descriptor of standard input.
    func standardInput() throws(Errno) -> Descriptor {
        Descriptor(owning: try Errno.check { fcntl(input, F_DUPFD_CLOEXEC, 0) })
    }

    /// Returns the clips by name: the files in the folder from the options, then the clips in the configuration.
    func clips(_ configuration: Configuration) throws -> ClipLibrary {
        let configured = ClipLibrary(configuration, from: configurationFile).noted(in: inUse).decoded(by: media)
        guard let folder = arguments[Options.clips] else { return configured }
        return try configured.adding(folder: folder)
    }

    /// Returns the host for the options and the environment.
    ///
    /// - Parameter change: sets additional properties.
    func host(_ configuration: Configuration, _ change: (inout HostSetup) -> Void = { _ in }) throws -> SpeechHost {
        var setup = HostSetup(
            installation: try installation(),
            folders: UserFolders(environment: environment), environment: environment)
        setup.childEnvironment = childEnvironment
        setup.extraPluginFolders = arguments[all: Options.pluginsDirectory]
        setup.limits = configuration.limits
        setup.network = NetworkPolicy(environment: environment)
        if arguments[Options.offline] { setup.network.isOffline = true }
        setup.presets = configuration
        setup.configuration = configurationFile
        setup.inUse = inUse
        change(&setup)
        return SpeechHost(setup)
    }
}

extension PhraseBook {
    /// The phrase book for the language of the locale in an environment.
    static func ofLocale(_ environment: [String: String]) -> PhraseBook {
        let language = LocaleLanguage.tag(environment: environment)?.prefix { $0 != "-" }
        return language == "de" ? .german : .english
    }
}

extension CommandContext {
    /// Translates the program's text into the language of the user's locale.
    var localized: PhraseBook { .ofLocale(environment) }

    /// Returns the voice library of the host for the options.
    func library() throws -> VoiceLibrary { try library(of: try host(try configuration()).snapshot()) }

    /// Returns the voice library of a snapshot.
    func library(of inventory: HostSnapshot) throws -> VoiceLibrary { try VoiceLibrary(inventory) }
}

/// A part of a command. It accesses everything outside the process through its context, which tests can replace.
protocol CommandPart {
    var context: CommandContext { get }
}

extension CommandPart {
    var arguments: ParsedArguments { context.arguments }
}

/// A command of the program.
protocol Command: CommandPart {
    init(context: CommandContext)

    /// Runs the command. Blocks until it has finished.
    func run() throws
}

/// The audio devices for commands.
package struct SoundDevices: Sendable {
    /// Returns a sink for the device with this name. The device is opened when playback starts.
    let sink: @Sendable (String) -> any AudioSink
    /// Opens a device and closes it again without playing anything.
    let probe: @Sendable (String) throws(AudioError) -> Void
    /// Opens a microphone and closes it again without recording anything.
    let probeMicrophone: @Sendable (String) throws(AudioError) -> Void

    package init(
        sink: @escaping @Sendable (String) -> any AudioSink,
        probe: @escaping @Sendable (String) throws(AudioError) -> Void,
        probeMicrophone: @escaping @Sendable (String) throws(AudioError) -> Void = {
            (name) throws(AudioError) in try ALSACapture.probe(name)
        }
    ) {
        self.sink = sink
        self.probe = probe
        self.probeMicrophone = probeMicrophone
    }

    /// The devices of this machine.
    static let alsa = SoundDevices(
        sink: { ALSASink(device: $0) }, probe: { name throws(AudioError) in try ALSADevice.probe(name) })
}

/// The terminal for questions.
package enum QuestionTerminal: Sendable {
    /// The controlling terminal of the process, if it has one.
    case ofProcess
    /// A terminal that must stay open while the command runs.
    case descriptor(Int32)
    case none
}
