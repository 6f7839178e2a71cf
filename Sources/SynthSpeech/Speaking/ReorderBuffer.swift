import SynthEngineProcesses
import SynthScript
import SynthSystem

/// Distributes the utterances in the text among several lanes and returns the results in text order.
///
/// When a lane finishes a step, it takes the next one. The buffer holds the results of a few utterances until all
/// earlier results have been returned. While a listener may be waiting for the first audio, only one utterance is
/// synthesized at a time, because a lane is faster when it runs alone.
final class ReorderBuffer: Sendable {
    private struct Slot {
        let number: Int
        let step: ScriptStep
        /// Whether a listener may be waiting for this utterance because the queue is empty.
        let isAwaited: Bool
        var parts: [SpeechPart] = []
        var isDone = false
        var failure: EngineFailure?
    }

    private struct State {
        var slots: [Slot] = []
        var count = 0
        /// A step that was put back, which is taken before all others.
        var returned: ScriptStep?
        var isFlowing: Bool
        var isEnded = false
        var failure: SpeechError?
    }

    private enum Step {
        case parts([SpeechPart])
        case end(EngineFailure?)
    }

    /// The maximum number of utterances: two in progress and one that is finished but has not been returned.
    private static let limit = 3

    private let source: any TextSource
    /// Whether the text is live. If so, the first utterance after each wait for text is treated like the first
    /// utterance of the entire text.
    private let isLive: Bool
    private let state: Monitor<State>
    private let reading = Lock()

    init(_ source: any TextSource) {
        self.source = source
        isLive = source.byteCount == nil
        state = Monitor(State(isFlowing: source.byteCount != nil))
    }

    /// Puts back a step that was read from the source. Call this before the lanes start.
    func putBack(_ step: ScriptStep) { state.update { $0.returned = step } }

    // MARK: - Lanes

    /// Processes steps on a lane until none remain.
    ///
    /// - Parameters:
    ///   - isWanted: checked before each utterance. Returns false if another client needs the lane.
    ///   - speak: receives each utterance and whether a listener may be waiting for it.
    func serve(
        while isWanted: () -> Bool = { true },
        _ speak: (Utterance, _ isAwaited: Bool, (SpeechPart) -> Bool) throws(EngineFailure) -> Void
    ) {
        while isWanted(), let slot = take() {
            guard case .utterance(let utterance) = slot.step else {
                change(slot.number) { $0.isDone = true }
                continue
            }
            do {
                try speak(utterance, slot.isAwaited) { part in change(slot.number) { $0.parts.append(part) } }
                change(slot.number) { $0.isDone = true }
            } catch {
                change(slot.number) { slot in
                    slot.failure = error
                    slot.isDone = true
                }
            }
        }
    }

    private func take() -> Slot? {
        reading.withLock {
            let isFree = state.wait { state -> Bool? in
                if state.isEnded { return false }
                return state.slots.isEmpty || state.isFlowing && state.slots.count < Self.limit ? true : nil
            }
            guard isFree == true else { return nil }
            do throws(SpeechError) {
                let returned = state.update { state in
                    defer { state.returned = nil }
                    return state.returned
                }
                let next: ScriptStep? = if let returned { returned } else { try source.next() }
                guard let step = next else {
                    end()
                    return nil
                }
                return state.update { state in
                    // The buffer may have been abandoned while the source waited for text.
                    if state.isEnded { return nil }
                    let slot = Slot(number: state.count, step: step, isAwaited: !state.isFlowing)
                    state.count += 1
                    state.slots.append(slot)
                    return slot
                }
            } catch {
                end(error)
                return nil
            }
        }
    }

    /// Returns false if the slot no longer exists.
    @discardableResult
    private func change(_ number: Int, _ body: (inout Slot) -> Void) -> Bool {
        state.update { state in
            guard let index = state.slots.firstIndex(where: { $0.number == number }) else { return false }
            body(&state.slots[index])
            return true
        }
    }

    private func end(_ failure: SpeechError? = nil) {
        state.update { state in
            state.isEnded = true
            state.failure = failure
        }
    }

    // MARK: - Reader

    /// Returns the next step, or nil after the last one. Blocks until a step is available. If it is an utterance, call
    /// `speakFirst` to get its audio. Call `passFirst` to remove the step.
    func first() throws(SpeechError) -> ScriptStep? {
        let found: Result<ScriptStep?, SpeechError>? = state.wait { state in
            if let slot = state.slots.first { return .success(slot.step) }
            if state.isEnded { return state.failure.map { .failure($0) } ?? .success(nil) }
            if isLive { state.isFlowing = false }
            return nil
        }
        return try found?.get() ?? nil
    }

    /// Passes the parts of the first utterance to `part` as they become available, until the utterance ends or `part` returns
    /// false.
    func speakFirst(_ part: (SpeechPart) -> Bool) throws(EngineFailure) {
        while true {
            let step = state.wait { state -> Step? in
                guard let slot = state.slots.first else { return .end(nil) }
                if !slot.parts.isEmpty {
                    state.isFlowing = true
                    state.slots[0].parts = []
                    return .parts(slot.parts)
                }
                guard slot.isDone else { return nil }
                state.slots.removeFirst()
                return .end(slot.failure)
            }
            switch step {
            case .parts(let parts):
                guard parts.allSatisfy(part) else { return abandon() }
            case .end(let failure?): throw failure
            case .end(nil), nil: return
            }
        }
    }

    func passFirst() {
        state.update { if !$0.slots.isEmpty { $0.slots.removeFirst() } }
    }

    /// Drops all pending work and ends the text. Can be called from any thread.
    func abandon() {
        state.update { state in
            state.slots = []
            state.isEnded = true
            state.failure = nil
        }
    }
}
