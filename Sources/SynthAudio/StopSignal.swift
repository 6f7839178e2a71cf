import CSynthALSA  // In some builds, this module declares `pollfd`.
import Glibc
import Synchronization

/// A flag that any thread can raise to wake up a thread that is waiting in `poll`. Once raised, the flag stays raised.
final class StopSignal: Sendable {
    enum Wake {
        case ready, stopped, timedOut
    }

    private let raised = Atomic<Bool>(false)
    /// This end becomes readable when the flag is raised. A socket pair is used because it can be created atomically
    /// with close-on-exec.
    private let readEnd: Int32
    private let writeEnd: Int32
    private let failure: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        failure = socketpair(AF_UNIX, kind, 0, &ends) == 0 ? 0 : errno
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        guard failure == 0 else { return }
        close(readEnd)
        close(writeEnd)
    }

    var isRaised: Bool {
        raised.load(ordering: .sequentiallyConsistent)
    }

    func raise() {
        guard !raised.exchange(true, ordering: .sequentiallyConsistent) else { return }
        // This is the only byte ever written, so the write neither blocks nor fails.
        var byte: UInt8 = 1
        write(writeEnd, &byte, 1)
    }

    /// - Throws: `noDescriptor` if the socket pair could not be created.
    func check() throws(AudioError) {
        guard failure == 0 else { throw .noDescriptor(code: failure) }
    }

    /// Blocks until one of `descriptors` is ready, the flag is raised, or the timeout expires. Sets the descriptors'
    /// `revents`.
    func wait(for descriptors: inout [pollfd], timeout: Duration?) -> Wake {
        descriptors.append(pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0))
        defer { descriptors.removeLast() }
        let clock = ContinuousClock()
        let deadline = timeout.map { clock.now.advanced(by: $0) }
        while true {
            let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: deadline, clock: clock))
            if isRaised { return .stopped }
            if count > 0 { return .ready }
            if count == 0 { return .timedOut }
            // Errors other than EINTR indicate a bug in this code. The caller's next system call reports them.
            if errno != EINTR { return .ready }
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?, clock: ContinuousClock) -> Int32 {
        guard let deadline else { return -1 }
        let left = max(clock.now.duration(to: deadline), .zero)
        return Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
    }
}
