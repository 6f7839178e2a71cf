import CSynthLinux
import Glibc
import SynthHost
import SynthService
import SynthSystem
import SynthWyoming

/// `sd_synthhost`, an output module for speech-dispatcher. speech-dispatcher starts the module and communicates with it over standard input
/// and output. The first argument is the path of the module's configuration. `sd_synthhost` is installed as a link to `synthhost`.
package enum ModuleProgram {
    /// Whether this process was started under the module's name.
    package static var isStarted: Bool {
        linux_argument_count() > 0
            && linux_argument(0).map { String(cString: $0) }?.split(separator: "/").last == "sd_synthhost"
    }

    /// Speaks until the server closes the connection, and then exits the process.
    package static func run() -> Never {
        ModuleStreams.open()
        signal(SIGPIPE, SIG_IGN)
        // Make a write beyond the file size limit fail without killing the program.
        signal(SIGXFSZ, SIG_IGN)
        // Block the signals before other threads start, so that the signals do not interrupt any thread.
        let signals = EndingSignals()
        guard let output = ModuleStreams.takeOutput() else { exit(EXIT_FAILURE) }
        let options = OptionsFile.read(ProcessArguments.texts.first, Messages.say)
        var limits = ServiceLimits()
        limits.idle = options.idle
        let (host, models): (SpeechHost, WarmModels)
        do {
            (host, models) = try ModuleHost.make(&limits, Messages.say)
        } catch {
            ModuleRefusal.answer(
                error.code == .installationIncomplete
                    ? "synthhost's \(error.facts.name ?? "") program is missing. Reinstall synthhost."
                    : error.message,
                input: STDIN_FILENO, output: output)
            exit(EXIT_FAILURE)
        }
        signals.handle { host.abandonEngines() }
        let isServed = serve(SpeechService(host, models, limits), options, output)
        host.abandonEngines()
        // Exit without cleaning up, because a thread may be waiting for an engine that hangs.
        _exit(isServed ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private static func serve(
        _ service: SpeechService, _ options: ModuleOptions, _ output: Descriptor
    ) -> Bool {
        do {
            let module = try SpeechModule(
                service, options, input: Descriptor(owning: STDIN_FILENO), output: output
            ) { Messages.say($0.sentence) }
            if module.run() { return true }
            Messages.say("The system does not allow more threads.")
        } catch {
            Messages.say("No file descriptors are available: \(error).")
        }
        return false
    }
}

/// The three standard descriptors.
enum ModuleStreams {
    /// Opens any standard descriptors that are closed, so that no other file gets their numbers.
    static func open() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }

    /// Reserves standard output for the protocol. Redirects all other output to standard error, so that the server does not mistake
    /// it for a reply.
    static func takeOutput() -> Descriptor? {
        guard let output = try? Errno.check({ fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }) else {
            return nil
        }
        dup2(STDERR_FILENO, STDOUT_FILENO)
        return Descriptor(owning: output)
    }
}

/// Handles termination signals: the program exits immediately and leaves no engine process behind.
struct EndingSignals {
    private var signals = sigset_t()

    /// Blocks the signals.
    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for the signals on a separate thread.
    ///
    /// - Parameter leave: called on that thread before the program exits.
    func handle(_ leave: @escaping @Sendable () -> Void) {
        let waited = signals
        let isWaiting = startThread("signals") {
            var (set, number): (sigset_t, Int32) = (waited, 0)
            sigwait(&set, &number)
            leave()
            _exit(128 + number)
        }
        guard !isWaiting else { return }
        // If the thread cannot be created, restore the default action, which ends the process.
        var set = signals
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}

/// Sets up the host for the module.
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
