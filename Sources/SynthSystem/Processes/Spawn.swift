import CSynthLinux
import Glibc

/// Starts a program that inherits only the given descriptors. In the program, all signals have the default action, and
/// none is blocked. The kernel kills the program when this process ends for any reason.
package struct Spawn: ~Copyable {
    /// The program's process group.
    package enum Group {
        case parents
        /// A new process group. Ctrl-C then reaches only this process and not the program.
        case own
        /// A new session. The first terminal among the program's descriptors becomes its controlling terminal.
        case session
    }

    private let group: Group
    private let ignoresBrokenPipes: Bool
    /// This process's descriptors to pass to the program, with their numbers in the program. They stay open until the
    /// program has started.
    private var passed: [(Descriptor, as: Int32)] = []
    private var closed: [Int32] = []
    private var folder: String?

    /// The lowest number for a duplicate. It is higher than all descriptor numbers in the program, so that no duplicate
    /// overwrites a descriptor that has yet to be duplicated.
    private static let lowestCopy: Int32 = 10

    /// - Parameter ignoresBrokenPipes: whether the program ignores SIGPIPE.
    package init(group: Group = .own, ignoresBrokenPipes: Bool = false) {
        self.group = group
        self.ignoresBrokenPipes = ignoresBrokenPipes
    }

    /// Passes the descriptor to the program as `number`, which is below 10.
    package mutating func pass(_ descriptor: Int32, as number: Int32) throws(Errno) {
        let copy = Descriptor(owning: try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, Self.lowestCopy) })
        passed.append((copy, as: number))
    }

    /// Opens a file and passes it to the program as `number`.
    package mutating func open(_ path: String, _ flags: Int32, as number: Int32) throws(Errno) {
        let file = try Descriptor.open(path, flags | O_NOCTTY)
        passed.append((try file.raised(to: Self.lowestCopy), as: number))
    }

    package mutating func close(_ number: Int32) { closed.append(number) }

    /// Sets the program's working directory, which is inherited by default.
    package mutating func work(in folder: String) { self.folder = folder }

    /// - Parameters:
    ///   - environment: the environment variables; nil to inherit them from this process.
    ///   - starter: if not nil, the starter starts the program instead of this process, and gives the program its own
    ///     process group. In that case, only the names in `environment` are used; the values come from the starter's
    ///     environment.
    /// - Returns: the process ID.
    package consuming func start(
        _ program: String, arguments: [[UInt8]] = [], environment: [String: String]? = nil,
        by starter: ProgramStarter? = nil
    ) throws(Errno) -> Int32 {
        if let starter {
            return try starter.start(
                ProgramStart(
                    program: program, arguments: arguments,
                    variables: (environment ?? ProcessEnvironment().variables).keys.sorted(),
                    folder: folder, ignoresBrokenPipes: ignoresBrokenPipes), passed)
        }
        let entries = environment.map { $0.map { Array("\($0.key)=\($0.value)".utf8) } }
        let (process, failure) = try StartingThread.shared.start(
            StartedProgram(
                program, arguments, variables: entries ?? ProcessEnvironment().entries, folder: folder, passed,
                closed: closed, group.kernels, ignoresBrokenPipes: ignoresBrokenPipes))
        guard failure != 0 else { return process }
        if process > 0 {
            var status: Int32 = 0
            _ = try? Errno.check { waitpid(process, &status, 0) }
        }
        throw Errno(failure)
    }
}

extension Spawn.Group {
    fileprivate var kernels: linux_group {
        switch self {
        case .parents: LINUX_PARENTS_GROUP
        case .own: LINUX_OWN_GROUP
        case .session: LINUX_OWN_SESSION
        }
    }
}

/// The parameters for starting a program. `bytes` is the message that is sent to the helper process.
package struct ProgramStart: Equatable, Sendable {
    /// An absolute path.
    package var program: String
    /// The arguments, without the program's name.
    package var arguments: [[UInt8]]
    /// The names of the environment variables that the program inherits from the process that starts it.
    package var variables: [String]
    /// The working directory; nil to inherit it from the process that starts the program.
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

    /// The encoded parameters, each terminated by a NUL.
    package var bytes: [UInt8] {
        let texts =
            [program, folder ?? "", ignoresBrokenPipes ? "1" : "0", String(arguments.count)].map { Array($0.utf8) }
            + arguments + variables.map { Array($0.utf8) }
        return texts.flatMap { $0 + [0] }
    }

    /// Returns nil if the bytes are not a valid encoding.
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
