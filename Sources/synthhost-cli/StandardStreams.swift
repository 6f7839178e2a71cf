import Glibc

/// The three standard descriptors.
enum StandardStreams {
    /// Opens those that are closed; otherwise a file or socket could get their numbers and be written to. Output to a
    /// descriptor that was closed fails, because it would be lost; messages are dropped.
    static func open() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = Glibc.open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }
}
