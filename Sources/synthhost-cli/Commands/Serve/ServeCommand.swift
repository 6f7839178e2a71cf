import Glibc
import SynthCommandSyntax
import SynthHost
import SynthHTTPServer
import SynthService
import SynthSystem
import SynthTerminal
import SynthWeb

/// `synthhost serve`: serves other programs until a signal ends the service.
struct ServeCommand: Command {
    let context: CommandContext

    func run() throws {
        if arguments[Options.status] { return try ServeStatus(context: context).show() }
        // Do not change the heap settings if the service runs inside another program, such as a test.
        if context.childEnvironment == nil { Heap.keepSmall() }
        let cancellation = Cancellation()
        let reloading = Monitor<(@Sendable () -> Void)?>(nil)
        context.interruption.handle(
            { cancellation.cancel() }, leaving: { cancellation.runExitAction() },
            reloading: { reloading.read { $0 }?() })
        let hasLostStarter = Monitor(false)
        cancellation.set { [interruption = context.interruption] in
            // Do not exit here if the process that starts the engines has exited: the service ends with an error right after startup.
            if !hasLostStarter.read({ $0 }) { interruption.leave() }
        }
        let configuration = try context.configuration()
        var limits = ServiceLimits()
        limits.rest = configuration.engineRest
        if let folder = context.environment["TMPDIR"], !folder.isEmpty { limits.spoolFolder = folder }
        let warm = WarmModels(limits)
        let starter = try starter(configuration)
        starter?.whenEnded {
            guard !cancellation.isRequested else { return }
            hasLostStarter.update { $0 = true }
            cancellation.cancel()
        }
        let host = try host(configuration, starter, warm)
        let service = SpeechService(host, warm, limits)
        defer { service.close() }
        cancellation.setExitAction { service.abandon() }
        let transcription = TranscriptionService(host, warm, limits) { service.noteUse() }
        let library = ServiceLibrary(host, warm)
        defer {
            library.close()
            transcription.library.close()
        }
        let endpoints = ServeEndpoints(
            context: context, service: service, transcription: transcription, library: library,
            words: words,
            webMessages: WebMessages(problem: { $0.message }, note: note))
        let servers = try endpoints.open(host)
        starter?.giveUpSockets()
        let turn = Lock()
        reloading.update {
            $0 = {
                // Reload on a separate thread, so that a signal can end the service without waiting for the reload.
                let isReloading = startThread("reload") {
                    turn.withLock { self.reload(service, transcription, library, starter, warm, cancellation) }
                }
                if !isReloading {
                    context.printMessage("The configuration was not reloaded: the system does not allow more threads.")
                }
            }
        }
        cancellation.set {
            for server in servers {
                server.web?.drain()
                server.connectionServer.stop()
            }
        }
        endpoints.announce(servers)
        if !arguments[Options.quiet] {
            startThread("notices") { [context] in host.snapshot().withheldWarnings.forEach(context.printMessage) }
        }
        try run(servers.map(\.connectionServer))
        let deadline = ContinuousClock.now + .seconds(arguments[Options.drain] ?? 5)
        Self.drain(servers.map(\.connectionServer), until: deadline)
        if hasLostStarter.read({ $0 }) {
            throw CommandFailure(
                .failure,
                "The process that starts the engines has exited, so the service cannot speak.",
                "Restart the service.")
        }
    }

    /// Drains all servers in parallel, so that no server uses up the time that the others need.
    private static func drain(_ servers: [ConnectionServer], until deadline: ContinuousClock.Instant) {
        let drained = Monitor(0)
        for server in servers {
            let isDraining = startThread("drain") {
                server.drain(until: deadline)
                drained.update { $0 += 1 }
            }
            if isDraining { continue }
            server.drain(until: deadline)
            drained.update { $0 += 1 }
        }
        _ = drained.wait { $0 == servers.count ? true : nil }
    }

    private func host(
        _ configuration: Configuration, _ starter: EngineStarter?, _ warm: WarmModels
    ) throws -> SpeechHost {
        try context.host(configuration) { ($0.starter, $0.lanes) = (starter, warm) }
    }

    /// Starts the helper process that starts engines. Called before clients can connect. Returns nil for a service inside another program,
    /// such as a test.
    private func starter(_ configuration: Configuration) throws -> EngineStarter? {
        guard context.childEnvironment == nil else { return nil }
        let installation = try context.installation()
        return try rethrowing(EngineStarter(installation, configuration.limits)) { (error: Errno) in
            CommandFailure(.failure, "\(installation.worker) did not start: \(error).", "`ulimit -a` shows the limits.")
        }
    }

    /// Accepts clients until the servers stop.
    private func run(_ servers: [ConnectionServer]) throws {
        let closed = Monitor(0)
        for server in servers {
            let isRunning = startThread("door") {
                server.run()
                closed.update { $0 += 1 }
            }
            if !isRunning {
                throw CommandFailure(.failure, "The system does not allow more threads.", "Try again later.")
            }
        }
        _ = closed.wait { $0 == servers.count ? true : nil }
    }

    /// Handles SIGHUP: reloads the configuration, or ends the service if its terminal was closed.
    private func reload(
        _ service: SpeechService, _ transcription: TranscriptionService, _ library: ServiceLibrary,
        _ starter: EngineStarter?,
        _ warm: WarmModels, _ cancellation: Cancellation
    ) {
        if context.errors.style.isTerminal, isatty(STDERR_FILENO) == 0 { return cancellation.cancel() }
        do {
            let configuration = try context.configuration()
            let host = try host(configuration, starter, warm)
            service.replace(host, rest: configuration.engineRest)
            transcription.replace(host)
            library.replace(host)
            if starter?.differs(from: configuration.limits) == true {
                context.printMessage("Restart the service to apply limits.confinement.")
            }
            context.printNote("Reloaded the configuration.")
        } catch {
            context.report(error)
            context.printMessage("The previous configuration remains in use.")
        }
    }

    private var words: ServiceMessages {
        ServiceMessages(
            version: context.version, malformed: "This is not a Wyoming event.", tooLong: "The text is too long.",
            busy: WebProblem.busy.message, nothingToSay: WebProblem.nothingToSay.message,
            sentence: { CommandFailure($0).message ?? "Speaking failed." },
            code: { ExitCode($0.code).word },
            transcription: { ($0.serviceMessage, ExitCode($0.code).word) }, note: note)
    }

    private var note: @Sendable (SpeechNotice) -> Void {
        { [context] notice in context.printNote(notice.sentence) }
    }
}

extension ExitCode {
    /// The machine-readable error code.
    var word: String {
        switch self {
        case .usage: "usage"
        case .unavailable: "unavailable"
        case .engineCrashed: "engine-crashed"
        case .tryAgain: "try-again"
        default: "failure"
        }
    }
}
