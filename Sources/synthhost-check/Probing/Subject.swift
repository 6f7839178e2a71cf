import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The engine or recognizer to check, and the job.
final class Subject {
    let job: CheckJob
    let userFolders: EmptyUserFolders
    /// The file, opened before this process was confined.
    let file: Result<TrustedFile, Refusal>
    private let sender: FindingSender

    init(
        _ job: CheckJob, file: Result<TrustedFile, Refusal>, sender: FindingSender, userFolders: EmptyUserFolders
    ) {
        self.job = job
        self.file = file
        self.sender = sender
        self.userFolders = userFolders
    }

    /// Reports the next step, phrased to follow "while".
    func step(_ what: String) { sender.send(.step(what)) }

    func reportIdentity(_ engine: EngineIdentity) { sender.send(.engine(engine)) }

    func library() throws -> EngineLibrary {
        step("the file was being loaded")
        do {
            return try EngineLibrary(try file.get(), as: job.kind)
        } catch {
            throw CheckFinding.skipped(error)
        }
    }

    /// Writes a file into the check's folder.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(userFolders.own)/\(name)"
        do {
            try replaceFile(path, with: bytes)
            return path
        } catch {
            throw CheckFinding.skipped("The check could not write \(path): \(error).")
        }
    }
}

extension Subject {
    /// Whether the file also contains a plugin of the other type that has this voice or model, either because that
    /// plugin declares the ID or because the job contains files only for that plugin.
    func isWrongKind(_ id: String, than plugin: some Plugin) -> Bool {
        guard let other = try? otherPlugin() else { return false }
        return other.items().contains { $0.id == id } || other.hasFiles && !plugin.hasFiles
    }

    private func otherPlugin() throws(Refusal) -> any Plugin {
        let library = try EngineLibrary(try file.get(), as: job.kind == .engine ? .recognizer : .engine)
        let host = ProbeHost.pointer
        switch job.kind {
        case .engine: return LoadedListener(table: try LoadedTable(answer: library.table(host: host)), subject: self)
        case .recognizer: return LoadedEngine(table: try LoadedTable(answer: library.table(host: host)), subject: self)
        }
    }
}

/// Sends results to the process that started the check.
final class FindingSender: Sendable {
    private let socket: FrameSocket?

    init() {
        var status = stat()
        let isSocket = fstat(3, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        socket = isSocket ? FrameSocket(Descriptor(owning: 3)) : nil
    }

    func send(_ message: CheckMessage) {
        if let socket {
            try? socket.send(message.frameBytes)
            return
        }
        switch message {
        case .engine(let engine): print("\(engine.name) \(engine.version) (\(engine.id))")
        case .step(let what): print("… \(what)")
        case .refused(let what):
            print("refused: \(what)")
            // Flush now, because this process is killed when the process that it watches exits.
            fflush(nil)
        case .finding(let finding):
            switch finding.detail {
            case .words(let words): print("\(finding.verdict.word): \(words)")
            // Only developers see this output, in a debugger.
            case .refused(let refusal, _): print("\(finding.verdict.word): \(refusal)")
            }
            for measurement in finding.measurements {
                print("  \(measurement.name): \(measurement.value) \(measurement.unit)")
            }
        }
    }

    /// Makes this process and all processes of the engine exit when the host exits.
    func endWithHost() {
        guard let socket else { return }
        startThread("host-watch") {
            _ = try? socket.receive()
            if getpgrp() == getpid() { kill(0, SIGKILL) }
            _exit(0)
        }
    }
}

/// Empty folders that replace the user's folders.
struct EmptyUserFolders {
    /// The folder to which the engine may write.
    let cache: String
    /// The folder for the check's own files.
    let own: String
    /// The folders that the engine must not change.
    let forbidden: [String]
    /// The parent of all these folders.
    let folder: String
    /// The temporary parent folder, or nil if the caller provided a folder.
    private let scratch: ScratchFolder?

    /// Creates the folders, and points this process's working directory and environment variables to them.
    static func enter(_ folder: String?) throws -> EmptyUserFolders {
        do {
            let scratch = folder == nil ? try ScratchFolder() : nil
            return try EmptyUserFolders(folder ?? scratch?.path ?? "/", scratch)
        } catch {
            throw CheckFinding.skipped("Cannot create temporary files: \(error).")
        }
    }

    private init(_ folder: String, _ scratch: ScratchFolder?) throws(Errno) {
        self.scratch = scratch
        self.folder = folder
        cache = "\(folder)/cache"
        own = "\(folder)/own"
        forbidden = ["work", "home", "temporary"].map { "\(folder)/\($0)" }
        for path in [cache, own] + forbidden { try Errno.check { mkdir(path, 0o700) } }
        try Errno.check { chdir(forbidden[0]) }
        setenv("HOME", forbidden[1], 1)
        for variable in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] { unsetenv(variable) }
        setenv("TMPDIR", forbidden[2], 1)
    }
}
