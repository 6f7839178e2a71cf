import Foundation
import Glibc
import ModelStore
import Synchronization
import System

/// Writes events, one per line. Progress is written at most ten times a second, and the last within a tenth of a
/// second.
final class Reporter: Sendable {
    private struct Progress {
        var lastSaid: ContinuousClock.Instant?
        /// Progress that is not written yet. A task waits to write it.
        var unsaid: Int64?
    }

    private let output: Descriptor
    private let progress = Mutex(Progress())
    private static let pause = Duration.milliseconds(100)

    init(_ output: Descriptor) { self.output = output }

    /// Writes pending progress first, unless `event` makes it obsolete.
    func say(_ event: FetchEvent) {
        progress.withLock { progress in
            let unsaid = progress.unsaid
            progress.unsaid = nil
            if let unsaid, !event.voidsProgress { write(.progress(bytes: unsaid)) }
            write(event)
        }
    }

    func sayProgress(_ bytes: Int64) {
        let isLater = progress.withLock { progress in
            let now = ContinuousClock.now
            guard let last = progress.lastSaid, now - last < Self.pause else {
                progress = Progress(lastSaid: now)
                write(.progress(bytes: bytes))
                return false
            }
            defer { progress.unsaid = bytes }
            return progress.unsaid == nil
        }
        guard isLater else { return }
        Task {
            try await Task.sleep(for: Self.pause)
            progress.withLock { progress in
                guard let unsaid = progress.unsaid else { return }
                progress = Progress(lastSaid: .now)
                write(.progress(bytes: unsaid))
            }
        }
    }

    /// Must be called with the lock held, so that lines are not mixed.
    private func write(_ event: FetchEvent) {
        guard let text = try? JSONEncoder().encode(event) else { return }
        guard (try? output.writeAll(Array(text) + [0x0a])) != nil else { _exit(1) }
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
