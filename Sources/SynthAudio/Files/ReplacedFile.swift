import Synchronization
package import SynthSystem

/// A file of bytes in order that gets its name when it is finished. Until then a file of that name stays as it was; one
/// that ends early gets a free name beside it. What is not a regular file is written at once.
///
/// One thread calls `begin`, `write` and `finish`, in this order; any thread may call `stop`.
package final class ReplacedFile: Sendable {
    private struct State: ~Copyable {
        /// nil before `begin`, after an error and after `finish`.
        var output: OutputDescriptor?
    }

    private let target: OutputTarget
    private let signal = StopSignal()
    private let state = Mutex(State())

    /// - Parameter inUse: files that it does not replace.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) {
        target = OutputTarget(path: path, sparing: inUse)
    }

    /// Opens it. Blocks on a FIFO without a reader, until `stop` at the latest.
    ///
    /// - Throws: what `OutputDescriptor` throws, `noDescriptor`; an existing file is then unchanged.
    package func begin() throws(AudioError) {
        try signal.check()
        try state.withLock { (state) throws(AudioError) in
            state.output = try target.open(until: signal)
        }
    }

    /// Does nothing after an error. A pipe takes nothing more after `stop`.
    ///
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    package func write(_ bytes: [UInt8]) throws(AudioError) {
        try state.withLock { (state) throws(AudioError) in
            do throws(AudioError) {
                _ = try state.output?.write(bytes, unit: 1, until: signal)
            } catch {
                state.output = nil
                throw error
            }
        }
    }

    /// Gives it its name.
    ///
    /// - Returns: the path of the file; nil = there is none.
    /// - Throws: `outputNotWritten`, `outputNotCreated`, `outputInUse`.
    @discardableResult
    package func finish(_ ending: FileEnding = .whole) throws(AudioError) -> String? {
        try state.withLock { (state) throws(AudioError) in
            defer { state.output = nil }
            return try state.output?.close(ending) ?? nil
        }
    }

    /// A `begin` or `write` that blocks returns soon.
    package func stop() { signal.raise() }
}
