import CLinux
import Glibc
import System

/// A child with a pipe to its stdin and one from its stdout. Killed when it is let go of.
struct ChildProcess: ~Copyable {
    let output: Int32
    private let input: Int32
    private let id: pid_t
    private var isReaped = false

    /// - Parameter kept: a descriptor that the child has open too, as its number 3.
    init(_ program: String, keeping kept: Int32) throws(FileFailure) {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard linux_pipe(&toChild) == 0 else { throw FileFailure(.last, call: "pipe2", path: program) }
        guard linux_pipe(&fromChild) == 0 else {
            let code = errno
            for end in toChild { close(end) }
            throw FileFailure(Errno(code), call: "pipe2", path: program)
        }
        // Above the numbers that the child gets, so that no copy overwrites what is still to be copied.
        var ends = [toChild[0], fromChild[1], kept].map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        defer { for end in ends + [toChild[0], fromChild[1]] where end >= 0 { close(end) } }
        if kept < 0 { ends.removeLast() }
        guard ends.allSatisfy({ $0 >= 0 }) else {
            let code = errno
            close(toChild[1])
            close(fromChild[0])
            throw FileFailure(Errno(code), call: "fcntl", path: program)
        }

        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, end) in zip([Int32(0), 1, 3], ends) { posix_spawn_file_actions_adddup2(&actions, end, number) }
        // It reports its errors on stdout; what its libraries say is nobody's to read.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        linux_close_from(&actions, kept < 0 ? 3 : 4)
        // Its own group: Ctrl-C is the parent's to answer. Signals as a program expects them.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var id: pid_t = 0
        let name = strdup(program)
        defer { free(name) }
        let result = posix_spawn(&id, program, &actions, &attributes, [name, nil], environ)
        guard result == 0 else {
            close(toChild[1])
            close(fromChild[0])
            throw FileFailure(Errno(result), call: "posix_spawn", path: program)
        }
        self.id = id
        input = toChild[1]
        output = fromChild[0]
    }

    deinit {
        close(input)
        close(output)
        guard !isReaped else { return }
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1, errno == EINTR {}
    }

    /// For a child that has closed its output: the signal that ended it, if one did by itself. Blocks for a moment at
    /// most.
    mutating func end() -> Int32? {
        let ended = linux_pidfd_open(id)
        defer { if ended >= 0 { close(ended) } }
        var waiting = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 1000)
        var (code, signal): (Int32, Int32) = (0, 0)
        isReaped = linux_wait_exit(id, false, &code, &signal) == 1
        return isReaped && signal != 0 ? signal : nil
    }

    /// Hands over one line. `false` when the child is gone.
    func send(_ line: [UInt8]) -> Bool {
        var sent = 0
        while sent < line.count {
            let count = line[sent...].withUnsafeBytes { writeWithoutSignal(input, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            sent += count
        }
        return true
    }
}

/// `write` to a pipe that may be broken: an error instead of the death of the process.
private func writeWithoutSignal(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    var pipe = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let count = write(descriptor, bytes.baseAddress, bytes.count)
    let code = errno
    if count < 0, code == EPIPE {
        var none = timespec()
        sigtimedwait(&pipe, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return count
}
