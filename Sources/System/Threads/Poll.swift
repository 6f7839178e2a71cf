import Glibc

/// Waits until one of a few descriptors is ready, by `poll(2)`.
package enum Poll {
    /// Which of `descriptors` are ready for `events` (or hung up), in their order; none after the time-out.
    package static func wait(
        _ descriptors: [(Int32, events: Int32)], timeout: Duration? = nil
    ) throws(Errno) -> [Int32] {
        var set = descriptors.map { pollfd(fd: $0.0, events: Int16($0.events), revents: 0) }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let milliseconds = deadline.map { max(0, ($0 - .now).roundedUpMilliseconds) } ?? -1
            let count = poll(&set, nfds_t(set.count), milliseconds)
            if count >= 0 { return set.map { Int32($0.revents) } }
            if Errno.last != .interrupted { throw Errno.last }
        }
    }
}

extension Duration {
    /// For `poll`, which must not return before the time.
    var roundedUpMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1000 else { return .max }
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
