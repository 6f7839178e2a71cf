import SynthAudio
import SynthCatalogue
@testable import SynthEngineProcesses
import SynthEngineWire
import SynthHostTesting
import SynthScript
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Speaking into a sink")
struct SpeakingTests {
    private static let voice = PreparedVoice(
        load: LoadRequest(id: "voice"), uses: [VoiceUse(id: "voice")], gain: Gain(factor: 1))
    private static let engine = EngineDescription(
        id: "fake", name: "Fake", version: "1", license: "Apache-2.0", capabilities: [.wordTimes])

    private func speech(
        _ text: String, on lane: TestLane, _ settings: SpeechSettings = SpeechSettings()
    ) throws -> Speech {
        try session(Self.engine) { lane }.speak(try CompleteText(text), settings)
    }

    private func session(
        _ engine: EngineDescription, startingThreads: @escaping ThreadStart = startThread,
        openLane: @escaping @Sendable () -> any SpeakingLane
    ) throws -> SpeechSession {
        let voice = try Voice(DeclaredVoice(id: "voice", name: "Voice", language: "en"), by: engine.id)
        return SpeechSession(
            SpeechVoice(VoiceChoice(voice: voice), state: .ready),
            SpeechSession.Source(
                engine: engine, voice: Self.voice, presets: Configuration(), openLane: { _ in openLane() }
            ) { $0.startingThreads = startingThreads })
    }

    @Test("The sink receives all audio, including the pauses in the text, and is told to finish")
    func whole() throws {
        let lane = TestLane.make(framesPerByte: 100)
        let sink = FakeSink()
        var settings = SpeechSettings()
        settings.pauses.sentence = .milliseconds(10)
        let summary = try speech("One two. Three.\n\nFour.", on: lane, settings).deliver(to: sink)
        #expect(lane.requests.map(\.text) == [.text("One two."), .text("Three."), .text("Four.")])
        let sound = sink.now
        // The text has 8, 6 and 5 letters, with pauses of 10 ms between sentences and 600 ms between paragraphs.
        #expect(sound.samples.count == 1900 + 160 + 9600)
        #expect(sound.samples.count { $0 == 0 } == 160 + 9600)
        #expect(sound.isFinished && !sound.isStopped)
        #expect(summary.frames == sound.samples.count && !summary.wasCancelled)
    }

    @Test("A failure to start the thread for a request or its lane is reported", arguments: ["speech", "lane"])
    func noThread(name: String) throws {
        let sink = FakeSink()
        let lane = TestLane.make(framesPerByte: 10)
        let session = try session(Self.engine, startingThreads: { $0 != name && startThread($0, $1) }) { lane }
        #expect {
            // The text is long, because a short text needs no thread for its lane.
            let text = String(repeating: "One. Two. Three. ", count: 50)
            _ = try session.speak(try CompleteText(text), SpeechSettings()).deliver(to: sink)
        } throws: { error in
            (error as? SpeechError)?.code == .threadsExhausted
        }
        // The sink keeps the audio that it received before the failure.
        #expect(sink.now.samples.isEmpty == (name == "speech") && sink.now.isFinished == (name == "lane"))
    }

    @Test("A crash is thrown after the audio that precedes it, and the sink is told to finish")
    func crash() throws {
        let sink = FakeSink()
        #expect {
            _ = try speech("One. A crash here.", on: .make(framesPerByte: 10, crashingAt: "crash")).deliver(to: sink)
        } throws: { error in
            if let failure = (error as? SpeechError)?.cause as? EngineFailure {
                failure.engine == "test"
            } else {
                false
            }
        }
        #expect(sink.now.samples.count >= 40 && sink.now.isFinished)
    }

    @Test("When a sink accepts no more samples, the engine stops working")
    func fullDisk() throws {
        let lane = TestLane.make(framesPerByte: 10)
        let sink = FakeSink(failure: .outputNotWritten(name: .file("x"), code: 28))
        #expect {
            _ = try speech(String(repeating: "One. ", count: 10_000), on: lane).deliver(to: sink)
        } throws: { error in
            if case .outputNotWritten(name: .file("x"), code: 28)? = (error as? SpeechError)?.cause as? AudioError {
                true
            } else {
                false
            }
        }
        #expect(lane.requests.count < 10_000)
    }

    @Test("Cancellation ends a request that has not delivered anything yet")
    func cancel() throws {
        let lane = TestLane.make(isHeld: true)
        let sink = FakeSink()
        let speech = try speech("One. Two.", on: lane)
        let cancelling = Monitor(false)
        startThread("cancel") {
            lane.waitForRequest()
            speech.cancel()
            cancelling.update { $0 = true }
        }
        let summary = try speech.deliver(to: sink)
        _ = cancelling.wait { $0 ? true : nil }
        #expect(summary.wasCancelled && summary.frames == 0)
        #expect(lane.requests.count == 1 && lane.cancels > 0)
        #expect(sink.now.isStopped)
    }

    @Test("Cancellation while the speech thread is starting also stops the sink")
    func earlyCancel() throws {
        let begun = Monitor<Speech?>(nil)
        let session = try session(
            Self.engine,
            startingThreads: { name, body in
                if name == "speech" { begun.read { $0 }?.cancel() }
                return startThread(name, body)
            }
        ) { TestLane.make(framesPerByte: 10) }
        let speech = session.speak(try CompleteText("One. Two."), SpeechSettings())
        begun.update { $0 = speech }
        let sink = FakeSink()
        let summary = try speech.deliver(to: sink)
        #expect(summary.wasCancelled && summary.frames == 0 && sink.now.samples.isEmpty)
        #expect(sink.now.isStopped)
    }

    @Test("The same speech cannot be delivered twice")
    func again() throws {
        let speech = try speech("One.", on: .make())
        _ = try speech.deliver(to: FakeSink())
        #expect {
            _ = try speech.deliver(to: FakeSink())
        } throws: { error in
            (error as? SpeechError)?.code == .alreadyRead
        }
    }

    @Test("A text that is not played uses two lanes and returns both", arguments: [false, true])
    func twoLanes(isHeard: Bool) throws {
        let engine = TestEngine(framesPerByte: 10, lanes: 2)
        let session = try session(
            EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0", maxLanes: 2)
        ) { engine.makeLane() }
        let text = String(repeating: "A sentence here. ", count: 200)
        var settings = SpeechSettings()
        settings.pauses.sentence = .zero
        for _ in 1...3 {
            let sink = FakeSink(isHeard: isHeard)
            let summary = try session.speak(try CompleteText(text), settings).deliver(to: sink)
            #expect(summary.frames == 200 * 16 * 10 && sink.now.samples.count == summary.frames)
        }
        // If lanes had not been returned, additional lanes would have been opened.
        #expect(engine.laneCount <= (isHeard ? 1 : 2))
        #expect(engine.spoken.count == 600)
    }

    @Test("A crash is reported immediately, even if more text may arrive and two lanes are working")
    func crashWhileTextComes() throws {
        let engine = TestEngine(framesPerByte: 10, lanes: 2)
        engine.crash(at: "crash")
        let session = try session(
            EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0", maxLanes: 2)
        ) { engine.makeLane() }
        let (reading, writing) = try Descriptor.pipe()
        try writing.writeAll(Array("One. Two. A crash here. Four. ".utf8))
        let text = try TextReader(reading, name: "The pipe")
        let sink = FakeSink()
        #expect {
            _ = try session.speak(text, SpeechSettings()).deliver(to: sink)
        } throws: { error in
            (error as? SpeechError)?.cause is EngineFailure
        }
        #expect(sink.now.isFinished)
        withExtendedLifetime(writing) {}
    }

    @Test("A second lane is returned to a request that is waiting for it")
    func spareLaneGivenBack() throws {
        let engine = TestEngine(framesPerByte: 10, lanes: 2)
        let session = try session(
            EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0", maxLanes: 2)
        ) { engine.makeLane() }
        let book = session.speak(
            try CompleteText(String(repeating: "A sentence here. ", count: 1_000_000)), SpeechSettings())
        let isDone = Monitor(false)
        startThread("book") {
            _ = try? book.deliver(to: DiscardingSink())
            isDone.update { $0 = true }
        }
        engine.waitForSentences(10)
        // The book holds both lanes, but this request gets its turn long before the book ends.
        let summary = try session.speak(try CompleteText("Hello."), SpeechSettings()).deliver(
            to: FakeSink(isHeard: true))
        #expect(summary.frames == 60 && isDone.read { !$0 })
        book.cancel()
        _ = isDone.wait { $0 ? true : nil }
    }
}
