import CLinux
import Glibc
import System

/// A child with a pipe to its stdin and one from its stdout. Killed when it is let go of.
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
        // It reports its errors on stdout; what its libraries say is nobody's to read.
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

    /// For a child that has closed its output: the signal that ended it, if one did by itself. Blocks for a moment at
    /// most.
    mutating func end() -> Int32? {
        if let number = try? Errno.check({ linux_pidfd_open(id) }) {
            let ended = Descriptor(owning: number)
            _ = try? Poll.wait([(ended.raw, events: POLLIN)], timeout: .seconds(1))
        }
        var (code, signal): (Int32, Int32) = (0, 0)
        isReaped = linux_wait_exit(id, false, &code, &signal) == 1
        return isReaped && signal != 0 ? signal : nil
    }

    /// Hands over one line. `false` when the child is gone.
    func send(_ line: [UInt8]) -> Bool {
        (try? withoutBrokenPipeSignal { () throws(Errno) in try input.writeAll(line) }) != nil
    }
}
