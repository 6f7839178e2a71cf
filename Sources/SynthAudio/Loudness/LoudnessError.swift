/// Why loudness could not be measured.
package enum LoudnessError: Error, Sendable, Hashable {
    /// The library that measures does not load; `reason` is the loader's, nil = it lacks a function.
    case libraryNotLoaded(library: String, reason: String?)
    /// `LoudnessMeter.supports` is false for it.
    case formatUnusable(AudioFormat)
    /// A sample is infinite or not a number.
    case notFinite
    /// The library has no memory.
    case noMemory
}
