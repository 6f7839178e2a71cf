import CSynthLinux
import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// Checks that an engine or a recognizer does not modify its environment.
enum ConductChecks {
    static func userFolders(_ subject: Subject) throws -> CheckFinding {
        let before = ConductState.now()
        try subject.work()
        if let change = ConductState.now().difference(from: before) {
            return .failed("It changed the process state: \(change).")
        }
        return .passed("It leaves the process state unchanged.")
    }

    static func writing(_ subject: Subject) throws -> CheckFinding {
        let openBefore = Set(writableFiles())
        let trial = try subject.trial()
        try trial.work()
        let cache = subject.userFolders.cache + "/"
        let open = writableFiles().filter { !openBefore.contains($0) && !$0.hasPrefix(cache) }
        trial.close()
        for folder in subject.userFolders.forbidden {
            if let name = FolderListing.names(in: folder).first {
                let kind = folder.split(separator: "/").last ?? ""
                return .failed("It wrote \(name) into the \(kind) folder.")
            }
        }
        if let file = open.first { return .failed("It still has \(file) open for writing.") }
        return .passed("It wrote nothing outside its cache directory, as far as this check can tell.")
    }

    /// Returns the paths of regular files that are open for writing.
    private static func writableFiles() -> [String] {
        FolderListing.names(in: "/proc/self/fd").compactMap { name in
            guard let descriptor = Int32(name), fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY else { return nil }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
                guard let base = buffer.baseAddress else { return nil }
                let count = readlink("/proc/self/fd/\(name)", base, buffer.count)
                guard count > 0 else { return nil }
                return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
            }
        }
    }

    static func network(_ subject: Subject) throws -> CheckFinding {
        if subject.job.allowed.contains(.network) { return .skipped("It has permission to use the network.") }
        guard linux_forbid_network() else { return .skipped("This kernel does not support seccomp filters.") }
        try subject.work()
        return .passed("It did not try to open an internet socket.")
    }

    static func processes(_ subject: Subject) throws -> CheckFinding {
        guard linux_forbid_processes() else { return .skipped("This kernel does not support seccomp filters.") }
        try subject.work()
        return .passed("It started no process.")
    }

    /// Makes the plugin speak or transcribe without checking the result. `CallWatch` reports rejected system calls,
    /// even if the plugin crashes.
    static func refusals(_ subject: Subject) throws -> CheckFinding {
        try subject.work()
        return .passed("It made no system call that the confinement rejects.")
    }
}

/// The process-wide state that an engine must not change.
struct ConductState {
    private var handlers: [Int] = []
    private var mask: [Bool] = []
    private var environment: [String] = []
    private var locale = ""
    private var folder = ""
    private var umask = ""

    static func now() -> ConductState {
        var state = ConductState()
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        for signal in 1..<Int32(32) {
            var action = sigaction()
            sigaction(signal, nil, &action)
            state.handlers.append(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self))
            state.mask.append(sigismember(&mask, signal) == 1)
        }
        var entry = environ
        while let string = entry.pointee {
            state.environment.append(String(cString: string))
            entry += 1
        }
        state.environment.sort()
        state.locale = setlocale(LC_ALL, nil).map { String(cString: $0) } ?? ""
        if let path = getcwd(nil, 0) {
            state.folder = String(cString: path)
            free(path)
        }
        let status = (try? readWholeFile("/proc/self/status", limit: 64 * 1024)) ?? []
        let lines = status.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        state.umask = lines.first { $0.hasPrefix("Umask:") } ?? ""
        return state
    }

    /// Returns the name of a change, phrased to follow "It changed the process state:", or nil if nothing has changed.
    func difference(from before: ConductState) -> String? {
        for (index, handler) in handlers.enumerated() where handler != before.handlers[index] {
            return "the handler for \(signalName(Int32(index + 1)))"
        }
        if mask != before.mask { return "the signal mask" }
        if environment != before.environment {
            let change = Set(environment).symmetricDifference(before.environment).first ?? ""
            return "the environment (\(change))"
        }
        if locale != before.locale { return "the locale from \(before.locale) to \(locale)" }
        if folder != before.folder { return "the working directory" }
        if umask != before.umask { return "the umask" }
        return nil
    }
}
