import EngineKit
import SynthInference

/// The audio of a run of the model, either complete or computed in parts.
struct PhraseSound {
    private enum Samples {
        case whole(InferenceOutput)
        case inParts(SoundInParts)
    }

    private let samples: Samples
    private let isAwaited: Bool
    /// The number of frames per ID; `nil` if the model does not return it.
    let durations: [Double]?

    /// Runs the model until the first audio is available.
    ///
    /// - Parameter isAwaited: Whether the audio should start soon, even if that increases the total time.
    init(
        _ session: InferenceSession, _ contract: PiperContract, inputs: [(name: String, tensor: InferenceTensor)],
        isAwaited: Bool, on queue: InferenceQueue, for output: borrowing SpeechOutput
    ) throws {
        self.isAwaited = isAwaited
        let names = contract.durations.map { [$0] } ?? []
        if session.runsInParts {
            let (found, sound) = try Self.run(on: queue, for: output) { run throws(InferenceError) in
                try session.runHead(inputs, outputs: names, as: run)
            }
            samples = .inParts(sound)
            durations = found.first?.doubles()
        } else {
            let found = try Self.run(on: queue, for: output) { run throws(InferenceError) in
                try session.run(inputs, outputs: [contract.audio] + names, as: run)
            }
            samples = .whole(found[0])
            durations = found.dropFirst().first?.doubles()
        }
    }

    var sampleCount: Int {
        switch samples {
        case .whole(let output): output.count
        case .inParts(let sound): sound.sampleCount
        }
    }

    /// Writes the samples. If the audio is computed in parts, writes each part as soon as it is ready.
    func write(sampleRate: Int, on queue: InferenceQueue, to output: borrowing SpeechOutput) throws {
        switch samples {
        case .whole(let whole):
            let isWritten: Void? = try whole.withFloats { samples in
                try Self.check(samples)
                try output.write(samples.span)
            }
            guard isWritten != nil else { throw PiperFailure.noNumbers }
        case .inParts(let sound):
            var plan = SoundPlan(sound, sampleRate: sampleRate, isAwaited: isAwaited)
            var begin: ContinuousClock.Instant?
            var computing = 0.0
            while let part = plan.next(sounding: begin.map(Self.seconds) ?? 0, computing: computing) {
                let start = ContinuousClock.now
                let samples = try Self.run(on: queue, for: output) { run throws(InferenceError) in
                    try sound.samples(of: part, as: run)
                }
                computing = Self.seconds(since: start)
                begin = begin ?? .now
                try samples.withUnsafeBufferPointer { try Self.check($0) }
                try output.write(samples)
            }
        }
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        (.now - start) / .seconds(1)
    }

    private static func check(_ samples: UnsafeBufferPointer<Float>) throws(EngineError) {
        guard samples.allSatisfy(\.isFinite) else { throw PiperFailure.noNumbers }
    }

    private static func run<Found: Sendable>(
        on queue: InferenceQueue, for output: borrowing SpeechOutput,
        _ body: @escaping @Sendable (InferenceRun) throws(InferenceError) -> Found
    ) throws -> Found {
        do {
            let run = try InferenceRun()
            return try output.interrupting(run.terminate) {
                try queue.run(as: run) { () throws(InferenceError) in try body(run) }
            }
        } catch let error as InferenceError {
            throw PiperFailure.of(error)
        }
    }
}
