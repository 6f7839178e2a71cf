import Glibc
import Synchronization
import SynthGraphRewriting
import SynthGraphs
public import SynthONNXRuntime

/// A test run that compares a rewritten model with the original.
public struct RewriteCheck: Sendable {
    /// The maximum difference between samples, relative to full scale.
    static let tolerance = RewriteForm.rounding

    /// The output of one variant of a model.
    struct Expected: Sendable {
        var samples: [Float]
        /// The noise to pass to a run of another variant.
        var noise: [(name: String, tensor: InferenceTensor)]
    }

    let inputs: [(name: String, tensor: InferenceTensor)]
    let output: String
    private let sampleRate: Int?

    /// - Parameters:
    ///   - inputs: The inputs for a short text. They must always produce the same samples, except for noise from ONNX's random
    ///     operators, which is copied from one variant to the other.
    ///   - output: The output that contains the samples.
    ///   - sampleRate: The sample rate; `nil` if the duration of the audio is not needed.
    public init(_ inputs: [(name: String, tensor: InferenceTensor)], output: String, sampleRate: Int? = nil) {
        self.inputs = inputs
        self.output = output
        self.sampleRate = sampleRate
    }

    /// Runs a session and returns its output.
    ///
    /// - Parameter noise: The names of outputs that contain noise.
    func expected(_ session: InferenceSession, noise: [String] = []) throws -> Expected {
        var outputs = try session.run(inputs, outputs: [output] + noise, as: try InferenceRun())
        let samples = try Self.samples(outputs.removeFirst())
        var tensors: [(name: String, tensor: InferenceTensor)] = []
        for (name, output) in zip(noise, outputs) { tensors.append((name, try output.tensor())) }
        return Expected(samples: samples, noise: tensors)
    }

    /// Returns the difference from the expected result. The audio is computed in parts if the session supports that.
    ///
    /// - Parameter session: A session whose noise is an input.
    func difference(_ expected: Expected, _ session: InferenceSession) throws -> SoundDifference {
        let inputs = inputs + expected.noise
        guard session.runsInParts else {
            let outputs = try session.run(inputs, outputs: [output], as: try InferenceRun())
            return Self.whole(expected.samples, try Self.samples(outputs[0]))
        }
        let sound = try session.runHead(inputs, outputs: [], as: try InferenceRun()).sound
        let whole = try sound.samples(of: 0..<sound.frameCount, as: try InferenceRun())
        let (first, second) = (
            Self.whole(expected.samples, whole), Self.whole(expected.samples, try Self.parts(of: sound))
        )
        return SoundDifference(largest: max(first.largest, second.largest), noise: max(first.noise, second.noise))
    }

    /// Returns a session's computing time per second of audio. This is the minimum of several runs, because other
    /// programs can only slow a run down.
    ///
    /// - Parameter limit: The computing time, in seconds, below which no more runs are measured.
    func computing(_ expected: Expected, _ session: InferenceSession, below limit: Double) throws -> Double {
        guard let sampleRate, sampleRate > 0, !expected.samples.isEmpty else { return 0 }
        let sound = Duration.seconds(Double(expected.samples.count) / Double(sampleRate))
        var best = Double.infinity
        for _ in 0..<Self.maximumTimedRuns where best >= limit {
            let start = ContinuousClock.now
            _ = try session.run(inputs + expected.noise, outputs: [output], as: try InferenceRun())
            best = min(best, (ContinuousClock.now - start) / sound)
        }
        return best
    }

    private static let maximumTimedRuns = 5

    private static func whole(_ expected: [Float], _ found: [Float]) -> SoundDifference {
        let largest = difference(expected, found)
        guard largest < .infinity else { return SoundDifference(largest: .infinity, noise: .infinity) }
        func energy(_ samples: some Sequence<Float>) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
        let differences = zip(expected, found).lazy.map { $0 - $1 }
        let share = (energy(differences) / max(energy(expected), .leastNormalMagnitude)).squareRoot()
        return SoundDifference(largest: largest, noise: Float(share))
    }

    private static func samples(_ output: InferenceOutput) throws -> [Float] {
        guard let samples = output.withFloats({ Array($0) }) else {
            throw InferenceError.refused("the model's samples are not float32")
        }
        return samples
    }

    /// Computes audio in parts.
    static func parts(of sound: SoundInParts) throws(InferenceError) -> [Float] {
        var samples: [Float] = []
        var start = 0
        // Short parts come first. Each run reuses output from the previous run.
        for count in [SoundPlan.first, 1, SoundPlan.first, .max] where start < sound.frameCount {
            let part = start..<start + min(count, sound.frameCount - start)
            samples += try sound.samples(of: part, as: try InferenceRun())
            start = part.upperBound
        }
        return samples
    }

    /// Returns the maximum difference between two signals; infinite if they differ in length, are empty, or contain
    /// non-finite samples.
    static func difference(_ first: [Float], _ second: [Float]) -> Float {
        guard first.count == second.count, !first.isEmpty else { return .infinity }
        return zip(first, second).reduce(0) {
            let difference = ($1.0 - $1.1).magnitude
            return difference.isFinite ? max($0, difference) : .infinity
        }
    }
}

/// Compares rewritten variants of a model with the original on a short sample of audio.
final class SoundComparison: Sendable {
    private let check: RewriteCheck
    /// The published model, which may be running concurrently.
    private let original: SessionStages
    /// The names of the outputs that contain the original's noise.
    private let noise: [String]
    private let runtime: InferenceRuntime
    private let threads: Int
    private let expected = Mutex<WorkResult<Result<RewriteCheck.Expected, any Error>>?>(nil)

    init(
        _ check: RewriteCheck, with original: SessionStages, noise: [String], _ runtime: InferenceRuntime, threads: Int
    ) {
        self.check = check
        self.original = original
        self.noise = noise
        self.runtime = runtime
        self.threads = threads
    }

    /// The name of the output that contains the samples.
    var output: String { check.output }

    /// Starts computing the original's audio on another thread, unless a previous call has done so. Call `end`
    /// afterward.
    func begin() {
        expected.withLock { expected in
            guard expected == nil else { return }
            expected = WorkResult { [check, original, noise, runtime, threads] in
                Result {
                    let session = try InferenceSession(
                        InferenceSession.Opened(stages: original), runtime, threads: threads, modelSize: 0)
                    return try check.expected(session, noise: noise)
                }
            }
        }
    }

    /// The result of comparing rewritten graphs with the original.
    struct Finding {
        var difference: SoundDifference
        /// The computing time, in seconds, per second of audio; 0 if not measured.
        var computing = 0.0
    }

    /// Compares the samples of rewritten graphs with the original's samples.
    ///
    /// - Parameter limit: The maximum computing time per second of audio, in seconds; `nil` skips the measurement.
    func find(_ parts: ModelParts, in entry: GraphCache.Entry, computingBelow limit: Double?) throws -> Finding {
        let graphs = 0..<parts.graphCount
        defer { for number in graphs { unlink(entry.compared(number)) } }
        let compared = try graphs.map { number in
            let (graph, copy) = (entry.rewritten(number), entry.compared(number))
            return try ModelNoise.copyWithout(graph, to: copy) ? copy : graph
        }
        // Open the session while the original may still be running.
        let rewritten = try InferenceSession(optimized: compared, parts, runtime, threads: threads)
        guard let expected = expected.withLock({ $0 }) else {
            return Finding(difference: SoundDifference(largest: .infinity, noise: .infinity))
        }
        let sound = try expected.value.get()
        var finding = Finding(difference: try check.difference(sound, rewritten))
        if let limit { finding.computing = try check.computing(sound, rewritten, below: limit) }
        return finding
    }

    /// Waits until this comparison no longer uses the original.
    func end() { _ = expected.withLock { $0 }?.value }
}
