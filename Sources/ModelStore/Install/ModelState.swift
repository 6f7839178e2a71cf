import Synchronization
import VoiceCatalogue

/// The state of a voice in the store.
package enum ModelState: Sendable, Hashable {
    /// Something that it needs is missing. `because` says, in words for the user, what is damaged or incomplete.
    case notDownloaded(because: String?)
    /// Another process downloads it; `process` is its id, if known.
    case waiting(process: Int32?)
    case downloading(DownloadProgress)
    case verifying
    case unpacking
    case ready
    case failed(StoreError)

    /// Whether work on it is running.
    package var isBusy: Bool {
        switch self {
        case .waiting, .downloading, .verifying, .unpacking: true
        case .notDownloaded, .ready, .failed: false
        }
    }
}

/// The progress of the download of a voice, over all its files.
package struct DownloadProgress: Sendable, Hashable {
    /// Never decreases.
    package let bytes: Int64
    package let total: Int64
    /// In bytes per second; `nil` until it is known.
    package let speed: Double?
    package let timeLeft: Duration?
    /// Set while nothing arrives, or if what had arrived was discarded.
    package let notice: DownloadNotice?

    package var fraction: Double { total > 0 ? Double(bytes) / Double(total) : 0 }

    package init(
        bytes: Int64, total: Int64, speed: Double? = nil, timeLeft: Duration? = nil,
        notice: DownloadNotice? = nil
    ) {
        self.bytes = bytes
        self.total = total
        self.speed = speed
        self.timeLeft = timeLeft
        self.notice = notice
    }
}

/// What happened to a download that continues.
package enum DownloadNotice: Sendable, Hashable {
    /// What had arrived was discarded.
    case restarting
    case retrying(FetchFailure)
    /// The files now come from the alternative source.
    case anotherSource
    /// An optional file could not be had. The voice is complete without it.
    case leftOut(file: String)
}

/// The states of voices that this process works on, and the listeners.
final class LiveStates: Sendable {
    private struct Listeners {
        var states: [String: ModelState] = [:]
        var continuations: [String: [Int: AsyncStream<ModelState>.Continuation]] = [:]
        var next = 0
    }

    private let listeners = Mutex(Listeners())

    /// The name for several voices that are pulled together. No folder has such a name.
    static func name(of voices: [Voice]) -> String {
        voices.count == 1 ? voices[0].folder : voices.map(\.folder).joined(separator: "/")
    }

    /// `nil` if only the disk can tell.
    func state(of voice: String) -> ModelState? { listeners.withLock { $0.states[voice] } }

    func states(of voice: String, onDisk: () -> ModelState) -> AsyncStream<ModelState> {
        let (stream, continuation) = AsyncStream.makeStream(of: ModelState.self, bufferingPolicy: .bufferingNewest(1))
        let first = state(of: voice) ?? onDisk()
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[voice, default: [:]][listeners.next] = continuation
            continuation.yield(listeners.states[voice] ?? first)
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.continuations[voice]?[number] = nil }
        }
        return stream
    }

    /// Tells all listeners. Only running work and failures are kept; the rest can be read from the disk.
    func publish(_ state: ModelState, of voice: String) {
        listeners.withLock { listeners in
            switch state {
            case .ready, .notDownloaded: listeners.states[voice] = nil
            default: listeners.states[voice] = state
            }
            for continuation in (listeners.continuations[voice] ?? [:]).values { continuation.yield(state) }
        }
    }
}
