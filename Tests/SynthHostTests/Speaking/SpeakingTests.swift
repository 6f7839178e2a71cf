import Engines
import EngineWire
import SpeechScript
import SynthAudio
import SynthHostTesting
import System
import Testing

@testable import SynthHost

@Suite("Speaking with a lane and a sink")
struct SpeakingTests {
    private static let voice = PreparedVoice(
        load: LoadRequest(id: "voice"), uses: [VoiceUse(id: "voice")], gain: Gain(factor: 1))
    private static let engine = EngineDescription(
        id: "fake", name: "Fake", version: "1", licence: "Apache-2.0", capabilities: [.wordTimes])

    private func speaker(
        _ text: String, on lane: TestLane, into sink: FakeSink, _ settings: SpeechSettings = SpeechSettings()
    ) throws -> Speaker {
        Speaker(
            lane: lane, engine: Self.engine, voice: Self.voice, settings: settings, source: try GivenText(text),
            sink: sink)
    }

    @Test("gives the sink all sound, with the pauses of the text, and finishes it")
    func whole() throws {
        let lane = TestLane.make(framesPerByte: 100)
        let sink = FakeSink()
        var settings = SpeechSettings()
        settings.pauses.sentence = .milliseconds(10)
        let summary = try speaker("One two. Three.\n\nFour.", on: lane, into: sink, settings).speak()
        #expect(lane.requests.map(\.text) == [.text("One two."), .text("Three."), .text("Four.")])
        let sound = sink.now
        // 8, 6 and 5 letters; 10 ms between sentences and 300 between paragraphs.
        #expect(sound.samples.count == 1900 + 160 + 4800)
        #expect(sound.samples.count { $0 == 0 } == 160 + 4800)
        #expect(sound.isFinished && !sound.isStopped)
        #expect(summary.frames == sound.samples.count && !summary.wasCancelled)
    }

    @Test("a crash is thrown after what was spoken before it, and the sink is finished")
    func crash() throws {
        let sink = FakeSink()
        #expect {
            _ = try speaker("One. A crash here.", on: .make(framesPerByte: 10, crashingAt: "crash"), into: sink).speak()
        } throws: { error in
            if case .engine(let failure)? = error as? SpeechFailure { failure.engine == "test" } else { false }
        }
        #expect(sink.now.samples.count >= 40 && sink.now.isFinished)
    }

    @Test("a sink that takes nothing more ends the engine's work")
    func fullDisk() throws {
        let lane = TestLane.make(framesPerByte: 10)
        let sink = FakeSink(failure: .outputNotWritten(name: "x", code: 28))
        #expect {
            _ = try speaker(String(repeating: "One. ", count: 10_000), on: lane, into: sink).speak()
        } throws: { error in
            if case .audio(.outputNotWritten(name: "x", code: 28))? = error as? SpeechFailure { true } else { false }
        }
        #expect(lane.requests.count < 10_000)
    }

    @Test("a cancel ends a request that has given nothing yet")
    func cancel() throws {
        let lane = TestLane.make(isHeld: true)
        let sink = FakeSink()
        let speaker = try speaker("One. Two.", on: lane, into: sink)
        let cancelling = Monitor(false)
        startThread("cancel") {
            lane.waitForRequest()
            speaker.cancel()
            cancelling.update { $0 = true }
        }
        let summary = try speaker.speak()
        _ = cancelling.wait { $0 ? true : nil }
        #expect(summary.wasCancelled && summary.frames == 0)
        #expect(lane.requests.count == 1 && lane.cancels > 0)
        #expect(sink.now.isStopped)
    }
}
