import SynthAudio
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Queues with listening items", .timeLimit(.minutes(60)))
struct QueueListeningTests {
    private typealias Fixture = QueueFixture

    /// Reads a queue's events to the end: the recognized texts, and how items ended.
    private func told(_ playback: QueuePlayback) async -> [String] {
        var told: [String] = []
        for await event in playback.events {
            switch event.kind {
            case .began: told.append("\(event.item.number) began")
            case .heard(.listening): told.append("\(event.item.number) listening")
            case .heard(.partial(let text)): told.append("\(event.item.number) \(text)")
            case .heard(.final(let heard)): told.append("\(event.item.number) = \(heard.text)")
            case .ended(.complete): told.append("\(event.item.number) ended")
            case .ended(.skipped): told.append("\(event.item.number) skipped")
            case .ended(.failed): told.append("\(event.item.number) failed")
            default: break
            }
        }
        return told
    }

    private static let answer: ScriptedRecognizer.Take = [
        .silence(.milliseconds(300)), .speech("yes please", .seconds(1)),
    ]

    @Test("The microphone opens once the preceding speech has been played, and then the queue continues")
    func afterSpeech() async throws {
        let recognizer = ScriptedRecognizer(Self.answer)
        let fixture = try Fixture(hearing: recognizer)
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.listen())
        fixture.queue.append(.speech("Three."))
        let device = QueueDevice(depth: 100_000)
        let playback = fixture.queue.start(into: device)
        await onThread("device") { device.wait(for: 500) }
        #expect(recognizer.openings == 0)
        device.play(1_000_000)
        let told = await told(playback)
        try await playback.finish()
        #expect(
            told == [
                "0 began", "0 ended", "1 began", "1 listening", "1 yes", "1 yes please", "1 = yes please", "1 ended",
                "2 began", "2 ended",
            ])
        #expect(fixture.engine.spoken == ["One two.", "Three."] && recognizer.openings == 1)
        #expect(device.samples.filter { $0 != 0 }.count == 1400)
    }

    @Test("The microphone opens while a different channel keeps playing")
    func besideBackground() async throws {
        let recognizer = ScriptedRecognizer(Self.answer)
        let fixture = try Fixture(hearing: recognizer)
        let clip = try fixture.ramp("a.wav", frames: 100_000).path
        // The clip starts after the speech, because a channel that is already playing does not wait for late speech.
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.cue(.clip(clip), on: "background"))
        fixture.queue.append(.listen())
        // The device accepts only part of the clip, so that the clip is still playing when the microphone opens.
        let device = QueueDevice(depth: 4000)
        let playback = fixture.queue.start(into: device)
        device.play(20_000)
        await recognizer.waitUntilClosed()
        #expect(device.samples.count < 100_000)
        device.play(1_000_000)
        #expect(await told(playback).contains("2 = yes please"))
        try await playback.finish()
    }

    @Test("Speech stops at the first recognized word if the listening item requests it")
    func interrupting() async throws {
        let recognizer = ScriptedRecognizer([.silence(.seconds(1)), .speech("stop it now", .seconds(1))])
        let fixture = try Fixture(hearing: recognizer)
        let text = String(repeating: "One two three. ", count: 100)
        fixture.queue.append(.speech(text))
        fixture.queue.append(.listen(interrupting: true))
        fixture.queue.append(.speech("Done."))
        // The device does not play its frames until the microphone has read everything.
        let device = QueueDevice(depth: 8000)
        let playback = fixture.queue.start(into: device)
        await recognizer.waitUntilClosed()
        device.play(10_000_000)
        let told = await told(playback)
        try await playback.finish()
        #expect(told.first == "0 began" && told.contains("0 skipped") && told.contains("1 = stop it now"), "\(told)")
        #expect(told.suffix(3) == ["1 ended", "2 began", "2 ended"])
        #expect(device.samples.filter { $0 != 0 }.count < text.utf8.count * Fixture.framesPerByte / 2)
        #expect(fixture.engine.spoken.contains("Done."))
    }

    @Test("After a sound that is not a word, listening continues while speech is playing")
    func coughing() async throws {
        let recognizer = ScriptedRecognizer(takes: [
            [.silence(.seconds(1)), .speech("", .milliseconds(500))], [.speech("stop it now", .seconds(1))],
        ])
        let fixture = try Fixture(hearing: recognizer)
        fixture.queue.append(.speech(String(repeating: "One two three. ", count: 100)))
        fixture.queue.append(.listen(interrupting: true))
        let device = QueueDevice(depth: 8000)
        let playback = fixture.queue.start(into: device)
        await recognizer.waitUntilClosed(times: 2)
        device.play(10_000_000)
        let told = await told(playback)
        try await playback.finish()
        #expect(told.contains("0 skipped") && told.contains("1 = stop it now") && !told.contains("1 = "), "\(told)")
    }

    @Test("The microphone closes immediately when the queue is stopped or the item is skipped")
    func stopping() async throws {
        for isSkipped in [false, true] {
            let recognizer = ScriptedRecognizer([.silence(.seconds(1)), .held])
            let fixture = try Fixture(hearing: recognizer)
            fixture.queue.append(.listen())
            let device = QueueDevice(depth: 1000)
            device.play(1_000_000)
            let playback = fixture.queue.start(into: device)
            await recognizer.waitUntilOpen()
            if isSkipped {
                fixture.queue.skip()
                try await playback.finish()
            } else {
                playback.stop()
                await #expect(throws: SpeechError.self) { try await playback.finish() }
            }
            await recognizer.waitUntilClosed()
            #expect(recognizer.heard <= .milliseconds(1010))
        }
    }

    @Test("Without a recognizer, the item fails, and the queue continues if this is requested")
    func failure() async throws {
        let fixture = try Fixture(SpeechQueue.Options(format: Fixture.format, onFailure: .leaveOut))
        fixture.queue.append(.listen())
        fixture.queue.append(.speech("Two."))
        let device = QueueDevice(depth: 100)
        device.play(1_000_000)
        let playback = fixture.queue.start(into: device)
        #expect(await told(playback) == ["0 began", "0 failed", "1 began", "1 ended"])
        try await playback.finish()
    }

    @Test("Listening items are skipped when a queue is written to a file")
    func file() throws {
        let recognizer = ScriptedRecognizer(Self.answer)
        let fixture = try Fixture(hearing: recognizer)
        fixture.queue.append(.speech("One."))
        fixture.queue.append(.listen())
        fixture.queue.append(.speech("Two."))
        let (samples, events) = try fixture.write()
        #expect(isSame(samples, Fixture.spoken("One.Two.")))
        #expect(events.last?.words == "2 ended 800" && recognizer.openings == 0)
    }
}
