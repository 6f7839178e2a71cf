import Glibc

/// The three descriptors that a program may expect to be there.
enum StandardStreams {
    /// Opens those that whoever started the program left closed: a file or socket in their place would be written to.
    /// What is written to an output in such a place fails, for nobody would get it; messages go nowhere.
    static func open() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = Glibc.open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }
}
