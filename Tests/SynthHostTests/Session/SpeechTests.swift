import SynthAudio
import SynthHostTesting
import Testing
import TestNumbers

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Reading speech")
struct SpeechTests {
    /// A session with an engine controlled by the test.
    private struct Fixture {
        let engine: TestEngine
        let session: SpeechSession

        init(framesPerByte: Int = 100, isHeld: Bool = false, lanes: Int = 2) async throws {
            engine = TestEngine(framesPerByte: framesPerByte, lanes: lanes)
            if isHeld { engine.hold() }
            let host = SpeechHost(testing: engine)
            session = try await host.session(try await host.voice())
        }
    }

    private struct Heard: Equatable {
        var format: SpeechFormat?
        var frames = 0
        var words: [Range<Int>] = []
        var sentences: [Range<Int>] = []
    }

    /// The number of frames between two sentences.
    private let pause = 4000

    /// Reads to the end and checks that all frames are in order and that each event comes before its audio.
    private func read(_ speech: Speech) async throws(SpeechError) -> Heard {
        var heard = Heard()
        for try await part in speech {
            switch part {
            case .format(let format): heard.format = format
            case .audio(let audio):
                #expect(audio.frame == heard.frames)
                heard.frames += audio.samples.count / (heard.format?.channels ?? 1)
            case .word(let event):
                #expect(event.frame >= heard.frames)
                heard.words.append(event.source)
            case .sentence(let event):
                #expect(event.frame >= heard.frames)
                heard.sentences.append(event.source)
            default: break
            }
        }
        return heard
    }

    @Test("Speech provides its format and all audio and reports words and sentences before their audio")
    func whole() async throws {
        #expect(
            try await read(try await Fixture().session.speak("One two. Three."))
                == Heard(
                    format: SpeechFormat(sampleRate: 16_000, channels: 1), frames: 1400 + pause,
                    words: [0..<3, 4..<8, 9..<15],
                    sentences: [0..<8, 9..<15]))
    }

    @Test("Speech for an empty text ends without any parts")
    func nothing() async throws {
        #expect(try await read(try await Fixture().session.speak(" \n ")) == Heard())
    }

    @Test("Audio is generated only as it is read so that only a limited amount is buffered if reading stops")
    func bounded() async throws {
        let fixture = try await Fixture(framesPerByte: 16_000)
        let speech = fixture.session.speak(
            String(repeating: "A sentence of some length. ", count: 1000), SpeechOptions(lookAhead: .seconds(2)))
        #expect(fixture.engine.laneCount == 0)
        var parts = speech.makeAsyncIterator()
        _ = try await parts.next(isolation: nil)
        // Each sentence lasts 26 seconds, so only the current sentence fits into the look-ahead.
        for _ in 0..<50 { await Task.yield() }
        #expect(fixture.engine.spoken.count == 1)
    }

    @Test("Speech can be read only once")
    func once() async throws {
        let fixture = try await Fixture()
        let session = fixture.session
        let speech = session.speak("One.")
        _ = try await read(speech)
        await #expect {
            _ = try await read(speech)
        } throws: { error in
            (error as? SpeechError)?.code == .alreadyRead
        }
    }

    @Test("Cancelled speech throws an error, whether it is cancelled before or after the first read")
    func cancelled() async throws {
        let fixture = try await Fixture()
        let session = fixture.session
        let early = session.speak("One. Two.")
        early.cancel()
        await #expect { _ = try await read(early) } throws: { isCancelled($0) }
        let late = session.speak("One. Two.")
        var parts = late.makeAsyncIterator()
        _ = try await parts.next(isolation: nil)
        late.cancel()
        await #expect { _ = try await parts.next(isolation: nil) } throws: { isCancelled($0) }
        #expect(try await read(session.speak("One.")).frames == 400)
    }

    private func isCancelled(_ error: any Error) -> Bool {
        (error as? SpeechError)?.code == .cancelled
    }

    @Test("Speech ends when its task is cancelled, even if the engine has not delivered anything yet")
    func task() async throws {
        let fixture = try await Fixture(isHeld: true)
        let speech = fixture.session.speak("One.")
        let reading = Task { try await read(speech) }
        while fixture.engine.spoken.isEmpty { await Task.yield() }
        reading.cancel()
        await #expect { _ = try await reading.value } throws: { isCancelled($0) }
    }

    @Test("An engine failure is thrown after the audio that precedes it, and the session remains usable")
    func crash() async throws {
        let fixture = try await Fixture()
        fixture.engine.crash(at: "crash")
        var frames = 0
        var failure: SpeechError?
        do throws(SpeechError) {
            for try await part in fixture.session.speak("One. A crash here. Two.") {
                if case .audio(let audio) = part { frames += audio.samples.count }
            }
        } catch {
            failure = error
        }
        guard failure?.code == .engineCrashed, failure?.facts.engine == "test", failure?.facts.signal == 11 else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(frames >= 400)
        #expect(try await read(fixture.session.speak("One.")).frames == 400)
        // The crashed engine's lane is not reused.
        #expect(fixture.engine.laneCount == 2)
    }

    @Test("A session reuses the lane of a finished request")
    func lanes() async throws {
        let fixture = try await Fixture()
        for _ in 0..<10 { _ = try await read(fixture.session.speak("One. Two.")) }
        #expect(fixture.engine.laneCount == 1)
    }

    @Test("Requests run in parallel on the engine's lanes, and others wait in the order of their first reads")
    func side() async throws {
        let fixture = try await Fixture()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await read(fixture.session.speak("One two three. Four five.")).frames }
            }
            for try await frames in group { #expect(frames == 2400 + pause) }
        }
        #expect(fixture.engine.laneCount <= 2)
    }

    @Test("Speech is complete even if the previous request on the lane is cancelled at the same time")
    func laneOfAnother() async throws {
        let fixture = try await Fixture(framesPerByte: 1600, lanes: 1)
        let first = fixture.session.speak("One.")
        var unread = first.makeAsyncIterator()
        _ = try await unread.next(isolation: nil)
        // This request gets the lane once all of the first request's audio has been generated, even before it has been
        // read.
        var second = fixture.session.speak("Two three four five.", SpeechOptions(lookAhead: .zero)).makeAsyncIterator()
        var frames = 0
        while let part = try await second.next(isolation: nil) {
            guard case .audio(let audio) = part else { continue }
            first.cancel()
            frames += audio.samples.count
        }
        #expect(frames == 20 * 1600)
    }

    @Test("A sink receives all samples of the speech and is then told to finish")
    func file() async throws {
        let sink = FakeSink()
        let speech = try await Fixture().session.speak("One two. Three.")
        try await speech.run.play(into: sink)
        #expect(sink.now.samples.count == 1400 + pause && sink.now.isFinished)
    }

    @Test("If the audio cannot be stored, the speech throws an error and stops its engine")
    func fullDisk() async throws {
        let sink = FakeSink(failure: .outputNotWritten(name: .file("x"), code: 28))
        let speech = try await Fixture().session.speak("One two. Three.")
        await #expect {
            try await speech.run.play(into: sink)
        } throws: { error in
            (error as? SpeechError)?.code == .diskFull && (error as? SpeechError)?.facts.path == "x"
        }
    }

    @Test("Cancellation during any part ends the speech, and the session remains usable")
    func everywhere() async throws {
        let fixture = try await Fixture(framesPerByte: 20)
        var numbers = SeededRandom(7)
        for _ in 0..<2000 {
            let speech = fixture.session.speak("One two three. Four five. Six seven eight nine.")
            let last = Int.random(in: 0..<14, using: &numbers)
            var count = 0
            var wasCancelled = false
            do throws(SpeechError) {
                for try await _ in speech {
                    #expect(!wasCancelled)
                    if count == last {
                        speech.cancel()
                        wasCancelled = true
                    }
                    count += 1
                }
                #expect(!wasCancelled)
            } catch {
                #expect(wasCancelled && isCancelled(error))
            }
        }
        #expect(try await read(fixture.session.speak("One.")).frames == 80)
    }
}
