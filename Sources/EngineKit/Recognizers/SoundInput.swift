/// The sound of a request: one channel at the recognizer's rate, -1 … 1, never NaN. It cannot outlive `recognize`; all calls
/// must come from the thread that `recognize` runs on.
///
/// Every call that waits for sound throws `Stopped` once the request is to stop.
public struct SoundInput: ~Copyable {
    private let state: RecognitionState

    init(_ state: RecognitionState) { self.state = state }

    /// Frames read so far, which is the position of the next frame.
    public var frame: UInt64 { state.frame }

    /// How many frames can be read without waiting.
    public var ready: Int { state.ready }

    /// Waits for at least one frame, and returns at most `most` of them. Empty = the sound has ended.
    public func read(most: Int) throws -> [Float] {
        let most = max(most, 1)
        return try [Float](unsafeUninitializedCapacity: most) { buffer, count in
            count = try state.read(UnsafeMutableBufferPointer(rebasing: buffer[..<most]))
        }
    }

    /// Waits for at least one frame, copies as many as fit to the beginning of `frames`, and returns how many. 0 = the sound has
    /// ended, or `frames` is empty.
    public func read(into frames: inout MutableSpan<Float>) throws -> Int {
        try frames.withUnsafeMutableBufferPointer { try state.read($0) }
    }

    /// Waits for exactly `count` frames; fewer if the sound ends before, none if it has ended. What a recognizer computes from
    /// such blocks does not depend on the pieces in which the sound comes.
    public func block(_ count: Int) throws -> [Float] {
        try [Float](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            let block = UnsafeMutableBufferPointer(rebasing: buffer[..<max(count, 0)])
            while filled < block.count {
                let more = try state.read(UnsafeMutableBufferPointer(rebasing: block[filled...]))
                if more == 0 { return }
                filled += more
            }
        }
    }

    /// Waits for all that is left of the sound. `RecognizerDescription.longestSound` keeps it short.
    public func rest() throws -> [Float] {
        var frames: [Float] = []
        while true {
            let more = try read(most: max(ready, 4096))
            if more.isEmpty { return frames }
            frames += more
        }
    }
}
