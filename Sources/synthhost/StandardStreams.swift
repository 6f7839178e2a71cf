import Glibc

/// The three descriptors that a program may expect to be there.
enum StandardStreams {
    /// Opens those that whoever started the program left closed: a file or socket in their place would be written to.
    static func open() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }
}
