import Synchronization
import System
public import VoiceCatalogue

/// How far the download of a voice is. The one word for it from the store to the page.
@nonexhaustive
public enum DownloadState: Sendable, Hashable {
    /// Nothing is being done, and something is missing. `because` says, in words, what is damaged or incomplete.
    case notDownloaded(because: String?)
    /// Another process works on the same files; its id, if it is known.
    case waiting(process: Int32?)
    /// Its files arrive.
    case downloading(DownloadProgress)
    /// What arrived is compared with its digest.
    case verifying
    /// An archive is unpacked.
    case unpacking
    /// The voice could speak now, and is measured, so that it will be as loud as other voices: some seconds.
    /// `VoiceDownload.cancel` leaves that out.
    case measuring
    /// The last one: the voice could speak now.
    case ready
    /// The last one. What arrived is kept, and the next download goes on from there.
    case failed(VoiceDownloadProblem, mayWorkLater: Bool)
    /// The last one, after it was cancelled. What arrived is kept.
    case cancelled

    package init(_ error: StoreError) {
        self =
            error.kind == .cancelled
            ? .cancelled : .failed(VoiceDownloadProblem(error), mayWorkLater: error.kind == .tryAgain)
    }

    /// Whether work on it is running.
    package var isBusy: Bool {
        switch self {
        case .waiting, .downloading, .verifying, .unpacking, .measuring: true
        case .notDownloaded, .ready, .failed, .cancelled: false
        }
    }
}

/// How much of a voice has arrived, over all its files.
public struct DownloadProgress: Sendable, Hashable {
    /// Bytes that are safe on the disk. Never decreases.
    public let bytes: Int64
    /// Of all its files, in bytes.
    public let total: Int64
    /// nil = not known yet.
    public let bytesPerSecond: Double?
    /// nil = not known yet.
    public let timeLeft: Duration?
    /// Set while nothing arrives, or if what had arrived was discarded.
    package let notice: DownloadNotice?

    package init(
        bytes: Int64, total: Int64, bytesPerSecond: Double? = nil, timeLeft: Duration? = nil,
        notice: DownloadNotice? = nil
    ) {
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
        self.timeLeft = timeLeft
        self.notice = notice
    }

    package var fraction: Double { total > 0 ? Double(bytes) / Double(total) : 0 }
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
        var states: [String: DownloadState] = [:]
        var continuations: [String: [Int: AsyncStream<DownloadState>.Continuation]] = [:]
        var next = 0
        /// How often anything was told of a voice.
        var told: [String: Int] = [:]
    }

    private let listeners = Mutex(Listeners())

    /// The name for several voices that are pulled together. No folder has such a name.
    static func name(of voices: [any Installable]) -> String {
        voices.count == 1 ? voices[0].folder : voices.map(\.folder).joined(separator: "/")
    }

    /// `nil` if only the disk can tell.
    func state(of voice: String) -> DownloadState? { listeners.withLock { $0.states[voice] } }

    func states(of voice: String, onDisk: () -> DownloadState) -> AsyncStream<DownloadState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadState.self, bufferingPolicy: .bufferingNewest(1))
        let (number, told, isKnown) = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[voice, default: [:]][listeners.next] = continuation
            if let state = listeners.states[voice] { continuation.yield(state) }
            return (listeners.next, listeners.told[voice], listeners.states[voice] != nil)
        }
        if !isKnown {
            let first = onDisk()
            // What was told meanwhile is newer.
            listeners.withLock { if $0.told[voice] == told { continuation.yield(first) } }
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { $0.continuations[voice]?[number] = nil }
        }
        return stream
    }

    /// Tells all listeners. Only running work and failures are kept; the rest can be read from the disk.
    func publish(_ state: DownloadState, of voice: String) {
        listeners.withLock { listeners in
            listeners.told[voice, default: 0] += 1
            switch state {
            case .ready, .notDownloaded, .cancelled: listeners.states[voice] = nil
            default: listeners.states[voice] = state
            }
            for continuation in (listeners.continuations[voice] ?? [:]).values { continuation.yield(state) }
        }
    }
}
