import CSynthLinux
import Glibc

/// A running program in its own process group. When this value is destroyed, the program is terminated if it is still
/// running, and reaped.
package struct RunningProgram: ~Copyable {
    /// How a program ended.
    package struct Ending: Equatable, Sendable {
        /// The exit status, if the program was not ended by a signal.
        package let code: Int32
        /// The signal that ended the program; 0 if it exited normally.
        package let signal: Int32

        package var isGood: Bool { code == 0 && signal == 0 }
    }

    private let process: Int32
    /// A pidfd that is readable when the program has ended.
    package let ended: Descriptor
    private var ending: Ending?

    /// - Parameter process: the process ID of a child of this process. If the initializer throws, the program is
    ///   terminated.
    package init(_ process: Int32) throws(Errno) {
        do {
            ended = Descriptor(owning: try Errno.check { linux_pidfd_open(process) })
        } catch {
            _ = Self.collect(process)
            throw error
        }
        self.process = process
    }

    deinit { if ending == nil { _ = Self.collect(process) } }

    /// Waits for the program to end.
    ///
    /// - Parameters:
    ///   - limit: the maximum time; nil to wait indefinitely.
    /// - Returns: nil if it is still running.
    package mutating func wait(within limit: Duration?) -> Ending? {
        if let ending { return ending }
        let events = try? Poll.wait([(ended.raw, events: POLLIN)], timeout: limit)
        guard events?.first ?? 0 != 0 else { return nil }
        let found = Self.collect(process)
        ending = found
        return found
    }

    /// Terminates the program if it is still running after the limit.
    package mutating func end(after limit: Duration = .zero) -> Ending {
        if let ending = wait(within: limit) { return ending }
        let found = Self.collect(process)
        ending = found
        return found
    }

    /// Kills the remaining processes in a program's group, and reaps the program.
    package static func collect(_ process: Int32) -> Ending {
        var (code, signal): (Int32, Int32) = (0, 0)
        kill(-process, SIGKILL)
        linux_wait_exit(process, true, &code, &signal)
        return Ending(code: code, signal: signal)
    }
}

/// A handle to a process that need not be a child. It never refers to a different process that reuses the process ID.
package struct ProcessHandle: Sendable {
    private let handle: Descriptor

    /// Returns nil if the process does not exist or is not visible.
    package init?(_ process: Int32) {
        guard let number = try? Errno.check({ linux_pidfd_open(process) }) else { return nil }
        handle = Descriptor(owning: number)
    }

    /// Does nothing if the process has exited or belongs to another user.
    package func signal(_ number: Int32) { _ = linux_signal(handle.raw, number) }

    /// Waits for the process to exit. Returns whether it has exited.
    package func hasEnded(within limit: Duration) -> Bool {
        (try? Poll.wait([(handle.raw, events: POLLIN)], timeout: limit))?.first ?? 0 != 0
    }
}
