import VoiceCatalogue
import Synchronization

/// What is being done to voices in this process, and who wants to know.
final class LiveStates: Sendable {
    private struct Listeners {
        var states: [String: ModelState] = [:]
        var continuations: [String: [Int: AsyncStream<ModelState>.Continuation]] = [:]
        var next = 0
    }

    private let listeners = Mutex(Listeners())

    /// What several voices that are pulled together go by: no folder is called so.
    static func name(of voices: [Voice]) -> String {
        voices.count == 1 ? voices[0].folder : voices.map(\.folder).joined(separator: "/")
    }

    /// `nil` when the disk knows better.
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

    /// Tells everybody. Only what is being worked on, and failures, are kept: the rest is on the disk.
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
