import Glibc

/// Looks, on a thread of its own, whether the other end of a connection leaves.
package final class SocketWatch: Sendable {
    private let signal: WakeUp

    /// - Parameter onEnd: called at most once, on another thread: the other end sends nothing more, or the stream was stopped.
    /// - Throws: the system has no thread or descriptor left.
    package init(_ stream: SocketStream, _ onEnd: @escaping @Sendable () -> Void) throws(Errno) {
        let signal = try WakeUp()
        self.signal = signal
        let isWatched = startThread("watch") { if stream.waitForEnd(until: signal) { onEnd() } }
        if !isWatched { throw Errno(EAGAIN) }
    }

    /// From now on nobody is called, but somebody may just be.
    package func end() { signal.signal() }
}
