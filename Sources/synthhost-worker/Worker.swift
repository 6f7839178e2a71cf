import CSynthLinux
import Glibc
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The process that hosts an engine. It validates the file, confines itself, loads the engine and handles requests on
/// the control socket.
///
/// With the argument `start …`, it starts other programs instead of hosting an engine (see `WorkerStart`).
///
/// Usage: `synthhost-worker [NAME=VALUE]… FILE.so` (see `WorkerArguments`), with the control socket on descriptor 3. It
/// exits when that socket is closed.
@main
struct Worker {
    static func main() {
        if let starter = WorkerStart(words: ProcessArguments.texts) { return start(starter) }
        guard let arguments = WorkerArguments(words: ProcessArguments.texts), fcntl(Control.descriptor, F_GETFD) != -1
        else {
            print("synthhost starts synthhost-worker to run an engine. Do not start synthhost-worker directly.")
            exit(64)
        }
        _ = fcntl(Control.descriptor, F_SETFD, FD_CLOEXEC)
        // Make a write beyond the file size limit fail instead of killing the process.
        signal(SIGXFSZ, SIG_IGN)
        linux_harden()
        linux_keep_private()
        ControlLoop(file: Self.confined(arguments), as: arguments.kind).run()
        WorkerEnding.leave()
    }

    /// Starts programs on behalf of a process that cannot start programs itself, until that process exits.
    private static func start(_ starter: WorkerStart) {
        guard fcntl(Control.descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return }
        linux_keep_private()
        // Use a different process name so that killing all engines by name does not kill the starter.
        linux_name_process("synthhost-start")
        // Exit only when the requesting process exits, even if a signal is sent to both processes.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
        ProgramStarter.serve(on: Control.descriptor) { starter.admitted($0) }
    }

    /// Confines this process so that the engine can access only permitted resources. Returns the file.
    private static func confined(_ arguments: WorkerArguments) -> Result<TrustedFile, Refusal> {
        let file = TrustedFile.found(at: arguments.file)
        if arguments.confinement == .off {
            _ = linux_give_up(LINUX_GROUPS.rawValue)
            return file
        }
        // With this value, libraries find no user data or settings. With the real home folder, a library might fail
        // because it cannot read its data or settings.
        setenv("HOME", "/", 1)
        var files = arguments.files
        files.readable += file.loaded
        var confinement = Confinement(files, version: arguments.landlock ?? Confinement.landlockVersion)
        for need in arguments.allowed { confinement.open(for: need) }
        let gap = confinement.apply()
        return arguments.confinement == .required && !gap.isEmpty ? .failure(Refusal(.unconfined(gap))) : file
    }
}

/// Reads the control socket on the main thread. That thread runs no engine code, so it notices when the host exits,
/// even if the engine hangs. Requests run in sequence on one thread and cancellations on another, because a
/// cancellation must not wait while a model is being loaded, which can take seconds.
struct ControlLoop {
    private let file: Result<TrustedFile, Refusal>
    private let kind: PluginKind
    private let lanes = Monitor<[UInt32: Lane]>([:])
    private let work = Monitor<[Work]>([])
    /// The latest pending cancellation for each lane. It also cancels all earlier requests on the lane.
    private let cancels = Monitor<[UInt32: UInt64]>([:])

    private struct Work: Sendable {
        var request: ControlRequest
        var socket: FrameSocket?
    }

    init(file: Result<TrustedFile, Refusal>, as kind: PluginKind) {
        self.file = file
        self.kind = kind
    }

    /// Runs until the host exits.
    func run() {
        let (file, kind, lanes, work, cancels) = (file, kind, lanes, work, cancels)
        let isRunning = startThread("engine-work") {
            let worker = EngineWork(Self.load(file, as: kind), lanes: lanes)
            while let next = work.wait(until: { $0.isEmpty ? nil : $0.removeFirst() }) {
                worker.run(next.request, lane: next.socket)
            }
        }
        let isCancelling = startThread("engine-cancel") {
            while let (lane, serial) = cancels.wait(until: { $0.popFirst() }) {
                lanes.read { $0[lane] }?.cancelInEngine(serial)
            }
        }
        guard isRunning, isCancelling else { WorkerEnding.leaveThreadless() }
        while let (request, socket) = next() {
            if case .cancel(let lane, let serial) = request {
                lanes.read { $0[lane] }?.stop(serial)
                cancels.update { $0[lane] = max(serial, $0[lane] ?? 0) }
            } else {
                work.update { $0.append(Work(request: request, socket: socket)) }
            }
        }
    }

    private func next() -> (ControlRequest, FrameSocket?)? {
        do {
            guard let (bytes, passed) = try Control.socket.receive() else { return nil }
            return (try ControlRequest(frameBytes: bytes[...]), passed.map { FrameSocket($0) })
        } catch {
            WorkerEnding.leaveDamaged()
        }
    }

    /// Loads the file. If it is rejected, reports the reason to the host and exits the process.
    private static func load(_ file: Result<TrustedFile, Refusal>, as kind: PluginKind) -> LoadedPlugin {
        do {
            return try LoadedPlugin(try file.get(), as: kind)
        } catch {
            Control.reply(.refused(error))
            WorkerEnding.leave()
        }
    }
}
