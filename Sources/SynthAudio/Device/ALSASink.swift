import Glibc
import Synchronization

/// Plays audio on an ALSA device, with a queue of 160 ms.
///
/// The lock is held during libasound calls that do not block (and during the last 20 ms of `finish`), but never while
/// waiting. `stop` only tries to take the lock. If it succeeds, it discards the queue. Otherwise, the thread that holds
/// the lock checks the signal after releasing it and discards the queue itself. Therefore, `stop` never waits, and the
/// queue is always discarded.
package final class ALSASink: AudioSink {
    private enum Outcome: Sendable {
        case wrote(frames: Int)
        case full([pollfd])
        case recovered
        case suspended
        case closed
    }

    package let device: String
    private let stallLimit: Duration
    private let drainLimit: Duration
    private let signal = StopSignal()
    private let playback = Mutex<ALSAPlayback?>(nil)
    private let channels = Atomic<Int>(1)
    private let underruns = Atomic<Int>(0)

    /// - Parameters:
    ///   - device: an ALSA name; `default` is the desktop's default device.
    ///   - stallLimit: how long the buffer may remain full before the device is considered stalled.
    ///   - drainLimit: how long `finish` waits for the device to play the rest of the queue.
    package init(
        device: String = "default", stallLimit: Duration = .seconds(10), drainLimit: Duration = .seconds(5)
    ) {
        self.device = device
        self.stallLimit = stallLimit
        self.drainLimit = drainLimit
    }

    /// The number of underruns. Can be read from any thread.
    package var underrunCount: Int { underruns.load(ordering: .relaxed) }

    package var isHeard: Bool { true }

    /// - Throws: `noDescriptor`, `formatUnusable`, `deviceMissing`, `deviceNotOpened`, `deviceRefusesFormat`.
    package func begin(_ format: AudioFormat) throws(AudioError) {
        try signal.check()
        try format.check()
        if signal.isRaised { return }
        channels.store(format.channels, ordering: .relaxed)
        try playback.withLock { (playback) throws(AudioError) in
            playback = try ALSAPlayback.open(device: device, format: format)
        }
    }

    /// - Throws: `deviceFailed`, `deviceStalled`.
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        var rest = samples
        var failedAttempts = 0
        while !rest.isEmpty && !signal.isRaised {
            switch try writeSome(rest) {
            case .wrote(let frames):
                rest = rest.dropFirst(frames * channels.load(ordering: .relaxed))
                failedAttempts = 0
            case .full(let descriptors):
                try waitForRoom(descriptors)
            case .recovered:
                failedAttempts += 1
                // Without this limit, a device that kept failing without accepting a frame would block this thread
                // forever.
                if failedAttempts > 8 { throw .deviceFailed(device: device, code: EPIPE) }
            case .suspended:
                // No event reports the end of a suspend, so poll.
                var none: [pollfd] = []
                _ = signal.wait(for: &none, timeout: .milliseconds(100))
            case .closed:
                return
            }
        }
    }

    /// - Throws: `deviceFailed`.
    package func finish() throws(AudioError) {
        defer { playback.withLock { $0 = nil } }
        playback.withLock { $0?.start() }
        var left = drainLimit
        while !signal.isRaised {
            let remaining = playback.withLock { $0?.remainingTime() ?? .zero }
            // Stop waiting if the device does not play its queue.
            if remaining <= .zero || left <= .zero { break }
            let pause = min(remaining, .milliseconds(200))
            var none: [pollfd] = []
            _ = signal.wait(for: &none, timeout: pause)
            left -= pause
        }
        if signal.isRaised {
            dropQueueIfFree()
        } else {
            try playback.withLock { (playback) throws(AudioError) in try playback?.drain() }
        }
    }

    package func stop() {
        signal.raise()
        dropQueueIfFree()
    }

    package func queuedFrames() -> Int {
        playback.withLock { $0?.queuedFrames() ?? 0 }
    }

    private func writeSome(_ samples: ArraySlice<Float>) throws(AudioError) -> Outcome {
        defer { if signal.isRaised { dropQueueIfFree() } }
        return try playback.withLock { (playback) throws(AudioError) in
            guard let step = try playback?.write(samples) else { return .closed }
            switch step {
            case .wrote(let frames): return .wrote(frames: frames)
            case .full: return .full(playback?.pollDescriptors() ?? [])
            case .suspended: return .suspended
            case .recovered(let hadUnderrun):
                if hadUnderrun { underruns.add(1, ordering: .relaxed) }
                return .recovered
            }
        }
    }

    private func waitForRoom(_ descriptors: [pollfd]) throws(AudioError) {
        var descriptors = descriptors
        switch signal.wait(for: &descriptors, timeout: stallLimit) {
        case .stopped: return
        case .timedOut: throw .deviceStalled(device: device)
        case .ready:
            let found = descriptors
            try playback.withLock { (playback) throws(AudioError) in try playback?.acknowledge(found) }
        }
    }

    private func dropQueueIfFree() {
        _ = playback.withLockIfAvailable { $0?.drop() }
    }
}
