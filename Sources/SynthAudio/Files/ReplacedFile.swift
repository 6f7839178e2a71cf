import Synchronization
package import SynthSystem

/// A file that is written sequentially and appears at its path when it is finished. Until then, an existing file is
/// unchanged. If writing is stopped early, the incomplete file is saved next to the existing file under an unused name.
/// Anything other than a regular file is written in place.
///
/// A single thread calls `begin`, `write` and `finish`, in this order; any thread can call `stop`.
package final class ReplacedFile: Sendable {
    private struct State: ~Copyable {
        /// The output, or nil before `begin`, after an error and after `finish`.
        var output: DescribedDestination?
    }

    private let target: OutputTarget
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter inUse: files that must not be replaced.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) {
        target = OutputTarget(path: path, sparing: inUse)
    }

    /// Opens the file. Opening a FIFO blocks until it has a reader or `stop` is called.
    ///
    /// - Throws: the same errors as `OutputDescriptor`, and `noDescriptor`. In that case, an existing file is
    ///   unchanged.
    package func begin() throws(AudioError) {
        try signal.check()
        try state.withLock { (state) throws(AudioError) in
            guard let output = try target.open(until: signal) else { return }
            state.output = DescribedDestination(output, until: signal)
        }
    }

    /// Writes bytes. Does nothing after an error. After `stop`, writes nothing to a pipe.
    ///
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    package func write(_ bytes: [UInt8]) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                _ = try state.output?.write(bytes, unit: 1)
            } catch {
                state.output = nil
                throw error
            }
        }
    }

    /// Completes the file, which then appears at its path.
    ///
    /// - Returns: the path of the file, or nil if there is none.
    /// - Throws: `outputNotWritten`, `outputNotCreated`, `outputInUse`.
    @discardableResult
    package func finish(_ ending: FileEnding = .whole) throws(AudioError) -> String? {
        try state.withLock { (state) throws(AudioError) in
            defer { state.output = nil }
            state.output?.ending = ending
            try state.output?.close()
            return state.output?.storedPath
        }
    }

    /// Makes a blocked `begin` or `write` return soon.
    package func stop() { signal.raise() }
}
