import Engines
import EngineWire

/// A lane whose utterances are counted.
final class CountedLane: SpeakingLane {
    private let lane: any SpeakingLane
    private let counters: ServiceCounters

    init(_ lane: any SpeakingLane, _ counters: ServiceCounters) {
        self.lane = lane
        self.counters = counters
    }

    var isAlive: Bool { lane.isAlive }

    func cancel() { lane.cancel() }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        try speak(request, unless: isStopped, whileReplaceable: { false }, part)
    }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let begin = ContinuousClock.now
        var taking = Duration.zero
        var (frames, rate, channels) = (0, 1, 1)
        var outcome = ServiceCounters.Outcome.failed
        defer {
            counters.utteranceEnds(
                outcome, sound: .seconds(Double(frames) / Double(rate)), work: .now - begin - taking)
        }
        let isSpoken = try lane.speak(request, unless: isStopped, whileReplaceable: isReplaceable) { piece in
            switch piece {
            case .begin(let sampleRate, let count): (rate, channels) = (max(sampleRate, 1), max(count, 1))
            case .audio(let samples): frames += samples.count / channels
            case .event: break
            }
            // Whoever takes the sound may block.
            let start = ContinuousClock.now
            defer { taking += .now - start }
            return part(piece)
        }
        outcome = isSpoken ? .spoken : .cancelled
        return isSpoken
    }
}
