import CLinux
import Glibc
import System

/// Starts a program with the given streams, default signals and nothing else inherited.
struct ChildSpawn: ~Copyable {
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    private let ignoresBrokenPipes: Bool
    /// The ends of the child; they are closed here once it has them.
    private var theirs: [Descriptor] = []
    private var terminal: PseudoTerminal?

    /// POSIX_SPAWN_SETSID, which Swift does not import.
    private static let newSession: Int32 = 0x80

    init(ignoresBrokenPipes: Bool) {
        self.ignoresBrokenPipes = ignoresBrokenPipes
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
    }

    deinit {
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// The other end of a pipe; nil if the stream is no pipe.
    mutating func attach(_ stream: ChildProcess.Stream, to number: Int32) throws -> Descriptor? {
        switch stream {
        case .null:
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .closed:
            posix_spawn_file_actions_addclose(&actions, number)
        case .descriptor(let descriptor):
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        case .terminal(let terminal):
            // The first terminal that a session leader opens becomes that of the session.
            flags |= Self.newSession
            self.terminal = terminal
            posix_spawn_file_actions_addopen(&actions, number, terminal.path, O_RDWR, 0)
        case .pipe:
            let (reading, writing) = try Descriptor.pipe()
            let isInput = number == STDIN_FILENO
            let theirEnd = isInput ? reading : writing
            posix_spawn_file_actions_adddup2(&actions, theirEnd.raw, number)
            theirs.append(theirEnd)
            return isInput ? writing : reading
        }
        return nil
    }

    consuming func start(_ program: String, arguments: [[UInt8]], environment: [String: String]) throws -> pid_t {
        linux_close_from(&actions, 3)
        var none = sigset_t()
        sigemptyset(&none)
        var defaults = sigset_t()
        sigfillset(&defaults)
        if ignoresBrokenPipes { sigdelset(&defaults, SIGPIPE) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let argv = ([Array(program.utf8)] + arguments).map(Self.copy) + [nil]
        let envp = environment.map { Self.copy(Array("\($0.key)=\($0.value)".utf8)) } + [nil]
        defer { for string in argv + envp { free(string) } }
        var process: pid_t = 0
        let failure =
            ignoresBrokenPipes
            ? Self.withIgnoredBrokenPipes { posix_spawn(&process, program, &actions, &attributes, argv, envp) }
            : posix_spawn(&process, program, &actions, &attributes, argv, envp)
        guard failure == 0 else { throw Errno(failure) }
        return process
    }

    /// A signal disposition is global in the process, so it is restored as soon as the child has inherited it.
    private static func withIgnoredBrokenPipes(_ body: () -> Int32) -> Int32 {
        let before = Glibc.signal(SIGPIPE, SIG_IGN)
        defer { _ = Glibc.signal(SIGPIPE, before) }
        return body()
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } }
    }
}
