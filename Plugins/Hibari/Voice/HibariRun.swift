import CSynthHibari
import EngineKit

/// The workspace of one lane. It computes one run of symbols at a time.
package final class HibariRun {
    static let sampleRate = Int(HB_RATE)
    /// The number of samples per frame of 12.5 ms.
    static let frameLength = Int(HB_HOP)
    /// The number of samples per duration unit of 25 ms.
    static let unitLength = frameLength * Int(HB_UNIT_FRAMES)
    /// The maximum duration of a symbol, in units.
    static let longestDuration = Int(HB_MAX_UNITS)

    private let model: HibariWeights
    let pointer: OpaquePointer
    private var symbolCount = 0

    package init(_ model: HibariWeights) throws {
        var problem = hb_error()
        guard let run = hb_run_create(model.pointer, &problem) else {
            throw EngineError(.outOfMemory, HibariWeights.message(of: problem))
        }
        self.model = model
        pointer = run
    }

    deinit { hb_run_free(pointer) }

    /// Computes the duration of each symbol, in units of 25 ms.
    ///
    /// - Parameters:
    ///   - symbols: The symbol IDs, including the pads at both ends.
    ///   - seed: The noise seed. The same symbols and seed always produce the same samples.
    ///   - pitch: A factor for the fundamental frequency; 0 makes the voice whisper.
    ///   - isAwaited: Whether a listener is waiting for the first audio. If so, a second thread helps with the
    ///     computation until this call returns.
    package func begin(_ symbols: [Int32], seed: UInt64, pitch: Float, isAwaited: Bool = false) throws -> [Int] {
        var problem = hb_error()
        symbols.withUnsafeBufferPointer { ids in
            var request = hb_request()
            hb_request_init(&request)
            request.ids = ids.baseAddress
            request.count = ids.count
            request.seed = seed
            request.pitch = pitch
            request.is_awaited = isAwaited ? 1 : 0
            _ = hb_run_begin(pointer, &request, &problem)
        }
        try check(problem)
        symbolCount = symbols.count
        return UnsafeBufferPointer(start: hb_run_durations(pointer), count: symbolCount).map(Int.init)
    }

    /// Replaces the durations returned by `begin`. Call this before reading samples.
    func set(_ durations: [Int]) throws {
        guard durations.count == symbolCount else {
            throw HibariFailure.run("The number of durations differs from the number of symbols.")
        }
        var problem = hb_error()
        _ = hb_run_set_durations(pointer, durations.map(Int32.init(clamping:)), &problem)
        try check(problem)
    }

    /// Applies a pitch curve. Call this before reading samples.
    func set(_ curve: PitchCurve) throws {
        guard case .factors(let factors) = curve.form(frames: hb_run_frames(pointer)) else { return }
        var problem = hb_error()
        _ = hb_run_set_pitch(pointer, factors, factors.count, &problem)
        try check(problem)
    }

    /// Scales the deviation of the pitch from the run's mean. Call this before reading samples; it computes the pitch
    /// of the entire run.
    ///
    /// - Parameter intonation: A factor for the deviation in log frequency; 0 is monotone.
    func set(intonation: Float) { hb_run_set_intonation(pointer, hb_run_mean_pitch(pointer), intonation) }

    /// The length of the run in samples.
    package var sampleCount: Int { hb_run_frames(pointer) * Self.frameLength }

    /// Computes the next frames and appends their samples. Returns false at the end of the run.
    ///
    /// - Parameter frames: The maximum number of frames. It does not affect the sample values.
    package func next(frames: Int, into samples: inout [Float]) throws -> Bool {
        var problem = hb_error()
        let most = max(frames, 1) * Self.frameLength
        let more = [Float](unsafeUninitializedCapacity: most) { buffer, count in
            count = hb_run_next(pointer, buffer.baseAddress, most, &problem)
        }
        try check(problem)
        samples += more
        return !more.isEmpty
    }

    private func check(_ problem: hb_error) throws {
        switch problem.code {
        case HB_OK: return
        case HB_ERROR_MEMORY: throw EngineError(.outOfMemory, HibariWeights.message(of: problem))
        case HB_ERROR_MODEL, HB_ERROR_NUMERIC:
            throw HibariFailure.model("cannot be used: \(HibariWeights.message(of: problem))")
        default: throw HibariFailure.run(HibariWeights.message(of: problem))
        }
    }
}

/// Derives a run's noise seed from its symbols and position so that identical requests produce identical samples in any
/// lane and process, unless variation is requested.
enum NoiseSeed {
    /// - Parameters:
    ///   - position: The index of the run in the request.
    ///   - variation: The request's variation. Above 1, the noise is different every time.
    static func of(_ symbols: [Int32], position: Int, variation: Float) -> UInt64 {
        guard variation <= 1 else { return .random(in: .min ... .max) }
        // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ number: UInt32) {
            for shift in stride(from: 0, to: 32, by: 8) {
                hash = (hash ^ UInt64(number >> shift & 0xFF)) &* 0x100_0000_01B3
            }
        }
        for symbol in symbols { add(UInt32(bitPattern: symbol)) }
        add(UInt32(truncatingIfNeeded: position))
        return hash
    }
}
