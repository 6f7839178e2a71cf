import Foundation
import Glibc
import ModelStore
import Synchronization

/// Writes events, a line each; progress at most ten times a second.
final class Reporter: Sendable {
    private let descriptor: Int32
    private let lastProgress = Mutex<ContinuousClock.Instant?>(nil)

    init(descriptor: Int32) { self.descriptor = descriptor }

    func say(_ event: FetchEvent) {
        guard let text = try? JSONEncoder().encode(event) else { return }
        let line = Array(text) + [0x0a]
        lastProgress.withLock { _ in
            var sent = 0
            while sent < line.count {
                let count = line[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { _exit(1) }
                sent += count
            }
        }
    }

    func sayProgress(_ bytes: Int64) {
        let isDue = lastProgress.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < .milliseconds(100) { return false }
            last = now
            return true
        }
        if isDue { say(.progress(bytes: bytes)) }
    }
}
