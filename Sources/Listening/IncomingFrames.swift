package import Recognizers
package import System

/// Sound that one thread adds while another one listens to it.
package final class IncomingFrames: HeardSound, Sendable {
    private struct State {
        var frames: [Float] = []
        /// So many of them were taken.
        var taken = 0
        var isEnded = false
        /// Nobody listens any more.
        var isAbandoned = false
        /// So many of all frames were listened to.
        var heard = 0
    }
    private let most: Int
    private let onTake: @Sendable (Int) -> Void
    private let waiting = Monitor(State())
    private let wakeUp: WakeUp

    /// - Parameters:
    ///   - most: a recognizer that is further behind, in frames, is waited for.
    ///   - onTake: gets how many frames are not kept any more.
    package init(most: Int = 1 << 20, onTake: @escaping @Sendable (Int) -> Void = { _ in }) throws(Errno) {
        self.most = most
        self.onTake = onTake
        wakeUp = try WakeUp()
    }

    deinit { onTake(waiting.read { $0.frames.count - $0.taken }) }

    package var arrival: Descriptor? { wakeUp.descriptor }

    /// - Returns: false if nobody listens any more.
    @discardableResult
    package func add(_ frames: ArraySlice<Float>) -> Bool {
        let isAdded = waiting.wait { state -> Bool? in
            guard state.frames.count - state.taken < most || state.isAbandoned else { return nil }
            if !state.isAbandoned { state.frames += frames }
            return !state.isAbandoned
        }
        wakeUp.signal()
        return isAdded ?? false
    }

    package func abandon() { waiting.update { $0.isAbandoned = true } }

    package func waits(after frame: UInt64) { waiting.update { $0.heard = max($0.heard, Int(clamping: frame)) } }

    /// Blocks until so many of all frames were listened to, or nobody listens any more.
    ///
    /// - Returns: false if the time was up first.
    package func waitUntilHeard(_ frames: Int, within limit: Duration) -> Bool {
        waiting.wait(timeout: limit) { $0.heard >= frames || $0.isAbandoned ? true : nil } ?? false
    }

    package func end() {
        waiting.update { $0.isEnded = true }
        wakeUp.signal()
    }

    package func next(most: Int) -> HeardFrames {
        wakeUp.clear()
        let (next, count) = waiting.update { state -> (HeardFrames, Int) in
            let rest = state.frames[state.taken...]
            if rest.isEmpty { return (state.isEnded ? .ended : .nothing, 0) }
            let taken = Array(rest.prefix(most))
            state.taken += taken.count
            let isLast = state.taken == state.frames.count
            // Each frame is moved once or twice, however long the sound is.
            if state.taken > state.frames.count / 2 {
                state.frames.removeFirst(state.taken)
                state.taken = 0
            }
            if !isLast || state.isEnded { wakeUp.signal() }
            return (.frames(taken), taken.count)
        }
        onTake(count)
        return next
    }
}
