import Glibc
import SynthJSON
import SynthModelStore
import SynthSystem

/// Writes events, one per line. Progress is written at most ten times per second. The latest value is written within a
/// tenth of a second if the caller always calls `sendPending` after the delay that the previous call returned. Not
/// thread-safe.
final class Reporter {
    private let output: Descriptor
    private var lastProgress: ContinuousClock.Instant?
    private var unsaid: Int64?
    private static let pause = Duration.milliseconds(100)

    init(_ output: Descriptor) { self.output = output }

    /// Writes an event. Pending progress is written first, unless the event makes it obsolete.
    func send(_ event: FetchEvent) {
        if let unsaid, !event.voidsProgress { write(.progress(bytes: unsaid)) }
        unsaid = nil
        write(event)
    }

    func sendProgress(_ bytes: Int64) {
        unsaid = bytes
        _ = sendPending()
    }

    /// Writes pending progress if it is due.
    ///
    /// - Returns: the delay until the next call, or nil if nothing is pending.
    func sendPending() -> Duration? {
        guard let bytes = unsaid else { return nil }
        let now = ContinuousClock.now
        if let lastProgress, now - lastProgress < Self.pause { return Self.pause - (now - lastProgress) }
        lastProgress = now
        unsaid = nil
        write(.progress(bytes: bytes))
        return nil
    }

    private func write(_ event: FetchEvent) {
        guard let node = try? JSONNode(encoding: event) else { _exit(1) }
        guard (try? output.writeAll(Array((JSONWriter.line(of: node) + "\n").utf8))) != nil else { _exit(1) }
    }
}

extension FetchEvent {
    fileprivate var voidsProgress: Bool {
        switch self {
        case .progress, .restarting: true
        default: false
        }
    }
}
