import SynthHost
import SynthHostTesting
import Testing

/// Checks the behavior that other programs' tests rely on.
@Suite("Test hosts", .timeLimit(.minutes(60)))
struct SynthHostTestingTests {
    private func frames(of speech: Speech) async throws(SpeechError) -> Int {
        var frames = 0
        for try await part in speech {
            if case .audio(let audio) = part { frames += audio.samples.count }
        }
        return frames
    }

    @Test("A test host has exactly the voices that are named")
    func voices() async throws {
        let host = SpeechHost(testing: TestEngine(), voices: ["Ann", "Bob"])
        #expect(try await host.voices().map(\.name) == ["Ann", "Bob"])
        #expect(try await host.voice("Bob").state == .ready)
        #expect(try await host.voice().name == "Ann")
        await #expect {
            _ = try await host.voice("Eve")
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .voiceUnknown && error.facts.name == "Eve" && error.facts.candidates == ["Ann", "Bob"]
        }
    }

    @Test("A test host always produces the same audio and records its sentences")
    func spoken() async throws {
        let engine = TestEngine(framesPerByte: 10)
        let host = SpeechHost(testing: engine)
        let session = try await host.session(try await host.voice())
        // A pause of 0.25 s separates the sentences.
        for _ in 0..<2 { #expect(try await frames(of: session.speak("One two. Three.")) == 140 + 4000) }
        #expect(engine.spoken == ["One two.", "Three.", "One two.", "Three."])
    }

    @Test("A test engine crashes at the specified word and speaks again afterward")
    func crash() async throws {
        let engine = TestEngine(framesPerByte: 10)
        let host = SpeechHost(testing: engine)
        let session = try await host.session(try await host.voice())
        engine.crash(at: "two")
        await #expect {
            _ = try await frames(of: session.speak("One two three."))
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .engineCrashed && error.facts.engine == "test" && error.facts.signal == 11
        }
        engine.crash(at: nil)
        #expect(try await frames(of: session.speak("One two three.")) == 140)
    }

    @Test("A test engine holds a sentence until it is released or the request is cancelled")
    func held() async throws {
        let engine = TestEngine(framesPerByte: 10)
        let host = SpeechHost(testing: engine)
        let session = try await host.session(try await host.voice())
        engine.hold()
        let waiting = Task { try await frames(of: session.speak("One.")) }
        while engine.spoken.isEmpty { await Task.yield() }
        engine.release()
        #expect(try await waiting.value == 40)
        engine.hold()
        let stopped = Task { try await frames(of: session.speak("Two.")) }
        while engine.spoken.count < 2 { await Task.yield() }
        stopped.cancel()
        await #expect(throws: SpeechError.self) { try await stopped.value }
    }

    @Test("A sentence that starts during a release is released, even if the next sentences are held")
    func heldAgain() async throws {
        let engine = TestEngine(framesPerByte: 10)
        let host = SpeechHost(testing: engine)
        let session = try await host.session(try await host.voice())
        engine.hold()
        for count in 1...20 {
            let waiting = Task { try await frames(of: session.speak("One.")) }
            while engine.spoken.count < count { await Task.yield() }
            engine.release()
            engine.hold()
            #expect(try await waiting.value == 40)
        }
    }

    @Test("A test host has nothing to download")
    func download() async throws {
        let host = SpeechHost(testing: TestEngine())
        var states: [DownloadState] = []
        for await state in host.download(try await host.voice()) { states.append(state) }
        guard states.count == 1, case .ready = states[0] else {
            Issue.record("\(states)")
            return
        }
    }
}
