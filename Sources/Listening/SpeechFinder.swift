import EngineProcesses
import EngineWire
import Recognizers
import System

/// Finds where speech begins and ends by a detector, in step with the sound: what is found in a part of it is known before more is
/// listened to, on any machine. Without one, or once it fails, by loudness. One thread uses it.
final class SpeechFinder {
    private struct Told {
        var events: [EnergyDetector.Event] = []
        /// It hears no more: the sound has ended, or it failed.
        var isOver = false
    }
    private var energy: EnergyDetector
    private let lane: (any HearingLane)?
    private let sound: IncomingFrames?
    private let told = Monitor(Told())
    /// Frames so far.
    private var place = 0
    private var isSpeech = false
    /// Whether the lane is what says so.
    private var isByLane: Bool

    /// - Parameter lane: of a detector of the same rate; nil = there is none.
    init(rate: Int, _ lane: (any HearingLane)?) {
        energy = EnergyDetector(rate: rate)
        let sound = lane.flatMap { _ in try? IncomingFrames() }
        (self.lane, self.sound) = (lane, sound)
        isByLane = false
        guard let lane, let sound else { return }
        let told = told
        isByLane = startThread("detector") {
            var request = HearingRequest()
            (request.isLive, request.wants) = (true, .speechEvents)
            // What failed is over, as far as it is heard here.
            _ = try? lane.listen(request, to: sound) { part in
                switch part {
                case .speechBegins(let frame): told.update { $0.events.append(.begins(Int(clamping: frame))) }
                case .speechEnds(let frame): told.update { $0.events.append(.ends(Int(clamping: frame))) }
                case .text, .progress: break
                }
                return true
            }
            told.update { $0.isOver = true }
            sound.abandon()
        }
    }

    /// Takes more of the sound, and waits for the detector.
    func add(_ piece: ArraySlice<Float>) -> [EnergyDetector.Event] {
        place += piece.count
        let loud = energy.add(piece)
        guard isByLane, let sound else { return noted(loud) }
        sound.add(piece)
        sound.waitUntilHeard(place)
        let (events, isOver) = take()
        guard isOver else { return noted(events) }
        // Loudness goes on from here.
        isByLane = false
        var found = noted(events)
        if energy.isSpeech != isSpeech { found += noted([energy.isSpeech ? .begins(place) : .ends(place)]) }
        return found
    }

    /// The sound has ended.
    func finish() -> [EnergyDetector.Event] {
        guard isByLane, let sound else { return noted([energy.finish()].compactMap(\.self)) }
        sound.end()
        _ = told.wait { $0.isOver ? true : nil }
        isByLane = false
        return noted(take().events) + noted(isSpeech ? [.ends(place)] : [])
    }

    /// Nothing more is heard. Returns when the lane is free.
    func cancel() {
        guard isByLane else { return }
        isByLane = false
        sound?.end()
        lane?.cancel()
        _ = told.wait { $0.isOver ? true : nil }
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
