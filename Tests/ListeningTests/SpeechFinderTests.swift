import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing

@testable import SynthListening

/// A detector that reports speech at negative samples, but a few blocks late, and that may fail.
private final class ScriptedDetector: RecognitionLane {
    private static let block = 160
    /// The number of frames after which the detector fails.
    private let most: Int
    /// The number of frames after which the detector stops responding.
    private let answers: Int
    /// Whether the detector ends when the audio ends.
    private let ends: Bool
    private let cancelled = Monitor(false)
    private let ended = Monitor(false)
    let wants = Monitor<RecognitionJob.Wants>([])
    let isAlive = true

    init(most: Int = .max, answers: Int = .max, ends: Bool = true) {
        (self.most, self.answers, self.ends) = (most, answers, ends)
    }

    var isCancelled: Bool { cancelled.read { $0 } }
    var hasEnded: Bool { ended.read { $0 } }

    func cancel() { cancelled.update { $0 = true } }

    func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
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

@Suite("Finding speech in live audio", .timeLimit(.minutes(60))) struct SpeechFinderTests {
    /// The time limit ends a test that hangs.
    private let detectorTimeout = Duration.seconds(120)

    private func sound(_ lengths: [(speech: Int, silence: Int)]) -> [Float] {
        lengths.flatMap { [Float](repeating: -0.1, count: $0.speech) + [Float](repeating: 0, count: $0.silence) }
    }

    private func events(_ finder: SpeechFinder, _ sound: [Float], piece: Int) -> [EnergyDetector.Event] {
        var found: [EnergyDetector.Event] = []
        for start in stride(from: 0, to: sound.count, by: piece) {
            let end = min(sound.count, start + piece)
            let more = finder.add(sound[start..<end])
            // Events in a chunk are returned when the chunk is added.
            for event in more {
                switch event {
                case .begins(let frame), .ends(let frame): #expect((start...end).contains(frame))
                }
            }
            found += more
        }
        return found + finder.finish()
    }

    @Test("The detector's events are returned along with the audio that contains them", arguments: [1000, 160, 77])
    func detected(piece: Int) {
        let detector = ScriptedDetector()
        let sound = sound([(0, 500), (3000, 2000), (100, 100), (400, 0)])
        let found = events(SpeechFinder(rate: 16_000, detector, detectorTimeout: detectorTimeout), sound, piece: piece)
        #expect(
            found == [.begins(500), .ends(3500), .begins(5500), .ends(5600), .begins(5700), .ends(6100)])
        #expect(detector.wants.read { $0 } == .speechEvents)
    }

    @Test("After a detector fails, loudness is used instead") func failing() {
        var told: [EngineFailure?] = []
        let finder = SpeechFinder(rate: 16_000, ScriptedDetector(most: 4000), detectorTimeout: detectorTimeout) {
            told.append($0)
        }
        let found = events(finder, sound([(0, 500), (9000, 500)]), piece: 160)
        #expect(told == [EngineFailure(engine: "detector", reason: .unspeakableText)])
        // Audio at a constant level is not speech.
        #expect(found.count == 2 && found[0] == .begins(500))
        if case .ends(let frame) = found[1] { #expect((4000...4160).contains(frame)) } else { Issue.record("\(found)") }
    }

    @Test("Without a detector, loudness is used") func energy() {
        var made = GeneratedAudio(3)
        made.rest(1)
        made.speak(2)
        made.rest(1)
        var energy = EnergyDetector(rate: GeneratedAudio.rate)
        let expected = energy.add(made.samples) + [energy.finish()].compactMap(\.self)
        let finder = SpeechFinder(rate: GeneratedAudio.rate, nil)
        var found: [EnergyDetector.Event] = []
        for start in stride(from: 0, to: made.samples.count, by: 160) {
            found += finder.add(made.samples[start..<min(made.samples.count, start + 160)])
        }
        #expect(found + finder.finish() == expected && expected.count == 2)
    }

    @Test("Cancelling the finder releases the detector") func cancelled() {
        let detector = ScriptedDetector()
        let finder = SpeechFinder(rate: 16_000, detector, detectorTimeout: detectorTimeout)
        #expect(finder.add(sound([(500, 0)])[...]) == [.begins(0)])
        finder.cancel()
        #expect(detector.isCancelled)
        finder.cancel()
        // After the cancellation, speech is detected by loudness, and none is found in this audio.
        #expect(finder.add(sound([(16_000, 0)])[...]).isEmpty && finder.finish().isEmpty)
    }

    @Test("A detector that hangs is abandoned, and loudness is used instead") func hanging() {
        let detector = ScriptedDetector(answers: 4000)
        var told: [EngineFailure?] = []
        let finder = SpeechFinder(rate: 16_000, detector, detectorTimeout: .milliseconds(200)) { told.append($0) }
        let found = events(finder, sound([(0, 500), (9000, 500)]), piece: 160)
        #expect(found.count <= 2 && detector.isCancelled && told == [nil])
        // When `cancel` returns, the detector is free.
        finder.cancel()
        #expect(detector.hasEnded)
    }

    @Test("When the audio ends, the finder does not wait for a detector that hangs") func hangingAtLast() {
        let detector = ScriptedDetector(answers: .max, ends: false)
        var told: [EngineFailure?] = []
        let finder = SpeechFinder(rate: 16_000, detector, detectorTimeout: .milliseconds(200)) { told.append($0) }
        _ = finder.add([0, 0, 0])
        _ = finder.finish()
        #expect(detector.isCancelled && told == [nil])
        finder.cancel()
        #expect(detector.hasEnded)
    }
}

@Suite("Live audio that has passed through a speech gate", .timeLimit(.minutes(60))) struct GatedSoundTests {
    private static let rate = 16_000
    /// Speech, which consists of negative samples, between two segments of other loud audio.
    private static let sound =
        [Float](repeating: 0.1, count: 2 * rate) + [Float](repeating: -0.1, count: rate)
        + [Float](repeating: 0.1, count: 2 * rate)

    private static func passed(_ gated: GatedSound) -> [Float] {
        var passed: [Float] = []
        while case .frames(let more) = gated.next(most: 700) { passed += more }
        return passed
    }

    @Test("Audio outside speech is silenced, and nothing else is delayed")
    func passes() throws {
        let incoming = try IncomingFrames()
        let gated = GatedSound(
            incoming, rate: Self.rate, SpeechGate(takeDetector: { ScriptedDetector() }, release: { _ in }))
        var passed: [Float] = []
        for start in stride(from: 0, to: Self.sound.count, by: 800) {
            incoming.add(Self.sound[start..<start + 800])
            let before = passed.count
            passed += Self.passed(gated)
            let isSpeech = (2 * Self.rate..<3 * Self.rate).contains(start)
            let late = min(start + 800, isSpeech ? 0 : Self.rate / 2)
            // Speech passes without delay.
            #expect(passed.count == max(before, start + 800 - late), "\(start)")
            if start == Self.rate {
                // Text recognized in noise is dropped.
                #expect(gated.bounded(RecognizedText("you", isFinal: false, frames: 0..<8000)) == nil)
                #expect(gated.bounded(RecognizedText("Thank you.", frames: 0..<8000)) == nil)
            }
            if isSpeech, start > 2 * Self.rate {
                let partial = RecognizedText("real", isFinal: false, stable: 0, frames: 0..<UInt64(start))
                #expect(gated.bounded(partial) == partial)
            }
        }
        incoming.end()
        passed += Self.passed(gated)
        #expect(gated.next(most: 1) == .ended && passed.count == Self.sound.count)
        let margin = Self.rate * 2 / 5
        #expect(passed[..<(2 * Self.rate - margin)].allSatisfy { $0 == 0 })
        #expect(passed[2 * Self.rate..<3 * Self.rate].allSatisfy { $0 == -0.1 })
        #expect(passed[(3 * Self.rate + margin)...].allSatisfy { $0 == 0 })
        let told = gated.bounded(RecognizedText("real words", frames: 0..<UInt64(Self.sound.count)))
        #expect((told?.frames.lowerBound ?? 0) >= UInt64(19 * Self.rate / 10))
        #expect((told?.frames.upperBound ?? 0) <= UInt64(31 * Self.rate / 10))
        // Symbols without words are not text.
        #expect(gated.bounded(RecognizedText("♪", frames: 33_000..<34_000)) == nil)
        gated.end()
    }

    @Test("Without a detector, or after a detector fails, audio passes unchanged")
    func open() throws {
        for detector in [nil, ScriptedDetector(most: 4000)] {
            let incoming = try IncomingFrames()
            let gated = GatedSound(
                incoming, rate: Self.rate, SpeechGate(takeDetector: { detector }, release: { _ in }))
            incoming.add(Self.sound[...])
            incoming.end()
            let passed = Self.passed(gated)
            #expect(passed.count == Self.sound.count && passed[8000...].elementsEqual(Self.sound[8000...]))
            gated.end()
        }
    }

    @Test("Unlikely text in a brief utterance is dropped")
    func brief() throws {
        for (seconds, confidence, isKept) in [(1.0, 0.3, false), (1.0, 0.8, true), (3.0, 0.3, true)] {
            let incoming = try IncomingFrames()
            incoming.add(ArraySlice([Float](repeating: 0.1, count: Int(seconds * Double(Self.rate)))))
            incoming.end()
            let gated = GatedSound(incoming, rate: Self.rate, nil, silence: Self.rate * 9 / 10)
            _ = Self.passed(gated)
            let text = RecognizedText("You", frames: 0..<1000, confidence: Float(confidence))
            #expect((gated.bounded(text) != nil) == isKept)
            // Text that has been reported as stable is kept, even if it is unlikely.
            _ = gated.bounded(RecognizedText("You", isFinal: false, stable: 3, frames: 0..<1000))
            #expect(gated.bounded(text)?.text == "You" && (gated.bounded(text) != nil) == isKept)
        }
    }
}
