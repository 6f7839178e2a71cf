import Glibc
import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthListening
import SynthSystem
import Testing
import TestSupport

@Suite("Transcribing long recordings", .ownThreads)
struct TranscriberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let rate = 16_000

    /// - Returns: The file, and the frames at which its tones begin.
    private func write(_ stretches: [(tone: Double, silence: Double)]) throws -> (ClipFile, [Int]) {
        let path = folder.file("sound.wav")
        let sink = try SoundFileOptions(.wav).sink(path: path)
        try sink.begin(AudioFormat(sampleRate: Self.rate, channels: 1))
        try sink.write(CompleteAudio.stretches(stretches)[...])
        try sink.finish()
        var (begins, place) = ([Int](), 0.0)
        for stretch in stretches {
            begins.append(Int(place * Double(Self.rate)))
            place += stretch.tone + stretch.silence
        }
        return (ClipFile(path: path), begins)
    }

    private func pieces(
        of clip: ClipFile, lanes: Int, skipping done: Int = 0, _ fixture: RecognizerFixture,
        while isWanted: (TranscribedPiece) -> Bool = { _ in true }
    ) throws -> [TranscribedPiece] {
        let recognizer = try fixture.recognizer()
        let transcriber = Transcriber(rate: 16_000, longest: 10, lanes: lanes) { () throws(SpeechError) in
            try rethrowing(recognizer.openLane(on: LoadRequest(id: "script")), as: SpeechError.ofRecognizer)
        }
        var pieces: [TranscribedPiece] = []
        try transcriber.run(
            RecognitionJob(wants: .words), skipping: done,
            { () throws(SpeechError) in
                try rethrowing(
                    FileAudio(clip, rate: 16_000, longest: .seconds(1000)), as: AudioError.recordingError)
            },
            { piece in
                pieces.append(piece)
                return isWanted(piece)
            })
        return pieces
    }

    private static let many = Array(repeating: (tone: 2.0, silence: 1.0), count: 30)

    @Test("Pieces are contiguous and do not depend on the number of lanes, and transcription can resume at any piece")
    func pieces() throws {
        let (clip, begins) = try write(Self.many)
        let fixture = try RecognizerFixture(RecognizerFixture.scripted)
        let all = try pieces(of: clip, lanes: 1, fixture)
        #expect(all.count >= 9 && all.map(\.index) == Array(0..<all.count))
        #expect(all.first?.frames.lowerBound == 0 && all.last?.frames.upperBound == 90 * Self.rate)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.frames.upperBound == $1.frames.lowerBound })
        let heard = all.flatMap(\.texts).map { Int($0.frames.lowerBound) }
        #expect(heard.count == begins.count)
        #expect(zip(heard, begins).allSatisfy { abs($0 - $1) <= Self.rate / 50 }, "\(heard)")
        #expect(try pieces(of: clip, lanes: 3, fixture) == all)
        #expect(try pieces(of: clip, lanes: 2, skipping: 4, fixture) == Array(all.dropFirst(4)))
        #expect(try pieces(of: clip, lanes: 2, skipping: all.count, fixture).isEmpty)
        #expect(try pieces(of: clip, lanes: 2, skipping: all.count + 5, fixture).isEmpty)
        #expect(try pieces(of: clip, lanes: 2, fixture) { $0.index < 2 } == Array(all.prefix(3)))
    }

    @Test("If a recognizer fails, the preceding pieces are returned before the error")
    func fails() throws {
        let (clip, _) = try write(Self.many)
        let fixture = try RecognizerFixture(RecognizerFixture.deaf, ["CRASH"])
        let failure = #expect(throws: SpeechError.self) { _ = try pieces(of: clip, lanes: 2, fixture) }
        guard let error = failure?.cause as? EngineFailure, case .crashed = error.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(
        "If a file becomes unreadable, only its complete pieces are transcribed so that no words are lost on resuming")
    func unreadable() throws {
        let (clip, _) = try write(Self.many)
        let fixture = try RecognizerFixture(RecognizerFixture.scripted)
        let all = try pieces(of: clip, lanes: 1, fixture)
        let inPiece = (all[3].frames.lowerBound + all[3].frames.upperBound) / 2
        for (reason, isTemporary) in [
            (ClipFlaw.Reason.notOpened(Errno(EIO)), true), (.cutShort(frame: inPiece), false),
        ] {
            let transcriber = Transcriber(rate: 16_000, longest: 10, lanes: 2) { () throws(SpeechError) in
                HesitantLane(Monitor(["first"]))
            }
            var ends: [Int] = []
            let failure = #expect(throws: SpeechError.self) {
                try transcriber.run(
                    RecognitionJob(),
                    { () throws(SpeechError) in
                        try rethrowing(
                            FailingAudio(clip, after: inPiece, reason), as: AudioError.recordingError)
                    },
                    { piece in
                        ends.append(piece.frames.upperBound)
                        return true
                    })
            }
            #expect((failure?.cause as? AudioError)?.clip?.reason == reason)
            let complete = all.prefix(3).map(\.frames.upperBound)
            #expect(ends == (isTemporary ? complete : complete + [inPiece]))
        }
    }

    @Test("The error for a file without audio includes the reason")
    func noSound() throws {
        let clip = ClipFile(path: try folder.write("text".utf8, to: "text.wav"))
        let fixture = try RecognizerFixture(RecognizerFixture.scripted)
        let failure = #expect(throws: SpeechError.self) { _ = try pieces(of: clip, lanes: 2, fixture) }
        guard let error = (failure?.cause as? AudioError)?.clip, case .notDecodable = error.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("Texts are reported in order even before the piece that contains them is complete")
    func parts() throws {
        let (clip, _) = try write(Array(Self.many.prefix(8)))
        let told = Monitor<[String]>([])
        let transcriber = Transcriber(rate: 16_000, longest: 10, lanes: 2) { () throws(SpeechError) in
            HesitantLane(told)
        }
        var pieces: [TranscribedPiece] = []
        try transcriber.run(
            RecognitionJob(), inParts: true,
            { () throws(SpeechError) in
                try rethrowing(
                    FileAudio(clip, rate: 16_000, longest: .seconds(1000)), as: AudioError.recordingError)
            },
            { piece in
                pieces.append(piece)
                told.update { $0 += piece.texts.map(\.text) }
                return true
            })
        let count = (pieces.last?.index ?? -1) + 1
        #expect(count > 1 && pieces.map(\.index) == (0..<count).flatMap { [$0, $0, $0] })
        #expect(told.read { $0 } == (0..<count).flatMap { _ in ["first", "second"] })
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.frames.upperBound <= $1.frames.upperBound })
    }

    @Test(
        "The stable beginning of a text is reported early if requested, and omitted text is reported with its piece")
    func beginnings() throws {
        let (clip, _) = try write([(1, 1)])
        let transcriber = Transcriber(rate: 16_000, longest: 28, lanes: 1) { () throws(SpeechError) in MistakenLane() }
        for inParts in [true, false] {
            var pieces: [TranscribedPiece] = []
            try transcriber.run(
                RecognitionJob(), inParts: inParts,
                { () throws(SpeechError) in
                    try rethrowing(
                        FileAudio(clip, rate: 16_000, longest: .seconds(1000)), as: AudioError.recordingError)
                },
                { piece in
                    pieces.append(piece)
                    return true
                })
            #expect(pieces.map(\.beginning) == (inParts ? ["Hello", "", ""] : [""]))
            #expect(pieces.flatMap(\.texts).map(\.text) == ["Hello, world."])
            #expect(pieces.last?.leftOut.map(\.text) == ["Thank you."])
        }
    }

    @Test("Stopping does not cancel lanes that have already been returned")
    func cancelsItsOwn() throws {
        let (clip, _) = try write(Array(Self.many.prefix(8)))
        let lending = LaneLender()
        let transcriber = Transcriber(
            rate: 16_000, longest: 10, lanes: 2, release: { lending.takeBack($0) },
            openLane: { () throws(SpeechError) in lending.lend() })
        try transcriber.run(
            RecognitionJob(),
            stopping: { stop in
                startThread("stop") {
                    lending.waitForBoth()
                    stop()
                }
            },
            { () throws(SpeechError) in
                try rethrowing(
                    FileAudio(clip, rate: 16_000, longest: .seconds(1000)), as: AudioError.recordingError)
            }, { _ in true })
        #expect(lending.cancelled >= 2 && !lending.wasLate)
    }
}

/// A file that becomes unreadable after a number of frames.
private final class FailingAudio: StoredAudio {
    let arrival: Descriptor? = nil
    private(set) var failure: AudioError?
    private let audio: FileAudio
    private let flaw: AudioError
    private var left: Int

    init(_ clip: ClipFile, after frames: Int, _ reason: ClipFlaw.Reason) throws(AudioError) {
        audio = try FileAudio(clip, rate: 16_000, longest: .seconds(1000))
        flaw = AudioError.clip(clip.path, reason)
        left = frames
    }

    func next(most: Int) -> RecognizerInput {
        guard left > 0, case .frames(let samples) = audio.next(most: min(most, left)) else {
            failure = flaw
            return .ended
        }
        left -= samples.count
        return .frames(samples)
    }
}

/// Transcribes "first", and then "second" once "first" has been reported.
private final class HesitantLane: RecognitionLane {
    let isAlive = true
    private let told: Monitor<[String]>

    init(_ told: Monitor<[String]>) { self.told = told }

    func cancel() {}

    func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        _ = part(.text(RecognizedText("first", frames: 0..<100)))
        _ = told.wait { $0.count { $0 == "first" } > $0.count { $0 == "second" } ? true : nil }
        return part(.text(RecognizedText("second", frames: 100..<200)))
    }
}

/// Reports a partial text and an omitted text if requested, and then a final text.
private final class MistakenLane: RecognitionLane {
    let isAlive = true

    func cancel() {}

    func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        if request.wants.contains(.partials) {
            _ = part(.text(RecognizedText("Hello wor", isFinal: false, stable: 5, frames: 0..<100)))
        }
        var mistake = RecognizedText("Thank you.", isFinal: false, stable: 0, frames: 0..<100)
        mistake.leftOut = .nobodySpeaks
        if request.wants.contains(.leftOut) { _ = part(.text(mistake)) }
        return part(.text(RecognizedText("Hello, world.", frames: 100..<200)))
    }
}

/// Lends two lanes, one of which ends while the other is being cancelled.
private final class LaneLender: Sendable {
    private struct State {
        var lent: Set<Int> = []
        var listening: Set<Int> = []
        var ended: Set<Int> = []
        var cancelled = 0
        var wasLate = false
    }
    private let state = Monitor(State())

    private final class Lane: RecognitionLane {
        let number: Int
        let lender: LaneLender
        let isAlive = true

        init(_ number: Int, _ lender: LaneLender) { (self.number, self.lender) = (number, lender) }

        func cancel() { lender.cancel(number) }

        func listen(
            _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
            _ part: (RecognizedPart) -> Bool
        ) throws(EngineFailure) -> Bool {
            lender.state.update { _ = $0.listening.insert(number) }
            _ = lender.state.wait { $0.ended.contains(number) ? true : nil }
            return false
        }
    }

    var cancelled: Int { state.read { $0.cancelled } }
    var wasLate: Bool { state.read { $0.wasLate } }

    func lend() -> any RecognitionLane {
        Lane(
            state.update { state in
                let number = state.lent.count
                state.lent.insert(number)
                return number
            }, self)
    }

    func takeBack(_ lane: any RecognitionLane) {
        guard let lane = lane as? Lane else { return }
        state.update { _ = $0.lent.remove(lane.number) }
    }

    func waitForBoth() { _ = state.wait { $0.listening.count == 2 ? true : nil } }

    private func cancel(_ number: Int) {
        let isFirst = state.update { state in
            state.cancelled += 1
            if state.cancelled == 1 { state.ended.insert(1 - number) }
            return state.cancelled == 1
        }
        // The timeout is long enough for a lane to be returned.
        if isFirst { _ = state.wait(timeout: .milliseconds(300)) { $0.lent.contains(1 - number) ? nil : true } }
        state.update { state in
            if !state.lent.contains(number) { state.wasLate = true }
            state.ended.insert(number)
        }
    }
}
