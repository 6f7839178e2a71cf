import Glibc
package import SynthAudio
package import SynthCommandSyntax
import SynthEngineWire
package import SynthHost
import SynthJSON
package import SynthSystem
package import SynthTerminal

/// The environment of a command: streams, variables, signals, devices. Tests make their own contexts, so that several commands run in
/// parallel in one process.
package struct CommandContext: Sendable {
    /// Standard output, for data only.
    package var output: TextOutput
    /// The descriptor of the same stream, for audio.
    package var soundOutput: Int32
    /// Standard error, for messages.
    package var errors: TextOutput
    /// The descriptor of standard input, from which text is read if none is passed.
    package var input: Int32
    var terminal: QuestionTerminal
    package var environment: [String: String]
    /// The environment of the programs that a command starts; nil = the environment of this process, byte for byte.
    package var childEnvironment: [String: String]?
    /// The running program. Its parts are next to it.
    package var executable: String
    package var version: String
    /// Handles Ctrl-C and similar signals.
    package var interruption: any Interruption
    package var devices: SoundDevices
    /// The executor of asynchronous work; nil = Swift's default.
    package var executor: (any TaskExecutor)?
    /// The clock for waits that are shown.
    var waits: ProgressClock
    /// The files that the command reads, which no output may replace.
    package let inUse = FilesInUse()
    /// Whether errors are written as JSON.
    package var reportsAsJSON = false
    /// Environment variables that are not UTF-8 and would refer to other files after a repair.
    var misleading: [String] = []

    /// The descriptors must stay open as long as the context is used.
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
    package static func ofProcess() -> CommandContext {
        let environment = ProcessEnvironment()
        var context = CommandContext(
            output: .standardOutput, soundOutput: STDOUT_FILENO, errors: .standardError, input: STDIN_FILENO,
            terminal: .ofProcess, environment: environment.variables, executable: Installation.executable,
            version: hostVersion, interruption: SignalInterruption(), devices: .alsa)
        context.childEnvironment = nil
        context.misleading = environment.misleading
        return context
    }

    /// The same context, with plain lines if the arguments request them.
    package func obeying(_ arguments: ParsedArguments) -> CommandContext {
        guard arguments[Options.plain] else { return self }
        var context = self
        context.output = output.plain
        context.errors = errors.plain
        context.environment[TerminalStyle.plainVariable] = "1"
        return context
    }

    /// The path of an installed program; nil = it is not installed.
    package func program(_ name: String) -> String? {
        // A relative path would refer to the working directory.
        (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { String($0).child(name) }
            .first { access($0, X_OK) == 0 && RegularFile(path: $0) != nil }
    }

    /// The terminal that keys are read from, one by one, and whether it is the one that controls this process; nil = there is none, or
    /// this process is in the background.
    package func keyTerminal() -> (descriptor: Descriptor, isOfProcess: Bool)? {
        switch terminal {
        case .ofProcess:
            // A background process would be stopped by SIGTTOU or SIGTTIN.
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

    package var isPlain: Bool { TerminalStyle.wantsPlainLines { environment[$0] } }

    /// Shows waits, unless the user does not want them.
    package func reporter(json: Bool, quiet: Bool = false) -> ProgressReporter {
        ProgressReporter(
            form: ProgressForm(for: errors.style, json: json, quiet: quiet), output: errors, clock: waits)
    }

    /// Whether questions can be asked: messages go to a terminal and are not turned off.
    package func canAsk(_ arguments: ParsedArguments) -> Bool {
        errors.style.isTerminal && !arguments[Options.quiet] && !arguments[Options.json]
    }

    /// Must be called before anything is read or written, because a repaired path refers to another file.
    package func checkEnvironment() throws {
        guard let name = misleading.first else { return }
        throw CommandFailure(
            .configuration,
            "The environment variable \(name) is not UTF-8, so it cannot name a file.",
            "Rename the file or folder to a UTF-8 name, or set another value, for example: \(name)=/srv/speech synthhost voices"
        )
    }

    /// Prints one line of a result. Line breaks in it, such as those in external names, become spaces.
    package func print(_ line: String) throws {
        try output.writeLine(line)
    }

    /// Prints lines that the program has formatted: a table, help.
    package func print(text: String) throws {
        try output.write(text.hasSuffix("\n") ? text : text + "\n")
    }

    /// Prints a part of a text, which may end within a line.
    package func print(part: String) throws {
        try output.write(part)
    }

    /// Prints one line for another program without any change: a path, a value.
    package func print(data: String) throws {
        try output.writeData(data)
    }

    /// Prints a line with emphasis. Its parts must be free of control characters.
    package func print(drawn line: String) throws {
        try output.draw(line + "\n")
    }

    /// Prints one message. Failures are ignored, because there is no other place to report them.
    package func say(_ line: String) { try? errors.writeLine(line) }

    /// Prints an error.
    package func report(_ error: any Error) {
        let failure = CommandFailure(error)
        guard let report = reportsAsJSON ? failure.json : failure.text else { return }
        try? errors.write(report + "\n")
    }

    package func configurationFile(_ arguments: ParsedArguments) -> ConfigurationFile {
        ConfigurationFile.inForce(flag: arguments[Options.config], environment: { environment[$0] })
    }

    /// The current configuration: flag over environment over file over default.
    package func configuration(_ arguments: ParsedArguments) throws -> Configuration {
        var flags = ConfigurationOverrides()
        flags.engine = arguments[Options.engine]
        flags.device = arguments[Options.device]
        flags.rate = arguments[Options.rate]
        flags.pitch = arguments[Options.pitch]
        flags.volume = arguments[Options.volume]
        return try configurationFile(arguments).load().overridden(by: flags, environment: { environment[$0] })
    }

    /// Decodes recordings that libsndfile cannot read; nil if this program is not installed.
    package var media: MediaProgram? {
        let installation = try? Installation(executable: executable, environment: environment)
        return installation.map { MediaProgram(path: $0.read, environment: childEnvironment) }
    }

    /// What names of clips mean: the files of the folder that was named, then the clips of the configuration.
    package func clips(_ arguments: ParsedArguments, _ configuration: Configuration) throws
        -> ClipLibrary
    {
        let configured = ClipLibrary(configuration, from: configurationFile(arguments)).noted(in: inUse).decoded(
            by: media)
        guard let folder = arguments[Options.clips] else { return configured }
        return try configured.adding(folder: folder)
    }

    /// - Parameters:
    ///   - starter: starts the programs that it needs; nil = this process starts them.
    ///   - lanes: makes the source of the sessions' lanes; nil = each session has its own.
    package func host(
        _ arguments: ParsedArguments, _ configuration: Configuration, starter: EngineStarter? = nil,
        lanes: ((HostIdentity) -> any LaneSource)? = nil
    ) throws -> LocalHost {
        var network = NetworkPolicy(environment: environment)
        if arguments[Options.offline] { network.isOffline = true }
        return LocalHost(
            installation: try Installation(executable: executable, environment: environment),
            folders: UserFolders(environment: environment), environment: environment,
            childEnvironment: childEnvironment, extraPluginFolders: arguments[all: Options.pluginsDirectory],
            limits: configuration.limits, network: network, presets: configuration,
            configuration: configurationFile(arguments), inUse: inUse, starter: starter, lanes: lanes)
    }
}

extension CommandContext {
    /// The voices of the host that the options select.
    package func library(_ arguments: ParsedArguments) throws -> VoiceLibrary {
        let configuration = try configuration(arguments)
        return try library(of: try host(arguments, configuration).inventory())
    }

    /// The library of the voices in an inventory.
    package func library(of inventory: Inventory) throws -> VoiceLibrary {
        try VoiceLibrary(inventory)
    }
}

/// A command of the program. It reaches everything outside through its context, so that tests can replace it.
package protocol Command {
    /// - Parameter arguments: its arguments, already checked.
    init(context: CommandContext, arguments: ParsedArguments)

    /// Blocks until it has finished.
    func run() throws
}

/// The devices that a command can play on.
package struct SoundDevices: Sendable {
    /// Plays on the device with this name; the device is opened when playback starts.
    package let sink: @Sendable (String) -> any AudioSink
    /// Opens a device and closes it again without playing anything.
    package let probe: @Sendable (String) throws(AudioError) -> Void
    /// Opens a microphone and closes it again. Nothing is recorded.
    package let probeMicrophone: @Sendable (String) throws(AudioError) -> Void

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
    /// A terminal that must stay open as long as the command runs.
    case descriptor(Int32)
    case none
}

/// Results as JSON.
package enum JSONText {
    /// One line, with sorted keys.
    package static func line(of value: some Encodable) throws -> String {
        do {
            return JSONWriter.line(of: try JSONNode(encoding: value), sortsKeys: true)
        } catch {
            throw CommandFailure(.failure, "The result cannot be written as JSON: \(error).")
        }
    }
}
