import CSynthEBUR128
import Glibc

/// Measures the loudness of an audio stream in constant memory. Not thread-safe.
///
/// The channel order is left, right, center, left surround, right surround. Additional channels are ignored.
package final class LoudnessMeter {
    private let format: AudioFormat
    private let functions: synth_ebur128
    private var state: UnsafeMutablePointer<ebur128_state>?
    private var peak: Float = 0

    /// Whether audio in this format can be measured. The K-weighting filters extend to 1.7 kHz, so the sample rate must
    /// be at least 4 kHz.
    package static func supports(_ format: AudioFormat) -> Bool { format.isUsable && format.sampleRate >= 4_000 }

    /// The name of the loudness library.
    package static let library = "libebur128.so.1"

    /// Loads the loudness library in advance. Otherwise, the first meter loads it.
    ///
    /// - Throws: `notMeasured` with `libraryNotLoaded`.
    package static func loadLibrary() throws(AudioError) { _ = try LoudnessLibrary.ofMachine() }

    /// - Throws: `notMeasured` with `libraryNotLoaded`, `formatUnusable`, `noMemory`.
    package convenience init(format: AudioFormat) throws(AudioError) {
        try self.init(format: format, library: try .ofMachine())
    }

    init(format: AudioFormat, library: LoudnessLibrary) throws(AudioError) {
        guard Self.supports(format) else { throw .notMeasured(.formatUnusable(format)) }
        self.format = format
        functions = library.functions
        // A histogram uses constant memory for audio of any length. Its step is 0.1 LU, so results have an error of up to
        // 0.05 LU.
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
        state = functions.`init`(UInt32(format.channels), UInt(format.sampleRate), Int32(mode))
        guard state != nil else { throw .notMeasured(.noMemory) }
    }

    deinit { functions.destroy(&state) }

    /// Adds audio to the measurement.
    ///
    /// - Parameter samples: interleaved samples of complete frames. An incomplete last frame is dropped.
    /// - Throws: `notMeasured` with `notFinite` or `noMemory`. The meter must not be used afterwards.
    package func add(_ samples: [Float]) throws(AudioError) {
        let highest = samples.reduce(into: Float(0)) { highest, sample in
            // After a NaN sample, the result remains NaN.
            highest = sample.isNaN ? .nan : Swift.max(highest, abs(sample))
        }
        guard highest.isFinite else { throw .notMeasured(.notFinite) }
        peak = max(peak, highest)
        guard functions.add_frames(state, samples, samples.count / format.channels) == EBUR128_SUCCESS.rawValue else {
            throw .notMeasured(.noMemory)
        }
    }

    /// The loudness of all added audio, or nil if the audio is shorter than 0.4 s or never exceeds -70 LUFS.
    package var loudness: Loudness? {
        var integrated = 0.0
        guard functions.integrated(state, &integrated) == EBUR128_SUCCESS.rawValue, integrated.isFinite, peak > 0
        else { return nil }
        return Loudness(integrated: integrated, peak: Decibels(amplitude: Double(peak)))
    }
}

/// The loudness and peak of an audio stream.
package struct Loudness: Sendable, Equatable {
    /// The integrated loudness according to EBU R 128 and ITU-R BS.1770-4, in LUFS. Always finite. Pauses are excluded.
    package let integrated: Double
    /// The peak sample value.
    package let peak: Decibels

    package init(integrated: Double, peak: Decibels) {
        self.integrated = integrated
        self.peak = peak
    }
}

/// The libebur128 library, which is loaded on first use and never unloaded.
struct LoudnessLibrary: Sendable {
    let functions: synth_ebur128

    private static let shared = Result { () throws(AudioError) in try LoudnessLibrary(name: LoudnessMeter.library) }

    /// Returns the installed library.
    ///
    /// - Throws: `notMeasured` with `libraryNotLoaded`.
    static func ofMachine() throws(AudioError) -> LoudnessLibrary { try shared.get() }

    /// - Parameter name: the library name or path that is passed to `dlopen`.
    /// - Throws: `notMeasured` with `libraryNotLoaded`.
    init(name: String) throws(AudioError) {
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw .notMeasured(.libraryNotLoaded(library: name, reason: dlerror().map { String(cString: $0) }))
        }
        var functions = synth_ebur128()
        guard synth_ebur128_find(library, &functions) else {
            throw .notMeasured(.libraryNotLoaded(library: name, reason: nil))
        }
        self.functions = functions
    }
}
