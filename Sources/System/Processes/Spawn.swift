import CLinux
import Glibc

/// Starts a program that inherits only the descriptors that it is given. All its signals have the default action, and
/// none is blocked.
package struct Spawn: ~Copyable {
    /// The process group of the program.
    package enum Group {
        case parents
        /// Its own: only the parent receives Ctrl-C.
        case own
        /// It leads a session of its own, and the first terminal that it opens may become its controlling terminal.
        case session
    }

    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private let ignoresBrokenPipes: Bool
    /// Copies of the descriptors that the program inherits, kept open until it has started.
    private var copies: [Descriptor] = []
    private var highest: Int32 = STDERR_FILENO

    /// Above all numbers that a program is given, so that no copy overwrites a descriptor that is copied later.
    private static let lowestCopy: Int32 = 10
    /// POSIX_SPAWN_SETSID, which Swift does not import.
    private static let newSession: Int32 = 0x80

    /// - Parameter ignoresBrokenPipes: the program ignores SIGPIPE.
    package init(group: Group = .own, ignoresBrokenPipes: Bool = false) {
        self.ignoresBrokenPipes = ignoresBrokenPipes
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        switch group {
        case .parents: break
        case .own: flags |= POSIX_SPAWN_SETPGROUP
        case .session: flags |= Self.newSession
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        if ignoresBrokenPipes { sigdelset(&signals, SIGPIPE) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    deinit {
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// The descriptor will be open in the program as `number`, which is below 10.
    package mutating func pass(_ descriptor: Int32, as number: Int32) throws(Errno) {
        let copy = Descriptor(owning: try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, Self.lowestCopy) })
        copies.append(copy)
        highest = max(highest, number)
        posix_spawn_file_actions_adddup2(&actions, copy.raw, number)
    }

    /// The file at the path will be open in the program as `number`.
    package mutating func open(_ path: String, _ flags: Int32, as number: Int32) {
        posix_spawn_file_actions_addopen(&actions, number, path, flags, 0)
    }

    package mutating func close(_ number: Int32) { posix_spawn_file_actions_addclose(&actions, number) }

    /// Sets the working directory of the program. The default is this process's.
    package mutating func work(in folder: String) { linux_change_folder(&actions, folder) }

    /// - Parameter environment: nil = this process's.
    /// - Returns: the process id.
    package consuming func start(
        _ program: String, arguments: [[UInt8]] = [], environment: [String: String]? = nil
    ) throws(Errno) -> Int32 {
        linux_close_from(&actions, highest + 1)
        let words = ([Array(program.utf8)] + arguments).map(Self.copy) + [nil]
        let variables = environment.map { $0.map { Self.copy(Array("\($0.key)=\($0.value)".utf8)) } + [nil] }
        defer { for string in words + (variables ?? []) { free(string) } }
        var process: Int32 = 0
        let before = ignoresBrokenPipes ? signal(SIGPIPE, SIG_IGN) : nil
        let failure =
            variables.map { posix_spawn(&process, program, &actions, &attributes, words, $0) }
            ?? posix_spawn(&process, program, &actions, &attributes, words, environ)
        // The action of a signal belongs to the whole process, so it is restored as soon as the child has inherited it.
        if ignoresBrokenPipes { signal(SIGPIPE, before) }
        guard failure == 0 else { throw Errno(failure) }
        return process
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } }
    }
}
