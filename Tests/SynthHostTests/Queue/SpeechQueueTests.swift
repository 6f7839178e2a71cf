import SynthAudio
import SynthCatalogue
import SynthHostTesting
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Writing a queue", .timeLimit(.minutes(60)))
struct SpeechQueueTests {
    private typealias Fixture = QueueFixture

    @Test("There are no samples between consecutive items")
    func order() throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.wav", frames: 5000)
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.clip(path))
        fixture.queue.append(.pause(.milliseconds(100)))
        fixture.queue.append(.speech("Three."))
        let (samples, events) = try fixture.write()
        #expect(isSame(samples, Fixture.spoken("One two.") + clip + Fixture.silence(1600) + Fixture.spoken("Three.")))
        #expect(
            events.map(\.words) == [
                "0 began 0", "0 sentence 0 0 0..<8", "0 word 0 0 0..<3", "0 word 400 400 4..<8", "0 ended 800",
                "1 began 800", "1 ended 5800", "2 began 5800", "2 ended 7400", "3 began 7400",
                "3 sentence 7400 0 0..<6", "3 word 7400 0 0..<6", "3 ended 8000",
            ])
    }

    @Test("The output is the sum of the channels, each at its own level")
    func channels() throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.flac", frames: 5000)
        fixture.queue.setLevel(.factor(0.5), of: "bed")
        fixture.queue.setLevel(.silence, of: "nothing")
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.clip(path), to: "bed")
        fixture.queue.append(.clip(path), to: "nothing")
        let (samples, _) = try fixture.write()
        let speech = Fixture.spoken("One two.")
        let expected = clip.indices.map { clip[$0] * 0.5 + ($0 < speech.count ? speech[$0] : 0) }
        #expect(isSame(samples, expected))
    }

    @Test("An item that starts alongside another item starts at exactly the same sample")
    func cue() throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.wav", frames: 300, from: 0.01)
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.cue(.clip(path), on: "bed"))
        fixture.queue.append(.cue(.clip(path, gain: .factor(2)), on: "bed"))
        fixture.queue.append(.speech("Three."))
        fixture.queue.append(.cue(.clip(path), on: "bed"))
        let (samples, _) = try fixture.write()
        let bed = Fixture.silence(800) + clip + clip.map { $0 * 2 } + Fixture.silence(0) + clip
        let speech = Fixture.spoken("One two.Three.")
        #expect(samples.count == 1700)
        let expected = (0..<1700).map { ($0 < speech.count ? speech[$0] : 0) + bed[$0] }
        #expect(zip(samples, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("The output is always the same, no matter how late an engine is")
    func deterministic() async throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.wav", frames: 20_000)
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.clip(path), to: "bed")
        fixture.engine.hold()
        let sink = FakeSink()
        let queue = fixture.queue
        async let written: Void = queue.write(into: sink)
        await onThread("engine") { [engine = fixture.engine] in engine.waitForSentences(1) }
        #expect(sink.now.samples.isEmpty)
        fixture.engine.release()
        try await written
        let speech = Fixture.spoken("One two.")
        #expect(isSame(sink.now.samples, clip.indices.map { clip[$0] + ($0 < speech.count ? speech[$0] : 0) }))
    }

    static let rates = [8000, 22_050, 44_100, 48_000]

    @Test(
        "Clips in any format keep their length and level next to voices at any sample rate", arguments: rates, [1, 2])
    func formats(clipRate: Int, channels: Int) async throws {
        let fixture = try Fixture(SpeechQueue.Options())
        for (voiceRate, format) in zip([16_000, 22_050, 44_100, 22_050], ["wav", "flac", "mp3", "opus"]) {
            let engine = TestEngine(sampleRate: voiceRate, framesPerByte: voiceRate / 100)
            let host = SpeechHost(testing: engine)
            let session = try await host.session(try await host.voice())
            let tone = Signals.tone(440, seconds: 0.5, sampleRate: clipRate)
            var samples: [Float] = []
            ChannelConversion(from: 1, to: channels).process(tone[...], into: &samples)
            let path = try fixture.write(
                samples, "a.\(format)", AudioFormat(sampleRate: clipRate, channels: channels))
            let queue = SpeechQueue(fixture.host)
            let text = "Ten bytes."
            queue.append(.speech(text, by: session))
            queue.append(.clip(path))
            queue.append(.speech(text, by: session))
            let sink = FakeSink()
            try await queue.write(into: sink)
            #expect(sink.now.format == AudioFormat(sampleRate: 48_000, channels: 2))
            let heard = sink.now.samples
            let left = stride(from: 0, to: heard.count, by: 2).map { heard[$0] }
            let spoken = Int(10 * Double(engine.framesPerByte) * 48_000 / Double(voiceRate))
            // Each conversion rounds, and lossy formats pad the last block.
            let slack = format == "mp3" || format == "opus" ? 1500 : 6
            #expect(abs(left.count - (2 * spoken + 24_000)) <= slack, "\(format): \(left.count)")
            let clip = Array(left[spoken + 2000..<spoken + 22_000])
            #expect(abs(Signals.frequency(of: clip, sampleRate: 48_000) - 440) < 1, "\(format)")
            for part in [left[1000..<4000], left[(left.count - 4000)..<(left.count - 1000)]] {
                #expect(part.allSatisfy { abs($0 - 0.25) < 0.01 })
            }
        }
    }

    @Test("The output is never clipped, and its length is unchanged")
    func limited() throws {
        let fixture = try Fixture()
        let path = try fixture.write([Float](repeating: 0.9, count: 16_000), "loud.wav")
        for channel in ["a", "b", "c"] {
            fixture.queue.append(.clip(path, gain: .decibels(30)), to: SpeechQueue.Channel(channel))
        }
        let (samples, _) = try fixture.write()
        #expect(samples.count == 16_000)
        #expect(samples.allSatisfy { abs($0) <= 1 })
    }

    // MARK: - Failures

    private func isMissing(_ error: any Error) -> Bool {
        if case .notOpened? = ((error as? SpeechError)?.cause as? AudioError)?.clip?.reason { true } else { false }
    }

    @Test("If an item cannot be played, the preceding items are written before the item's error is thrown")
    func failure() throws {
        let fixture = try Fixture()
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.clip(fixture.folder.file("none.wav")))
        fixture.queue.append(.speech("Three."))
        let sink = FakeSink()
        var events: [String] = []
        #expect {
            _ = try fixture.queue.deliver(to: sink) { more, _ in events += more.map(\.words) }
        } throws: { error in
            isMissing(error)
        }
        #expect(isSame(sink.now.samples, Fixture.spoken("One two.")) && sink.now.isFinished)
        #expect(events.suffix(3) == ["0 ended 800", "1 began 800", "1 failed 800"])
        // No items remain in the queue.
        #expect(try fixture.write().samples.isEmpty)
    }

    @Test("On request, items that cannot be played are skipped and reported")
    func leftOut() throws {
        let fixture = try Fixture(SpeechQueue.Options(format: Fixture.format, onFailure: .leaveOut))
        let (path, clip) = try fixture.ramp("a.wav", frames: 500)
        fixture.engine.crash(at: "two")
        fixture.queue.append(.clip(fixture.folder.file("none.wav")))
        fixture.queue.append(.clip("chime"))
        fixture.queue.append(.speech("One two three."))
        fixture.queue.append(.speech("Four.", voice: "Nobody"))
        fixture.queue.append(.clip(path))
        fixture.queue.append(.speech("Five."))
        let (samples, events) = try fixture.write()
        let rest = clip + Fixture.spoken("Five.")
        // A few milliseconds of the crashed item are lost.
        let before = samples.dropLast(rest.count)
        #expect((400...800).contains(before.count) && before.allSatisfy { $0 == 0.25 })
        #expect(isSame(Array(samples.suffix(rest.count)), rest))
        var failures: [SpeechError] = []
        for case .ended(.failed(let error)) in events.map(\.kind) { failures.append(error) }
        try #require(failures.count == 4)
        #expect(isMissing(failures[0]))
        #expect(failures[1].code == .clipUnknown && failures[1].facts.name == "chime")
        #expect(failures[2].code == .engineCrashed && failures[2].facts.signal == 11)
        #expect(failures[3].code == .voiceUnknown && failures[3].facts.name == "Nobody")
    }

    @Test("The queue ends when its sink accepts no more samples")
    func badSink() async throws {
        let fixture = try Fixture()
        fixture.queue.append(.speech("One two."))
        let sink = FakeSink(failure: .outputNotWritten(name: .file("a"), code: 28))
        await #expect {
            try await fixture.queue.write(into: sink)
        } throws: { error in
            (error as? SpeechError)?.code == .diskFull
        }
        #expect(sink.now.isFinished)
    }

    @Test("A queue with nothing to play yields no samples")
    func empty() throws {
        let fixture = try Fixture()
        fixture.queue.append(.speech(""))
        fixture.queue.append(.pause(.zero))
        fixture.queue.append(.pause(.seconds(-1)))
        let (samples, events) = try fixture.write()
        #expect(samples.isEmpty)
        #expect(events.map(\.words).filter { $0.contains("ended") } == ["0 ended 0", "1 ended 0", "2 ended 0"])
    }

    // MARK: - Lanes

    @Test("Two channels that speak with a single-lane session do not block each other")
    func sharedLane() async throws {
        let fixture = try Fixture(lanes: 1, framesPerByte: 4000)
        let session = try await fixture.session()
        let text = String(repeating: "Nine byte. ", count: 10)
        let bytes = 10 * 10
        fixture.queue.append(.speech(text, by: session))
        fixture.queue.append(.speech(text, by: session), to: "other")
        fixture.queue.append(.speech(session.speak(text, SpeechOptions(lookAhead: .seconds(1)))), to: "third")
        fixture.queue.append(.speech(session.speak(text, SpeechOptions(lookAhead: .seconds(1)))), to: "fourth")
        let (samples, _) = try fixture.write()
        // All channels pause between their sentences at the same time.
        #expect(samples.count == bytes * 4000 + 9 * 4000)
        #expect(samples[5000..<300_000].allSatisfy { abs($0 - 1) < 0.01 || $0 == 0 })
    }

    // MARK: - Many items

    @Test("A thousand items are played in order, and few of them are active at a time")
    func many() throws {
        let fixture = try Fixture()
        let session = Monitor<SpeechSession?>(nil)
        let host = fixture.host
        let alive = Monitor((begun: 0, ended: 0, most: 0))
        let (path, clip) = try fixture.ramp("a.wav", frames: 150)
        var expected: [Float] = []
        for number in 0..<1000 {
            switch number % 3 {
            case 0:
                let text = "N\(number)."
                fixture.queue.append(
                    .speech(making: { () throws(SpeechError) in
                        alive.update { $0.begun += 1 }
                        alive.update { $0.most = max($0.most, $0.begun - $0.ended) }
                        let known = session.read { $0 }
                        let made = known ?? (try? host.backend.session(try host.backend.voice(VoiceQuery())))
                        session.update { $0 = made }
                        guard let made else { throw .closed }
                        return made.speak(text)
                    }))
                expected += Fixture.spoken(text)
            case 1:
                fixture.queue.append(.clip(path))
                expected += clip
            default:
                fixture.queue.append(.pause(.milliseconds(5)))
                expected += Fixture.silence(80)
            }
        }
        let sink = FakeSink()
        var ended: [Int] = []
        _ = try fixture.queue.deliver(to: sink) { events, _ in
            for event in events {
                guard case .ended = event.kind else { continue }
                ended.append(event.item.number)
                if event.item.number % 3 == 0 { alive.update { $0.ended += 1 } }
            }
        }
        #expect(ended == Array(0..<1000))
        #expect(isSame(sink.now.samples, expected))
        #expect(alive.read { $0.begun } == 334)
        // Items that wait for the limiter have not ended yet.
        #expect(alive.read { $0.most } <= 6)
    }
}
