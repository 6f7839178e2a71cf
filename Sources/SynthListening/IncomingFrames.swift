package import SynthEngineProcesses
package import SynthSystem

/// Sound that one thread adds while another one listens to it.
package final class IncomingFrames: HeardSound, Sendable {
    private struct State {
        /// All pieces but the last have the same length. A single array would reserve up to twice as much, and be copied as it grows.
        var pieces: [[Float]] = []
        /// The position of the next frame: a piece, and an index in it.
        var next = (piece: 0, place: 0)
        /// The number of frames that wait.
        var count = 0
        var isEnded = false
        /// Nobody listens any more.
        var isAbandoned = false
        /// So many of all frames were listened to.
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
                // Each piece is moved once or twice, however long the sound is.
                pieces.removeFirst(next.piece)
                next.piece = 0
            }
            count -= taken.count
            return taken
        }

        /// - Returns: the number of frames that waited.
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
    ///   - most: a recognizer that is further behind, in frames, is waited for.
    ///   - onTake: gets how many frames are not kept any more.
    package init(most: Int = 1 << 20, onTake: @escaping @Sendable (Int) -> Void = { _ in }) throws(Errno) {
        self.most = most
        self.onTake = onTake
        wakeUp = try WakeUp()
    }

    deinit { onTake(waiting.read { $0.count }) }

    package var arrival: Descriptor? { wakeUp.descriptor }

    /// - Returns: false if nobody listens any more.
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

    /// Ends listening, and drops the frames that wait.
    package func abandon() {
        let dropped = waiting.update { state in
            state.isAbandoned = true
            return state.drop()
        }
        onTake(dropped)
    }

    package func waits(after frame: UInt64) { waiting.update { $0.heard = max($0.heard, Int(clamping: frame)) } }

    /// The number of frames that were listened to.
    package var heard: Int { waiting.read { $0.heard } }

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
            if state.count == 0 { return (state.isEnded ? .ended : .nothing, 0) }
            let taken = state.take(most: most)
            if state.count > 0 || state.isEnded { wakeUp.signal() }
            return (.frames(taken), taken.count)
        }
        onTake(count)
        return next
    }
}
