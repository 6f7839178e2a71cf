/// Reads a speech on a thread that may block. Its end counts as a cancel. One thread uses it.
package struct SpeechReader {
    private var iterator: Speech.Iterator
    private let lease: SpeechLease
    private let listener: SpeechRun.Listener

    /// - Parameter isAwaited: somebody waits for the first sound.
    package init(_ speech: Speech, isAwaited: Bool = true) {
        lease = SpeechLease(speech.run)
        iterator = Speech.Iterator(lease: lease)
        listener = SpeechRun.Listener(isAwaited: isAwaited, isHeard: false)
    }

    /// The next parts; nil after the last, and once it was cancelled. Blocks until there are some.
    package mutating func next() throws(SpeechFailure) -> [Speech.Part]? {
        while let piece = try lease.run.take(lease, for: listener) {
            let parts = iterator.unfolded(piece)
            if !parts.isEmpty { return parts }
        }
        return nil
    }
}
