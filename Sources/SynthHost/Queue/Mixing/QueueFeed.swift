import SynthAudio
import System

/// The events of a queue that is played, kept until they sound.
final class QueueFeed: Sendable {
    private struct State {
        var events = Fifo<SpeechQueue.Event>()
        /// Frames that the sink has.
        var written = 0
        var isEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private enum Next {
        case event(SpeechQueue.Event)
        case wait(Duration)
        case change
        case end
    }
    private let state = Monitor(State())
    private let sink: any AudioSink
    private let sampleRate: Int
    /// At most this many are kept if nobody reads them.
    private static let mostEvents = 4096

    init(_ sink: any AudioSink, sampleRate: Int) {
        self.sink = sink
        self.sampleRate = sampleRate
    }

    /// - Parameter frames: what the sink has.
    func comes(_ events: [SpeechQueue.Event], written frames: Int) {
        if events.isEmpty { return state.update { $0.written = frames } }
        change { state in
            state.written = frames
            for event in events { state.events.append(event) }
            while state.events.count > Self.mostEvents { _ = state.events.popFirst() }
        }
    }

    /// Nothing more comes, and nothing is waited for any more.
    ///
    /// - Parameter wasHeard: whether all of it was; else what does not sound any more is dropped.
    func end(wasHeard: Bool) {
        change { state in
            state.isEnded = true
            if !wasHeard { state.events.removeAll() }
        }
    }

    /// The next event, when it sounds; nil after the last, and once the task was cancelled.
    func next() async -> SpeechQueue.Event? {
        while !Task.isCancelled {
            switch look() {
            case .event(let event): return event
            case .wait(let time): try? await Task.sleep(for: time)
            case .change: await news()
            case .end: return nil
            }
        }
        return nil
    }

    private func look() -> Next {
        let queued = sink.queuedFrames()
        return state.update { state in
            guard let first = state.events.first else { return state.isEnded ? .end : .change }
            let ahead = first.frame - (state.written - queued)
            if ahead <= 0 || state.isEnded {
                _ = state.events.popFirst()
                return .event(first)
            }
            return .wait(.seconds(min(max(Double(ahead) / Double(sampleRate), 0.002), 0.05)))
        }
    }

    private func news() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.update { state in
                    if !state.events.isEmpty || state.isEnded || Task.isCancelled { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            change { _ in }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let tasks = state.update { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for task in tasks { task.resume() }
    }
}
