import Glibc
import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthListening
import SynthSystem
import Testing

@testable import SynthUserVoices

/// Reads all audio and recognizes no text. As a detector, it either reports speech from the first frame onward or
/// fails.
private final class Lane: RecognitionLane {
    enum Kind { case recognizer, detector, crashing, hanging }
    private struct State {
        var isAlive = true
        var cancels = 0
        var listenings = 0
    }
    private let kind: Kind
    private let state = Monitor(State())

    init(_ kind: Kind) { self.kind = kind }

    var isAlive: Bool { state.read { $0.isAlive } }
    var cancels: Int { state.read { $0.cancels } }
    var listenings: Int { state.read { $0.listenings } }

    func die() { state.update { $0.isAlive = false } }

    func cancel() { state.update { $0.cancels += 1 } }

    func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let before = state.update { state in
            state.listenings += 1
            return state.cancels
        }
        var count: UInt64 = 0
        while true {
            switch sound.next(most: 1600) {
            case .frames(let frames):
                if kind == .crashing {
                    die()
                    throw Self.crash
                }
                if kind == .detector, count == 0 { _ = part(.speechBegins(frame: 0)) }
                count += UInt64(frames.count)
            case .nothing:
                if kind == .hanging {
                    _ = state.wait { $0.cancels > before || isStopped() ? true : nil }
                    return false
                }
                sound.waits(after: count)
                guard let arrival = sound.arrival else { return false }
                _ = try? Poll.wait([(arrival.raw, events: POLLIN)])
            case .ended:
                if kind == .detector { _ = part(.speechEnds(frame: count)) }
                return true
            }
        }
    }

    static let crash = EngineFailure(engine: "sentry", reason: .crashed(signal: SIGSEGV, .listening))
}

/// Half a second of silence.
private struct Silence: SoundSource {
    private final class Mute: Microphone {
        private let left = Monitor(50)

        func read() throws(AudioError) -> [Float]? {
            left.update { left in
                left -= 1
                return left < 0 ? nil : [Float](repeating: 0, count: 160)
            }
        }

        func stop() { left.update { $0 = 0 } }

        func close() {}
    }

    func microphone(_ device: String, rate: UInt32) throws(AudioError) -> any Microphone { Mute() }

    func sound(of file: ClipFile, rate: UInt32, splitsChannels: Bool) throws(AudioError) -> any StoredAudio {
        throw AudioError.clip(file.path, .tooLong(limit: .zero))
    }

    func seconds(of file: ClipFile, rate: UInt32) throws(AudioError) -> Double? {
        throw AudioError.clip(file.path, .tooLong(limit: .zero))
    }
}

@Suite("Microphone transcription with a speech detector", .timeLimit(.minutes(60))) struct DetectorTests {
    /// Opens the given lanes one after another and then fails to open another.
    private final class Lanes: Sendable {
        let coming: Monitor<[Lane]>
        let opened = Monitor<[Lane]>([])

        init(_ lanes: [Lane]) { coming = Monitor(lanes) }

        func open() throws(EngineFailure) -> any RecognitionLane {
            guard let lane = coming.update({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw Lane.crash }
            opened.update { $0.append(lane) }
            return lane
        }
    }
    private enum Told: Equatable { case speech, fails(EngineFailure?) }

    private func source(_ lanes: [Lane], _ detectors: [Lane]) -> RecognizerSource {
        let (lanes, detectors) = (Lanes(lanes), Lanes(detectors))
        return RecognizerSource(
            RecognizerSource.Facts(rate: 16_000, language: "en"), from: Silence(), nil,
            openLane: { () throws(EngineFailure) in try lanes.open() },
            openDetector: { () throws(EngineFailure) in try detectors.open() })
    }

    private func listen(_ microphoneTranscription: MicrophoneTranscription, timeout: Duration = .seconds(120)) throws
        -> [Told]
    {
        let told = Monitor<[Told]>([])
        var limits = Listener.Limits()
        limits.detectorTimeout = timeout
        _ = try microphoneTranscription.listen(on: nil, limits, keepsSound: false, unless: { false }) { event in
            switch event {
            case .speechBegins: told.update { $0.append(.speech) }
            case .detectorFails(let failure): told.update { $0.append(.fails(failure)) }
            default: break
            }
        }
        return told.read { $0 }
    }

    @Test("The detector determines when speech starts and is reused") func used() throws {
        let detector = Lane(.detector)
        let source = source([Lane(.recognizer)], [detector])
        for turn in 1...2 {
            let told = try listen(source.microphoneTranscription(language: nil, expecting: .freeform))
            #expect(told == [.speech] && detector.listenings == turn)
        }
        #expect(try source.takeDetector() === detector && detector.cancels == 0)
    }

    @Test("If a detector cannot be loaded, loudness is used instead, and the cause is reported") func unusable() throws
    {
        let microphoneTranscription = source([Lane(.recognizer)], []).microphoneTranscription(
            language: nil, expecting: .freeform)
        #expect(try listen(microphoneTranscription) == [.fails(Lane.crash)])
    }

    @Test("If a detector crashes, loudness is used, and the next request uses a new detector and the same recognizer")
    func crashing() throws {
        let recognizer = Lane(.recognizer)
        let microphoneTranscription = source([recognizer], [Lane(.crashing), Lane(.detector)]).microphoneTranscription(
            language: nil, expecting: .freeform)
        #expect(try listen(microphoneTranscription) == [.fails(Lane.crash)])
        #expect(try listen(microphoneTranscription) == [.speech] && recognizer.listenings == 2)
    }

    @Test("A detector that hangs is abandoned, and loudness is used instead") func hanging() throws {
        let detector = Lane(.hanging)
        let microphoneTranscription = source([Lane(.recognizer)], [detector]).microphoneTranscription(
            language: nil, expecting: .freeform)
        let told = try listen(microphoneTranscription, timeout: .milliseconds(100))
        // If the detector has not ended by the time listening ends, it is cancelled again.
        #expect(told == [.fails(nil)] && detector.cancels >= 1)
    }

    @Test("If only the recognizer has exited, the detector is kept") func kept() throws {
        let (first, second, detector) = (Lane(.recognizer), Lane(.recognizer), Lane(.detector))
        let microphoneTranscription = source([first, second], [detector]).microphoneTranscription(
            language: nil, expecting: .freeform)
        #expect(try listen(microphoneTranscription) == [.speech])
        first.die()
        #expect(try listen(microphoneTranscription) == [.speech] && second.listenings == 1 && detector.listenings == 2)
    }
}
