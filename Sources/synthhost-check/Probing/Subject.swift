import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The engine or recognizer that is checked, and the job of the check.
final class Subject {
    let job: CheckJob
    let surroundings: Surroundings
    /// The file as it was before this process was confined.
    let file: Result<TrustedFile, Refusal>
    private let sender: FindingSender

    init(
        _ job: CheckJob, file: Result<TrustedFile, Refusal>, sender: FindingSender, surroundings: Surroundings
    ) {
        self.job = job
        self.file = file
        self.sender = sender
        self.surroundings = surroundings
    }

    /// Reports the next step, phrased to follow "while".
    func doing(_ what: String) { sender.send(.doing(what)) }

    func introduce(_ engine: EngineIdentity) { sender.send(.engine(engine)) }

    func library() throws -> EngineLibrary {
        doing("the file was loaded")
        do {
            return try EngineLibrary(try file.get(), as: job.kind)
        } catch {
            throw CheckFinding.skipped(error)
        }
    }

    /// Writes a file into the folder of the check.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(surroundings.own)/\(name)"
        do {
            try replaceFile(path, with: bytes)
            return path
        } catch {
            throw CheckFinding.skipped("The check could not write \(path): \(error).")
        }
    }
}

extension Subject {
    /// Whether the file also is a plugin of the other kind, and this is the id of one of its voices or models: a declared one, or one whose
    /// files were provided.
    func isOfOtherKind(_ id: String, than plugin: some Plugin) -> Bool {
        guard let other = try? otherPlugin() else { return false }
        return other.items().contains { $0.id == id } || other.hasFiles && !plugin.hasFiles
    }

    private func otherPlugin() throws(Refusal) -> any Plugin {
        let host = ProbeHost.pointer
        let file = try file.get()
        switch job.kind {
        case .engine:
            let library = try EngineLibrary(file, as: .recognizer)
            let answer = library.recognizer(abi: UInt32(SYNTH_RECOGNIZER_ABI), host: host)
            return LoadedListener(try LoadedRecognizer(answer: answer), self)
        case .recognizer:
            let library = try EngineLibrary(file, as: .engine)
            return LoadedEngine(try LoadedTable(answer: library.table(abi: UInt32(SYNTH_ABI), host: host)), self)
        }
    }
}

/// Sends the results of a check to the process that started it.
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
        case .doing(let what): print("… \(what)")
        case .refused(let what):
            print("refused: \(what)")
            // The watching process is killed together with the watched one.
            fflush(nil)
        case .finding(let finding):
            switch finding.detail {
            case .words(let words): print("\(finding.verdict.word): \(words)")
            // This output is for a developer with a debugger.
            case .refused(let refusal, _): print("\(finding.verdict.word): \(refusal)")
            }
            for measurement in finding.measurements {
                print("  \(measurement.name): \(measurement.value) \(measurement.unit)")
            }
        }
    }

    /// Ends this process and all processes of the engine when the host exits.
    func endWithHost() {
        guard let socket else { return }
        startThread("host-watch") {
            _ = try? socket.receive()
            if getpgrp() == getpid() { kill(0, SIGKILL) }
            _exit(0)
        }
    }
}

/// Empty folders that replace the folders of the user.
struct Surroundings {
    /// The folder that the engine may write to.
    let cache: String
    /// The folder for files of the check itself.
    let own: String
    /// Folders that the engine must not change.
    let forbidden: [String]
    /// The folder that holds all of them.
    let folder: String
    /// Removes the folders at the end if the caller does not.
    private let scratch: ScratchFolder?

    /// Makes the folders and sets them in the environment of the process.
    static func enter(_ folder: String?) throws -> Surroundings {
        do {
            let scratch = folder == nil ? try ScratchFolder() : nil
            return try Surroundings(folder ?? scratch?.path ?? "/", scratch)
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
