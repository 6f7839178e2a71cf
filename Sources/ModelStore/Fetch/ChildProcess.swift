import CLinux
import Glibc
import System

/// A child process with a pipe to its stdin and one from its stdout. It is killed when the value ends.
struct ChildProcess: ~Copyable {
    let output: Descriptor
    private let input: Descriptor
    private let id: pid_t
    private var isReaped = false

    /// - Parameters:
    ///   - environment: nil = the variables of this process.
    ///   - kept: a descriptor that the child has open too, as its number 3; -1 = none.
    init(_ program: String, _ environment: [String: String]?, keeping kept: Int32) throws(Errno) {
        let toChild = try Descriptor.pipe()
        let fromChild = try Descriptor.pipe()
        var spawn = Spawn(group: .own)
        try spawn.pass(toChild.reading.raw, as: STDIN_FILENO)
        try spawn.pass(fromChild.writing.raw, as: STDOUT_FILENO)
        // It reports its errors on stdout. Nobody reads what its libraries print.
        spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
        if kept >= 0 { try spawn.pass(kept, as: 3) }
        id = try spawn.start(program, environment: environment)
        input = toChild.writing
        output = fromChild.reading
    }

    deinit {
        guard !isReaped else { return }
        kill(id, SIGKILL)
        var status: Int32 = 0
        _ = try? Errno.check { waitpid(id, &status, 0) }
    }

    /// Waits for a child that has closed its output, a second at most.
    ///
    /// - Returns: the signal that ended it, if one did.
    mutating func end() -> Int32? {
        if let number = try? Errno.check({ linux_pidfd_open(id) }) {
            let ended = Descriptor(owning: number)
            _ = try? Poll.wait([(ended.raw, events: POLLIN)], timeout: .seconds(1))
        }
        var (code, signal): (Int32, Int32) = (0, 0)
        isReaped = linux_wait_exit(id, false, &code, &signal) == 1
        return isReaped && signal != 0 ? signal : nil
    }

    /// Sends one line. `false` if the child has ended.
    func send(_ line: [UInt8]) -> Bool {
        (try? withoutBrokenPipeSignal { () throws(Errno) in try input.writeAll(line) }) != nil
    }
}
