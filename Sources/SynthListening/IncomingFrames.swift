package import SynthEngineProcesses
package import SynthSystem

/// A queue that passes audio to a recognizer on another thread.
package final class IncomingFrames: RecognizerAudio, Sendable {
    private struct State {
        /// The queued audio. All pieces except the last have the same length. A single array could reserve up to twice
        /// the memory and would be copied whenever it grew.
        var pieces: [[Float]] = []
        /// The position of the next frame: a piece and an index within it.
        var next = (piece: 0, place: 0)
        /// The number of queued frames.
        var count = 0
        var isEnded = false
        /// Whether the consumer has stopped.
        var isAbandoned = false
        /// The number of frames that the consumer has processed.
        var heard = 0

        mutating func add(_ frames: ArraySlice<Float>) {
            var rest = frames
            while !rest.isEmpty {
                if pieces.last.map({ $0.count == IncomingFrames.framesOfPiece }) ?? true {
                    pieces.append([])
                    pieces[pieces.count - 1].reserveCapacity(IncomingFrames.framesOfPiece)
                }
                let last = pieces.count - 1
                let part = rest.prefix(IncomingFrames.framesOfPiece - pieces[last].count)
                pieces[last] += part
                rest = rest.dropFirst(part.count)
            }
            count += frames.count
        }

        mutating func take(most: Int) -> [Float] {
            var taken: [Float] = []
            taken.reserveCapacity(min(most, count))
            while taken.count < min(most, count), next.piece < pieces.count {
                let part = pieces[next.piece][next.place...].prefix(most - taken.count)
                taken += part
                next.place += part.count
                guard next.place == pieces[next.piece].count else { continue }
                pieces[next.piece] = []
                next = (next.piece + 1, 0)
            }
            if next.piece == pieces.count {
                (pieces, next) = ([], (0, 0))
            } else if next.piece > pieces.count / 2 {
                // Removing pieces in batches moves each piece at most twice, regardless of the length of the audio.
                pieces.removeFirst(next.piece)
                next.piece = 0
            }
            count -= taken.count
            return taken
        }

        /// - Returns: the number of dropped frames.
        mutating func drop() -> Int {
            defer { (pieces, next, count) = ([], (0, 0), 0) }
            return count
        }
    }
    private static let framesOfPiece = 4096
    private let most: Int
    private let onTake: @Sendable (Int) -> Void
    private let waiting = Monitor(State())
    private let wakeUp: WakeUp

    /// - Parameters:
    ///   - most: the maximum number of queued frames. When it is reached, `add` blocks until the recognizer catches up.
    ///   - onTake: called with the number of frames that were removed from the queue.
    package init(most: Int = 1 << 20, onTake: @escaping @Sendable (Int) -> Void = { _ in }) throws(Errno) {
        self.most = most
        self.onTake = onTake
        wakeUp = try WakeUp()
    }

    deinit { onTake(waiting.read { $0.count }) }

    package var arrival: Descriptor? { wakeUp.descriptor }

    /// - Returns: false if the consumer has stopped.
    @discardableResult
    package func add(_ frames: ArraySlice<Float>) -> Bool {
        let isAdded = waiting.wait { state -> Bool? in
            guard state.count < most || state.isAbandoned else { return nil }
            if !state.isAbandoned { state.add(frames) }
            return !state.isAbandoned
        }
        wakeUp.signal()
        return isAdded ?? false
    }

    /// Stops the consumer and drops the queued frames.
    package func abandon() {
        let dropped = waiting.update { state in
            state.isAbandoned = true
            return state.drop()
        }
        onTake(dropped)
    }

    package func waits(after frame: UInt64) { waiting.update { $0.heard = max($0.heard, Int(clamping: frame)) } }

    /// The number of frames that the consumer has processed.
    package var heard: Int { waiting.read { $0.heard } }

    /// Blocks until the consumer has processed `frames` frames or has stopped.
    ///
    /// - Returns: false if the timeout expires.
    package func waitUntilProcessed(_ frames: Int, within limit: Duration) -> Bool {
        waiting.wait(timeout: limit) { $0.heard >= frames || $0.isAbandoned ? true : nil } ?? false
    }

    package func end() {
        waiting.update { $0.isEnded = true }
        wakeUp.signal()
    }

    package func next(most: Int) -> RecognizerInput {
        wakeUp.clear()
        let (next, count) = waiting.update { state -> (RecognizerInput, Int) in
            if state.count == 0 { return (state.isEnded ? .ended : .nothing, 0) }
            let taken = state.take(most: most)
            if state.count > 0 || state.isEnded { wakeUp.signal() }
            return (.frames(taken), taken.count)
        }
        onTake(count)
        return next
    }
}
