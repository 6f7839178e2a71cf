import CSynthLinux
import Glibc

/// Everything needed to start a program, prepared for the thread that starts it.
struct StartedProgram: Sendable {
    private let words: CStrings
    private let variables: CStrings
    /// The program's path, followed by its working directory if one is set.
    private let paths: CStrings
    private let descriptors: [(Descriptor, as: Int32)]
    private let closed: UInt32
    private let group: linux_group
    private let ignoresBrokenPipes: Bool

    /// - Parameters:
    ///   - variables: entries of the form `NAME=value`.
    ///   - folder: nil for this process's working directory.
    ///   - descriptors: their current numbers must be higher than all the numbers that they get in the program.
    ///   - closed: numbers below 3 that the program does not inherit.
    init(
        _ path: String, _ arguments: [[UInt8]], variables: [[UInt8]], folder: String?,
        _ descriptors: [(Descriptor, as: Int32)], closed: [Int32] = [], _ group: linux_group = LINUX_OWN_GROUP,
        ignoresBrokenPipes: Bool
    ) {
        words = CStrings([Array(path.utf8)] + arguments)
        self.variables = CStrings(variables)
        paths = CStrings([path, folder].compactMap { $0.map { Array($0.utf8) } })
        self.descriptors = descriptors
        self.closed = closed.reduce(0) { $0 | 1 << UInt32($1) }
        self.group = group
        self.ignoresBrokenPipes = ignoresBrokenPipes
    }

    /// Starts the program. The kernel kills the program when the calling thread ends. If the program becomes a child of
    /// `parent`, the kernel kills it when the thread that started this process ends.
    ///
    /// - Parameter parent: this process's parent, to make it the program's parent too; 0 to make the program a child of
    ///   this process.
    /// - Returns: the process id (0 if there is no process), and an errno if the process failed before it ran the
    ///   program.
    func start(for parent: pid_t = 0) -> (process: Int32, failure: Int32) {
        withExtendedLifetime((words, variables, paths, descriptors)) {
            let (sources, numbers) = (descriptors.map(\.0.raw), descriptors.map(\.as))
            return sources.withUnsafeBufferPointer { sources in
                numbers.withUnsafeBufferPointer { numbers in
                    var program = linux_program(
                        path: paths.pointers[0], arguments: words.pointers, variables: variables.pointers,
                        folder: paths.pointers[1], sources: sources.baseAddress, numbers: numbers.baseAddress,
                        count: Int32(sources.count), closed: closed, group: group,
                        ignores_broken_pipes: ignoresBrokenPipes, parent: parent)
                    var failure: Int32 = 0
                    let process = linux_start_program(&program, &failure)
                    return process < 0 ? (0, errno) : (process, failure)
                }
            }
        }
    }
}

/// The thread that starts this process's programs. The kernel kills a program when the thread that started it ends, so
/// this thread lives as long as the process.
final class StartingThread: Sendable {
    static let shared = StartingThread()

    private struct State {
        var isRunning = false
        var programs: [@Sendable () -> Void] = []
    }
    private let state = Monitor(State())

    /// Starts a program on this object's thread and blocks until the program is running. Fails with `EAGAIN` if the
    /// system allows no more threads.
    func start(_ program: StartedProgram) throws(Errno) -> (process: Int32, failure: Int32) {
        let started = Monitor<(process: Int32, failure: Int32)?>(nil)
        let isRunning = state.update { state in
            if !state.isRunning { state.isRunning = startThread("start-programs") { [self] in run() } }
            if state.isRunning {
                state.programs.append {
                    let result = program.start()
                    started.update { $0 = result }
                }
            }
            return state.isRunning
        }
        guard isRunning, let result = started.wait(until: { $0 }) else { throw Errno(EAGAIN) }
        return result
    }

    private func run() {
        while let next = state.wait(until: { $0.programs.isEmpty ? nil : $0.programs.removeFirst() }) { next() }
    }
}

/// An immutable NULL-terminated array of C strings.
final class CStrings: Sendable {
    nonisolated(unsafe) let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
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
