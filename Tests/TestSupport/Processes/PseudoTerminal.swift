import Glibc

/// A new pseudo-terminal. `program` is the program's end, and `user` is the end with the keyboard and the screen.
package final class PseudoTerminal: Sendable {
    /// Thrown if the system provides no terminal.
    package struct Unavailable: Error {
        package let code: Int32
    }

    /// TIOCSPTLCK and TIOCGPTN from ioctl_tty(2). Swift imports neither these macros nor the functions that use them.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    package let user: Int32
    package let program: Int32
    /// The device file of the program's end.
    package let path: String

    package init() throws(Unavailable) {
        user = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: Int32 = 0
        guard user >= 0, ioctl(user, Self.setLock, &lock) == 0, ioctl(user, Self.getNumber, &number) == 0 else {
            throw Unavailable(code: errno)
        }
        path = "/dev/pts/\(number)"
        program = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw Unavailable(code: errno) }
    }

    deinit {
        close(program)
        close(user)
    }

    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(user, bytes, bytes.count)
    }

    /// The screen output since the last call.
    package func screen() -> String { String(decoding: bytes(), as: UTF8.self) }

    /// The screen output as bytes. A character may be split at either end.
    package func bytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var request = pollfd(fd: user, events: Int16(POLLIN), revents: 0)
        var text: [UInt8] = []
        while poll(&request, 1, 0) > 0, request.revents & Int16(POLLIN) != 0 {
            let count = read(user, &bytes, bytes.count)
            guard count > 0 else { break }
            text += bytes[..<count]
        }
        return text
    }
}
