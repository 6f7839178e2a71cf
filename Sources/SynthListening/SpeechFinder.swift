import Glibc
import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// Finds where speech begins and ends by a detector, in step with the sound: what is found in a part of it is known before more is
/// listened to, on any machine. Without one, or once it fails or hangs, by loudness. One thread uses it.
final class SpeechFinder {
    private struct Told {
        var events: [EnergyDetector.Event] = []
        /// It hears no more: the sound has ended, or it failed.
        var isOver = false
        var failure: EngineFailure?
        /// Nobody waits for it any more.
        var isLeft = false
    }
    private var energy: EnergyDetector
    private let lane: (any HearingLane)?
    private let sound: IncomingFrames?
    private let patience: Duration
    private let onFailure: (EngineFailure?) -> Void
    private let told = Monitor(Told())
    /// Frames so far.
    private var place = 0
    private var isSpeech = false
    /// Whether the lane is what says so.
    private var isByLane: Bool
    private let isStarted: Bool

    /// - Parameters:
    ///   - lane: of a detector of the same rate; nil = there is none.
    ///   - patience: how long the detector is waited for: no sound is read meanwhile.
    ///   - onFailure: gets why loudness goes on in its place, at most once, on the thread that uses this; nil = it gave no answer.
    init(
        rate: Int, _ lane: (any HearingLane)?, patience: Duration = .seconds(5),
        onFailure: @escaping (EngineFailure?) -> Void = { _ in }
    ) {
        energy = EnergyDetector(rate: rate)
        (self.patience, self.onFailure) = (patience, onFailure)
        let sound = lane.flatMap { _ in try? IncomingFrames() }
        (self.lane, self.sound) = (lane, sound)
        guard let lane, let sound else {
            (isByLane, isStarted) = (false, false)
            return
        }
        let told = told
        isStarted = startThread("detector") {
            var request = HearingRequest()
            (request.isLive, request.wants) = (true, .speechEvents)
            var failure: EngineFailure?
            do throws(EngineFailure) {
                _ = try lane.listen(request, to: sound, unless: { told.read { $0.isLeft } }) { part in
                    switch part {
                    case .speechBegins(let frame): told.update { $0.events.append(.begins(Int(clamping: frame))) }
                    case .speechEnds(let frame): told.update { $0.events.append(.ends(Int(clamping: frame))) }
                    case .text, .progress: break
                    }
                    return true
                }
            } catch {
                failure = error
            }
            let why = failure
            told.update { ($0.isOver, $0.failure) = (true, why) }
            sound.abandon()
        }
        isByLane = isStarted
    }

    /// Takes more of the sound, and waits for the detector.
    func add(_ piece: ArraySlice<Float>) -> [EnergyDetector.Event] {
        place += piece.count
        let loud = energy.add(piece)
        guard isByLane, let sound else { return noted(loud) }
        sound.add(piece)
        let isHeard = sound.waitUntilHeard(place, within: patience)
        let (events, isOver) = take()
        if isHeard, !isOver { return noted(events) }
        // Loudness goes on from here.
        leave(isOver)
        var found = noted(events)
        if energy.isSpeech != isSpeech { found += noted([energy.isSpeech ? .begins(place) : .ends(place)]) }
        return found
    }

    /// The sound has ended.
    func finish() -> [EnergyDetector.Event] {
        guard isByLane, let sound else { return noted([energy.finish()].compactMap(\.self)) }
        sound.end()
        leave(told.wait(timeout: patience) { $0.isOver ? true : nil } ?? false)
        return noted(take().events) + noted(isSpeech ? [.ends(place)] : [])
    }

    /// Nothing more is heard. Returns when the lane is free.
    func cancel() {
        guard isStarted else { return }
        isByLane = false
        stop()
        _ = told.wait { $0.isOver ? true : nil }
    }

    /// What the lane says does not count any more.
    ///
    /// - Parameter isOver: whether it has ended; else it hangs.
    private func leave(_ isOver: Bool) {
        isByLane = false
        if isOver {
            if let failure = told.read({ $0.failure }) { onFailure(failure) }
        } else {
            stop()
            onFailure(nil)
        }
    }

    private func stop() {
        let isOver = told.update { told in
            told.isLeft = true
            return told.isOver
        }
        if isOver { return }
        sound?.end()
        lane?.cancel()
    }

    private func take() -> (events: [EnergyDetector.Event], isOver: Bool) {
        told.update { told in
            defer { told.events = [] }
            return (told.events, told.isOver)
        }
    }

    private func noted(_ events: [EnergyDetector.Event]) -> [EnergyDetector.Event] {
        for event in events { if case .begins = event { isSpeech = true } else { isSpeech = false } }
        return events
    }
}

/// Decides when listening is over, by what is heard and not by a clock: the same sound ends at the same frame on any machine.
package struct ListeningEnd: Sendable {
    package enum Reason: Equatable, Sendable {
        /// Nobody spoke for as long as is waited for speech to begin.
        case nothingSaid
        /// Nobody spoke any more.
        case silence
        /// It took as long as it may.
        case timeout
        /// The recognizer needed no more.
        case understood
    }

    private let timeout: Int
    private let inactivity: Int
    private var isSpeech = false
    private var wasSpeech = false
    private var lastSpeech = 0

    /// - Parameters:
    ///   - rate: of the sound, in hertz.
    ///   - timeout: the longest sound, in seconds.
    ///   - inactivity: the longest silence after speech, in seconds. Before speech the time-out alone counts.
    package init(rate: Int, timeout: Double, inactivity: Double) {
        let frames = { (seconds: Double) in Int(min(max(0, seconds.isNaN ? 0 : seconds * Double(rate)), 1e15)) }
        self.timeout = frames(timeout)
        self.inactivity = frames(inactivity)
    }

    package mutating func speechBegins() {
        isSpeech = true
        wasSpeech = true
    }

    /// - Parameter frame: the frame after its last.
    package mutating func speechEnds(at frame: Int) {
        isSpeech = false
        lastSpeech = frame
    }

    /// Whether it is over after so many frames; nil = not yet.
    package func reason(at frame: Int) -> Reason? {
        if frame >= timeout { return wasSpeech ? .timeout : .nothingSaid }
        return wasSpeech && !isSpeech && frame - lastSpeech >= inactivity ? .silence : nil
    }

    /// So many more frames may come before it can be over.
    package func left(at frame: Int) -> Int {
        let end = wasSpeech && !isSpeech ? min(timeout, lastSpeech + inactivity) : timeout
        return max(0, end - frame)
    }
}

/// The level of each tenth of a second.
struct LevelMeter {
    private let block: Int
    private var count = 0
    private var power: Float = 0

    init(rate: Int) { block = max(1, rate / 10) }

    mutating func add(_ samples: ArraySlice<Float>) -> Decibels? {
        power = samples.reduce(power) { $0 + $1 * $1 }
        count += samples.count
        guard count >= block else { return nil }
        defer { (count, power) = (0, 0) }
        return Decibels(amplitude: max(1e-5, Double((power / Float(count)).squareRoot())))
    }
}
