import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// Sends random requests to a recognizer and stops some of them. The same seed generates the same audio, requests and
/// stop points.
struct RecognizerFuzz {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    /// The number of requests in a chunk. It is low because recognizers are slow, and does not depend on the run time
    /// so that a chunk contains the same requests on every machine.
    private static let requestCount = 6

    func run(on subject: Subject) throws -> CheckFinding {
        let session = try RecognitionSession(subject)
        var generator = ProbeGenerator(seed: seed)
        var done = 0
        while done < Self.requestCount {
            let sound = Self.sound(session.rate, using: &generator)
            var request = session.request(
                wants: RecognitionJob.Wants(rawValue: UInt32.random(in: 0...7, using: &generator)),
                hints: Self.hints(using: &generator))
            request.isLive = Bool.random(using: &generator)
            request.isTranslated = Int.random(in: 0...9, using: &generator) == 0
            let isFound = session.can(SYNTH_CAN_DETECT_LANGUAGE)
            if isFound, Int.random(in: 0...9, using: &generator) == 0 { request.language = nil }
            let pieces = [1, 7, 64, 160, 1000, 4096, Int.max]
            let piece = pieces[Int.random(in: pieces.indices, using: &generator)]
            // To save time, stop early if the recognizer reads long audio frame by frame.
            let stopAt =
                Bool.random(using: &generator) || piece == 1 ? Int.random(in: 1...60, using: &generator) : .max
            let way = Int.random(in: 0...2, using: &generator)
            let (lane, serial) = (session.lane, request.serial)
            var hasCancelled = false
            let record = RecognitionRecord(sound, piece: piece) { record, _ in
                guard record.calls >= stopAt else { return true }
                if way > 0, !hasCancelled {
                    hasCancelled = true
                    lane.cancel(serial)
                }
                // If `way` is 2, only the cancellation stops the recognizer, unless it makes 20 more calls.
                return way == 2 && record.calls < stopAt + 20
            }
            try expectValid(session.listen(record, request))
            done += 1
        }
        session.close()
        return .passed("Random requests: \(done).", [Measurement("requests", Double(done))])
    }

    private func expectValid(_ result: RecognitionResult) throws {
        let record = result.record
        let name = record.name.prefix(1).uppercased() + record.name.dropFirst()
        guard [SYNTH_OK, SYNTH_BAD_REQUEST, SYNTH_CANCELLED].contains(result.status) else {
            throw CheckFinding.failed("\(name) returned \(result.words).")
        }
        guard record.callsAfterStop == 0 else {
            throw CheckFinding.failed("\(name) continued after the host returned false.")
        }
        guard !record.isStopped || result.status == SYNTH_CANCELLED else {
            throw CheckFinding.failed("\(name) returned \(result.words) after the host returned false.")
        }
        guard record.strayCalls == 0 else {
            throw CheckFinding.failed("\(name) made it call the host from another thread.")
        }
        if let fault = record.faults.values.first { throw CheckFinding.failed("\(name): it \(fault).") }
    }

    /// Returns a sequence of tones, noise, silence, clicks and constants with random lengths and levels. The sequence
    /// is two seconds long on average.
    private static func sound(_ rate: Int, using generator: inout ProbeGenerator) -> ProbeSound {
        var samples: [Float] = []
        let parts = Int.random(in: 0...6, using: &generator)
        for _ in 0..<parts {
            let seconds = Double.random(in: 0...1.3, using: &generator)
            let level = Float.random(in: 0...1, using: &generator)
            let count = Int(seconds * Double(rate))
            switch Int.random(in: 0...5, using: &generator) {
            case 0, 1:
                let pitch = Double.random(in: 60...900, using: &generator)
                samples += ProbeSound.voice(seconds, rate, pitch: pitch).map { max(-1, min(1, $0 * level * 3)) }
            case 2: for _ in 0..<count { samples.append(Float.random(in: -1...1, using: &generator) * level) }
            case 3: samples += ProbeSound.silence(seconds, rate)
            case 4: samples += [Float](repeating: Bool.random(using: &generator) ? level : -level, count: count)
            default: samples += (0..<count).map { $0 % 997 == 0 ? 1 : -level * 1e-38 }
            }
        }
        let length = (Double(samples.count) / Double(rate)).short
        return ProbeSound(name: "random audio of \(length) s in \(parts) parts", samples: samples)
    }

    private static func hints(using generator: inout ProbeGenerator) -> RecognitionJobHints {
        let kind = RecognitionJobHints.Kind(rawValue: UInt8.random(in: 0...2, using: &generator)) ?? .text
        let count = Int.random(in: 0...3, using: &generator) == 0 ? Int.random(in: 0...40, using: &generator) : 0
        return RecognitionJobHints(
            kind, context: Bool.random(using: &generator) ? FuzzText.make(using: &generator) : nil,
            phrases: (0..<count).map { _ in FuzzText.make(using: &generator) })
    }
}
