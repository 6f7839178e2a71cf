import VoiceCatalogue
import Synchronization

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
