import Glibc
import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// Finds the start and end of speech with a voice activity detector. The finder waits for the detector's result for
/// each piece of audio before it accepts the next one, so results do not depend on the machine's speed. If there is no
/// detector, or if it fails or hangs, speech is detected by loudness. Not thread-safe.
final class SpeechFinder {
    private struct Results {
        var events: [EnergyDetector.Event] = []
        /// Whether the lane has finished or failed.
        var isOver = false
        var failure: EngineFailure?
        /// Whether further results of the lane are ignored.
        var isLeft = false
    }
    private var energy: EnergyDetector
    private let lane: (any RecognitionLane)?
    private let sound: IncomingFrames?
    private let detectorTimeout: Duration
    private let onFailure: (EngineFailure?) -> Void
    private let results = Monitor(Results())
    /// The number of processed frames.
    private var position = 0
    private var isSpeech = false
    /// Whether the detector's lane is in use.
    private var isByLane: Bool
    private let isStarted: Bool

    /// - Parameters:
    ///   - lane: the lane of a detector for the sample rate `rate`, or nil for none.
    ///   - detectorTimeout: how long to wait for the detector. No audio is read during that time.
    ///   - onFailure: called at most once, on the calling thread, when loudness detection replaces the detector. The failure is
    ///     nil if the detector did not respond.
    init(
        rate: Int, _ lane: (any RecognitionLane)?, detectorTimeout: Duration = .seconds(5),
        onFailure: @escaping (EngineFailure?) -> Void = { _ in }
    ) {
        energy = EnergyDetector(rate: rate)
        (self.detectorTimeout, self.onFailure) = (detectorTimeout, onFailure)
        let sound = lane.flatMap { _ in try? IncomingFrames() }
        (self.lane, self.sound) = (lane, sound)
        guard let lane, let sound else {
            (isByLane, isStarted) = (false, false)
            return
        }
        let results = results
        isStarted = startThread("detector") {
            var request = RecognitionJob()
            (request.isLive, request.wants) = (true, .speechEvents)
            var failure: EngineFailure?
            do throws(EngineFailure) {
                _ = try lane.listen(request, to: sound, unless: { results.read { $0.isLeft } }) { part in
                    switch part {
                    case .speechBegins(let frame): results.update { $0.events.append(.begins(Int(clamping: frame))) }
                    case .speechEnds(let frame): results.update { $0.events.append(.ends(Int(clamping: frame))) }
                    case .text, .progress: break
                    }
                    return true
                }
            } catch {
                failure = error
            }
            let why = failure
            results.update { ($0.isOver, $0.failure) = (true, why) }
            sound.abandon()
        }
        isByLane = isStarted
    }

    /// Adds audio and waits for the detector.
    func add(_ piece: ArraySlice<Float>) -> [EnergyDetector.Event] {
        position += piece.count
        let loud = energy.add(piece)
        guard isByLane, let sound else { return noted(loud) }
        sound.add(piece)
        let isHeard = sound.waitUntilProcessed(position, within: detectorTimeout)
        let (events, isOver) = take()
        if isHeard, !isOver { return noted(events) }
        // Use loudness detection from now on.
        leave(isOver)
        var found = noted(events)
        if energy.isSpeech != isSpeech { found += noted([energy.isSpeech ? .begins(position) : .ends(position)]) }
        return found
    }

    /// Marks the end of the audio.
    func finish() -> [EnergyDetector.Event] {
        guard isByLane, let sound else { return noted([energy.finish()].compactMap(\.self)) }
        sound.end()
        leave(results.wait(timeout: detectorTimeout) { $0.isOver ? true : nil } ?? false)
        return noted(take().events) + noted(isSpeech ? [.ends(position)] : [])
    }

    /// Stops detection. Blocks until the lane is free.
    func cancel() {
        guard isStarted else { return }
        isByLane = false
        stop()
        _ = results.wait { $0.isOver ? true : nil }
    }

    /// Stops using the lane.
    ///
    /// - Parameter isOver: whether the lane has ended. If false, the lane is not responding.
    private func leave(_ isOver: Bool) {
        isByLane = false
        if isOver {
            if let failure = results.read({ $0.failure }) { onFailure(failure) }
        } else {
            stop()
            onFailure(nil)
        }
    }

    private func stop() {
        let isOver = results.update { results in
            results.isLeft = true
            return results.isOver
        }
        if isOver { return }
        sound?.end()
        lane?.cancel()
    }

    private func take() -> (events: [EnergyDetector.Event], isOver: Bool) {
        results.update { results in
            defer { results.events = [] }
            return (results.events, results.isOver)
        }
    }

    private func noted(_ events: [EnergyDetector.Event]) -> [EnergyDetector.Event] {
        for event in events { if case .begins = event { isSpeech = true } else { isSpeech = false } }
        return events
    }
}

/// Decides when to stop listening. The decision is based on the audio rather than a clock, so that listening to the
/// same audio ends at the same frame on every machine.
package struct ListeningEnd: Sendable {
    /// Why listening stops.
    package enum Reason: Equatable, Sendable {
        /// No speech started within the time limit.
        case nothingSaid
        /// Speech was followed by silence.
        case silence
        case timeout
        /// Listening was stopped, the audio ended, or the recognizer needs no more audio.
        case transcribed
    }

    private let timeout: Int
    private let inactivity: Int
    private var isSpeech = false
    private var wasSpeech = false
    private var lastSpeech = 0

    /// - Parameters:
    ///   - rate: the sample rate in hertz.
    ///   - timeout: the maximum duration of the audio in seconds.
    ///   - inactivity: the maximum silence after speech in seconds. Before speech, only the timeout applies.
    package init(rate: Int, timeout: Double, inactivity: Double) {
        let frames = { (seconds: Double) in Int(min(max(0, seconds.isNaN ? 0 : seconds * Double(rate)), 1e15)) }
        self.timeout = frames(timeout)
        self.inactivity = frames(inactivity)
    }

    package mutating func speechBegins() {
        isSpeech = true
        wasSpeech = true
    }

    /// Records the end of speech.
    ///
    /// - Parameter frame: the first frame after the speech.
    package mutating func speechEnds(at frame: Int) {
        isSpeech = false
        lastSpeech = frame
    }

    /// Returns the reason to stop at this frame, or nil to continue.
    package func reason(at frame: Int) -> Reason? {
        if frame >= timeout { return wasSpeech ? .timeout : .nothingSaid }
        return wasSpeech && !isSpeech && frame - lastSpeech >= inactivity ? .silence : nil
    }

    /// Returns the minimum number of further frames before listening can end.
    package func left(at frame: Int) -> Int {
        let end = wasSpeech && !isSpeech ? min(timeout, lastSpeech + inactivity) : timeout
        return max(0, end - frame)
    }
}

/// Measures the level of each 100 ms of audio.
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
