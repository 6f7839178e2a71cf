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
    private struct Opened {
        let path: String
        let flags: Int32
        let number: Int32
    }

    private let group: Group
    private let ignoresBrokenPipes: Bool
    /// Copies of the descriptors that the program inherits, kept open until it has started, with their numbers there.
    private var passed: [(Descriptor, as: Int32)] = []
    private var opened: [Opened] = []
    private var closed: [Int32] = []
    private var folder: String?

    /// Above all numbers that a program is given, so that no copy overwrites a descriptor that is copied later.
    private static let lowestCopy: Int32 = 10
    /// POSIX_SPAWN_SETSID, which Swift does not import.
    private static let newSession: Int32 = 0x80

    /// - Parameter ignoresBrokenPipes: the program ignores SIGPIPE.
    package init(group: Group = .own, ignoresBrokenPipes: Bool = false) {
        self.group = group
        self.ignoresBrokenPipes = ignoresBrokenPipes
    }

    /// The descriptor will be open in the program as `number`, which is below 10.
    package mutating func pass(_ descriptor: Int32, as number: Int32) throws(Errno) {
        let copy = Descriptor(owning: try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, Self.lowestCopy) })
        passed.append((copy, as: number))
    }

    /// The file at the path will be open in the program as `number`.
    package mutating func open(_ path: String, _ flags: Int32, as number: Int32) {
        opened.append(Opened(path: path, flags: flags, number: number))
    }

    package mutating func close(_ number: Int32) { closed.append(number) }

    /// Sets the working directory of the program. The default is this process's.
    package mutating func work(in folder: String) { self.folder = folder }

    /// - Parameters:
    ///   - environment: nil = this process's.
    ///   - starter: starts it in this process's place, in a group of its own; of `environment` the names count.
    /// - Returns: the process id.
    package consuming func start(
        _ program: String, arguments: [[UInt8]] = [], environment: [String: String]? = nil,
        by starter: ProgramStarter? = nil
    ) throws(Errno) -> Int32 {
        if let starter {
            for file in opened {
                passed.append((try Descriptor.open(file.path, file.flags).raised(to: Self.lowestCopy), as: file.number))
            }
            return try starter.start(
                ProgramStart(
                    program: program, arguments: arguments,
                    variables: (environment ?? ProcessEnvironment().variables).keys.sorted(),
                    folder: folder, ignoresBrokenPipes: ignoresBrokenPipes), passed)
        }
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        act(on: &actions)
        describe(&attributes)
        let words = CStrings([Array(program.utf8)] + arguments)
        let variables = environment.map { CStrings($0.map { Array("\($0.key)=\($0.value)".utf8) }) }
        var process: Int32 = 0
        let before = ignoresBrokenPipes ? signal(SIGPIPE, SIG_IGN) : nil
        let failure = withExtendedLifetime((words, variables)) {
            posix_spawn(&process, program, &actions, &attributes, words.pointers, variables?.pointers ?? environ)
        }
        // The action of a signal belongs to the whole process, so it is restored as soon as the child has inherited it.
        if ignoresBrokenPipes { signal(SIGPIPE, before) }
        guard failure == 0 else { throw Errno(failure) }
        return process
    }

    private func act(on actions: inout posix_spawn_file_actions_t) {
        for (copy, number) in passed { posix_spawn_file_actions_adddup2(&actions, copy.raw, number) }
        for file in opened { posix_spawn_file_actions_addopen(&actions, file.number, file.path, file.flags, 0) }
        for number in closed { posix_spawn_file_actions_addclose(&actions, number) }
        if let folder { linux_change_folder(&actions, folder) }
        linux_close_from(&actions, passed.map(\.as).reduce(STDERR_FILENO, max) + 1)
    }

    private func describe(_ attributes: inout posix_spawnattr_t) {
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
}

/// A list of strings as C has it, with a NULL at its end.
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [[UInt8]]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, bytes) in strings.enumerated() {
            (pointers + index).initialize(
                to: (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
                    $0.baseAddress.flatMap { strdup($0) }
                })
        }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}

/// What a program is started with. As bytes, it is a message to a process that starts it.
package struct ProgramStart: Equatable, Sendable {
    /// Absolute.
    package var program: String
    /// Without the program's own name.
    package var arguments: [[UInt8]]
    /// The names of the variables that it has, with the values that the process has which starts it.
    package var variables: [String]
    /// Its working directory; nil = that of the process which starts it.
    package var folder: String?
    package var ignoresBrokenPipes: Bool

    package init(
        program: String, arguments: [[UInt8]] = [], variables: [String] = [], folder: String? = nil,
        ignoresBrokenPipes: Bool = false
    ) {
        self.program = program
        self.arguments = arguments
        self.variables = variables
        self.folder = folder
        self.ignoresBrokenPipes = ignoresBrokenPipes
    }

    /// Each part with a 0 after it.
    package var bytes: [UInt8] {
        let texts =
            [program, folder ?? "", ignoresBrokenPipes ? "1" : "0", String(arguments.count)].map { Array($0.utf8) }
            + arguments + variables.map { Array($0.utf8) }
        return texts.flatMap { $0 + [0] }
    }

    /// nil if they are not those of a start.
    package init?(bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count > 4, parts.last == [], let program = Self.text(parts[0]), program.hasPrefix("/"),
            let folder = Self.text(parts[1]), parts[2] == [0x30] || parts[2] == [0x31],
            let count = Self.text(parts[3]).flatMap({ Int($0) }), count >= 0, count <= parts.count - 5
        else { return nil }
        let names = parts[(4 + count)...].dropLast().map { Self.text($0) }
        guard !names.contains(nil) else { return nil }
        self.init(
            program: program, arguments: Array(parts[4..<4 + count]), variables: names.compactMap(\.self),
            folder: folder.isEmpty ? nil : folder, ignoresBrokenPipes: parts[2] == [0x31])
    }

    private static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }
}
