import Glibc
import System

/// The three standard descriptors.
enum StandardStreams {
    /// Opens those that are closed; otherwise a file could get their numbers.
    static func open() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }

    /// The standard output for the conversation alone: what a library prints goes to the messages, and is not taken for an
    /// answer.
    static func takeOutput() -> Descriptor? {
        guard let output = try? Errno.check({ fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }) else {
            return nil
        }
        dup2(STDERR_FILENO, STDOUT_FILENO)
        return Descriptor(owning: output)
    }
}
