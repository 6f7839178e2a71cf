import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthRecognizers
import SynthSystem
import Testing

@testable import SynthListening

/// Says that somebody speaks where samples are negative, some blocks after it was heard, and may fail.
private final class ScriptedDetector: HearingLane {
    private static let block = 160
    /// After so many frames it hears no more.
    private let most: Int
    /// It answers until so many frames, and whether it ends with the sound.
    private let answers: Int
    private let ends: Bool
    private let cancelled = Monitor(false)
    private let ended = Monitor(false)
    let wants = Monitor<HearingRequest.Wants>([])
    let isAlive = true

    init(most: Int = .max, answers: Int = .max, ends: Bool = true) {
        (self.most, self.answers, self.ends) = (most, answers, ends)
    }

    var isCancelled: Bool { cancelled.read { $0 } }
    var hasEnded: Bool { ended.read { $0 } }

    func cancel() { cancelled.update { $0 = true } }

    func listen(
        _ request: HearingRequest, to sound: some HeardSound, unless isStopped: () -> Bool, _ part: (HeardPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        defer { ended.update { $0 = true } }
        wants.update { $0 = request.wants }
        var (frames, isSpeech) = ([Float](), false)
        func judge(_ place: Int) {
            guard (frames[place] < 0) != isSpeech else { return }
            isSpeech.toggle()
            _ = part(isSpeech ? .speechBegins(frame: UInt64(place)) : .speechEnds(frame: UInt64(place)))
        }
        while frames.count < most, !cancelled.read({ $0 }) {
            switch sound.next(most: Self.block) {
            case .frames(let more):
                frames += more
                for place in frames.count - more.count..<frames.count { judge(place) }
            case .nothing where frames.count > answers: _ = cancelled.wait { $0 ? true : nil }
            case .nothing:
                sound.waits(after: UInt64(frames.count))
                guard let arrival = sound.arrival else { return false }
                var input = pollfd(fd: arrival.raw, events: Int16(POLLIN), revents: 0)
                _ = poll(&input, 1, -1)
            case .ended where !ends: _ = cancelled.wait { $0 ? true : nil }
            case .ended:
                if isSpeech { _ = part(.speechEnds(frame: UInt64(frames.count))) }
                return true
            }
        }
        throw EngineFailure(engine: "detector", reason: .unspeakableText)
    }
}

@Suite("Where speech begins and ends", .timeLimit(.minutes(60))) struct SpeechFinderTests {
    /// Only bounds a hang.
    private let patience = Duration.seconds(120)

    private func sound(_ lengths: [(speech: Int, silence: Int)]) -> [Float] {
        lengths.flatMap { [Float](repeating: -0.1, count: $0.speech) + [Float](repeating: 0, count: $0.silence) }
    }

    private func events(_ finder: SpeechFinder, _ sound: [Float], piece: Int) -> [EnergyDetector.Event] {
        var found: [EnergyDetector.Event] = []
        for start in stride(from: 0, to: sound.count, by: piece) {
            let end = min(sound.count, start + piece)
            let more = finder.add(sound[start..<end])
            // What is found in a part is known with it.
            for event in more {
                switch event {
                case .begins(let frame), .ends(let frame): #expect((start...end).contains(frame))
                }
            }
            found += more
        }
        return found + finder.finish()
    }

    @Test("is what a detector says, in step with the sound", arguments: [1000, 160, 77])
    func detected(piece: Int) {
        let detector = ScriptedDetector()
        let sound = sound([(0, 500), (3000, 2000), (100, 100), (400, 0)])
        let found = events(SpeechFinder(rate: 16_000, detector, patience: patience), sound, piece: piece)
        #expect(
            found == [.begins(500), .ends(3500), .begins(5500), .ends(5600), .begins(5700), .ends(6100)])
        #expect(detector.wants.read { $0 } == .speechEvents)
    }

    @Test("is told by loudness from where a detector fails") func failing() {
        var told: [EngineFailure?] = []
        let finder = SpeechFinder(rate: 16_000, ScriptedDetector(most: 4000), patience: patience) { told.append($0) }
        let found = events(finder, sound([(0, 500), (9000, 500)]), piece: 160)
        #expect(told == [EngineFailure(engine: "detector", reason: .unspeakableText)])
        // What is even is no speech by loudness.
        #expect(found.count == 2 && found[0] == .begins(500))
        if case .ends(let frame) = found[1] { #expect((4000...4160).contains(frame)) } else { Issue.record("\(found)") }
    }

    @Test("is told by loudness without a detector") func energy() {
        var made = MadeSound(3)
        made.rest(1)
        made.speak(2)
        made.rest(1)
        var energy = EnergyDetector(rate: MadeSound.rate)
        let expected = energy.add(made.samples) + [energy.finish()].compactMap(\.self)
        let finder = SpeechFinder(rate: MadeSound.rate, nil)
        var found: [EnergyDetector.Event] = []
        for start in stride(from: 0, to: made.samples.count, by: 160) {
            found += finder.add(made.samples[start..<min(made.samples.count, start + 160)])
        }
        #expect(found + finder.finish() == expected && expected.count == 2)
    }

    @Test("leaves the detector when it is cancelled") func cancelled() {
        let detector = ScriptedDetector()
        let finder = SpeechFinder(rate: 16_000, detector, patience: patience)
        #expect(finder.add(sound([(500, 0)])[...]) == [.begins(0)])
        finder.cancel()
        #expect(detector.isCancelled)
        finder.cancel()
        // By loudness from here on, in which this is no speech.
        #expect(finder.add(sound([(16_000, 0)])[...]).isEmpty && finder.finish().isEmpty)
    }

    @Test("is told by loudness once a detector hangs, which is left") func hanging() {
        let detector = ScriptedDetector(answers: 4000)
        var told: [EngineFailure?] = []
        let finder = SpeechFinder(rate: 16_000, detector, patience: .milliseconds(200)) { told.append($0) }
        let found = events(finder, sound([(0, 500), (9000, 500)]), piece: 160)
        #expect(found.count <= 2 && detector.isCancelled && told == [nil])
        // It is free when this returns.
        finder.cancel()
        #expect(detector.hasEnded)
    }

    @Test("does not wait for a detector that hangs at the end") func hangingAtLast() {
        let detector = ScriptedDetector(answers: .max, ends: false)
        var told: [EngineFailure?] = []
        let finder = SpeechFinder(rate: 16_000, detector, patience: .milliseconds(200)) { told.append($0) }
        _ = finder.add([0, 0, 0])
        _ = finder.finish()
        #expect(detector.isCancelled && told == [nil])
        finder.cancel()
        #expect(detector.hasEnded)
    }
}
