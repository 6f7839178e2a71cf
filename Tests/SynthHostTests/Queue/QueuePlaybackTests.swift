import Foundation
import SynthAudio
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Queue playback", .timeLimit(.minutes(60)))
struct QueuePlaybackTests {
    private typealias Fixture = QueueFixture

    private static func isCancelled(_ error: any Error) -> Bool {
        (error as? SpeechError)?.code == .cancelled
    }

    /// Ten minutes in frames. No item is late if ten minutes of audio are still queued.
    private static let tenMinutes = 600 * Fixture.rate
    private static let open = SpeechQueue.Options(format: Fixture.format, staysOpen: true)

    @Test("A channel keeps playing while a different channel is late")
    func lateChannel() async throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.wav", frames: 8000)
        fixture.engine.hold()
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.clip(path), to: "bed")
        let device = QueueDevice(depth: 4000, before: Self.tenMinutes)
        let playback = fixture.queue.start(into: device)
        await onThread("device") { device.wait(for: 4000) }
        #expect(isSame(device.samples, Array(clip.prefix(4000))))
        fixture.engine.release()
        device.deepen(by: 100_000)
        try await playback.finish()
        // The device has played the complete speech, at some position during or after the clip.
        let heard = device.samples
        let difference = heard.indices.map { heard[$0] - ($0 < clip.count ? clip[$0] : 0) }
        #expect(difference.filter { abs($0 - 0.25) < 1e-4 }.count == 800)
        #expect(difference.filter { abs($0) > 1e-4 }.count == 800)
    }

    @Test("As long as the device has samples, the queue waits for late items so that items are played back to back")
    func prepared() async throws {
        let fixture = try Fixture()
        let (long, first) = try fixture.ramp("long.wav", frames: 16_000)
        let (path, clip) = try fixture.ramp("a.wav", frames: 3000)
        fixture.queue.append(.clip(long))
        var expected = first
        for _ in 0..<5 {
            fixture.queue.append(.speech("One two."))
            fixture.queue.append(.clip(path))
            expected += Fixture.spoken("One two.") + clip
        }
        let device = QueueDevice(depth: 1_000_000, before: Self.tenMinutes)
        try await fixture.queue.start(into: device).finish()
        let heard = device.samples
        #expect(heard.count == expected.count)
        // The beginning is played before the device's queue fills, so it may contain gaps.
        #expect(isSame(Array(heard.dropFirst(8000)), Array(expected.dropFirst(8000))))
    }

    @Test("The queue accepts items while playing and waits for more until it is finished")
    func appended() async throws {
        let fixture = try Fixture(Self.open)
        let device = QueueDevice()
        device.play(1_000_000)
        let playback = fixture.queue.start(into: device)
        for text in ["One.", "Two.", "Three."] {
            let count = device.samples.count
            fixture.queue.append(.speech(text))
            await onThread("device") { device.wait(for: count + text.utf8.count * Fixture.framesPerByte) }
        }
        #expect(!device.isFinished)
        fixture.queue.finish()
        try await playback.finish()
        // There may be silence between items, to give a device time to play the end of the audio.
        #expect(isSame(device.samples.filter { $0 != 0 }, Fixture.spoken("One.Two.Three.")) && device.isFinished)
    }

    @Test("A queue that is no longer referenced ends after the items that were appended")
    func letGo() async throws {
        let device = QueueDevice()
        device.play(1_000_000)
        func start() throws -> QueuePlayback {
            let fixture = try Fixture(Self.open)
            fixture.queue.append(.speech("One."))
            return fixture.queue.start(into: device)
        }
        try await start().finish()
        #expect(isSame(Array(device.samples.prefix(400)), Fixture.spoken("One.")))
    }

    @Test("The queue can be played again with different items")
    func again() async throws {
        let fixture = try Fixture()
        for text in ["One.", "Two."] {
            fixture.queue.append(.speech(text))
            let device = QueueDevice()
            device.play(1_000_000)
            try await fixture.queue.start(into: device).finish()
            #expect(isSame(device.samples, Fixture.spoken(text)))
        }
    }

    @Test("A queue has only one playback at a time")
    func twice() async throws {
        let fixture = try Fixture(Self.open)
        let first = fixture.queue.start(into: QueueDevice())
        let second = fixture.queue.start(into: QueueDevice())
        await #expect {
            try await second.finish()
        } throws: { error in
            (error as? SpeechError)?.code == .alreadyRead
        }
        second.stop()
        fixture.queue.finish()
        try await first.finish()
    }

    @Test("When an item is skipped, the queue continues with the next one")
    func skipped() async throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.wav", frames: 50_000)
        let (next, rest) = try fixture.ramp("b.wav", frames: 3000)
        fixture.queue.append(.clip(path))
        fixture.queue.append(.clip(next))
        let device = QueueDevice(depth: 4000, before: Self.tenMinutes)
        let playback = fixture.queue.start(into: device)
        await onThread("device") { device.wait(for: 2000) }
        fixture.queue.skip()
        device.deepen(by: 100_000)
        try await playback.finish()
        let heard = device.samples
        #expect(heard.count < 10_000)
        #expect(isSame(Array(heard.prefix(1900)), Array(clip.prefix(1900))))
        #expect(isSame(Array(heard.suffix(3000)), rest))
        var events: [String] = []
        for await event in playback.events { events.append(event.words) }
        #expect(events.count == 4 && events[1].hasPrefix("0 skipped"))
    }

    @Test("Clearing one channel does not affect other channels")
    func cleared() async throws {
        let fixture = try Fixture()
        let (path, clip) = try fixture.ramp("a.wav", frames: 10_000)
        for _ in 0..<50 { fixture.queue.append(.speech("One two.")) }
        fixture.queue.append(.clip(path), to: "bed")
        let device = QueueDevice(depth: 4000, before: Self.tenMinutes)
        let playback = fixture.queue.start(into: device)
        await onThread("device") { device.wait(for: 2000) }
        fixture.queue.clear()
        device.deepen(by: 100_000)
        try await playback.finish()
        let heard = device.samples
        // The clip may have started slightly after the speech.
        #expect(heard.count >= clip.count)
        #expect(isSame(Array(heard.suffix(5000)), Array(clip.suffix(5000))))
        var endings = (complete: 0, skipped: 0)
        for await event in playback.events {
            switch event.kind {
            case .ended(.complete): endings.complete += 1
            case .ended(.skipped): endings.skipped += 1
            default: break
            }
        }
        // The clip and the items played before it are complete. An item that had started is skipped, and the remaining items
        // never started.
        #expect((1...8).contains(endings.complete) && (1...4).contains(endings.skipped))
    }

    @Test("Stopping silences the queue immediately and drops all queued items", arguments: [false, true])
    func stopped(byQueue: Bool) async throws {
        let fixture = try Fixture(Self.open)
        let (path, _) = try fixture.ramp("a.flac", frames: 400_000)
        let session = try await fixture.session()
        let queue = fixture.queue
        for _ in 0..<100 {
            queue.append(.clip(path))
            queue.append(.speech("One two three four.", by: session))
            queue.append(.clip(path), to: "bed")
        }
        fixture.engine.hold()
        queue.append(.speech("Held.", by: session), to: "late")
        let device = QueueDevice()
        let playback = queue.start(into: device)
        device.play(1000)
        await onThread("device") { device.wait(for: 1000) }
        if byQueue { queue.stop() } else { playback.stop() }
        await #expect {
            try await playback.finish()
        } throws: {
            Self.isCancelled($0)
        }
        #expect(device.isStopped && device.samples.count == 1000)
        for await event in playback.events { Issue.record("\(event.words) came after the end.") }
        fixture.engine.release()
        queue.append(.speech("End."))
        queue.finish()
        let after = QueueDevice()
        after.play(1_000_000)
        try await queue.start(into: after).finish()
        #expect(isSame(after.samples, Fixture.spoken("End.")))
    }

    @Test("Writing ends when the task is cancelled, even before the first samples", arguments: [false, true])
    func cancelled(isHeld: Bool) async throws {
        let fixture = try Fixture(Self.open)
        if isHeld { fixture.engine.hold() }
        fixture.queue.append(.speech("One two three."))
        let sink = FakeSink()
        let task = Task { [queue = fixture.queue] in try await queue.write(into: sink) }
        await onThread("engine") { [engine = fixture.engine] in engine.waitForSentences(1) }
        task.cancel()
        await #expect {
            try await task.value
        } throws: {
            Self.isCancelled($0)
        }
        #expect(sink.now.isStopped)
    }

    @Test("All threads started by the queue exit")
    func threads() async throws {
        let fixture = try Fixture()
        let (path, _) = try fixture.ramp("a.wav", frames: 100_000)
        let alive = Monitor(0)
        final class Token: Sendable {
            let alive: Monitor<Int>
            init(_ alive: Monitor<Int>) {
                self.alive = alive
                alive.update { $0 += 1 }
            }
            deinit { alive.update { $0 -= 1 } }
        }
        let session = try await fixture.session()
        for _ in 0..<20 {
            let token = Token(alive)
            fixture.queue.append(
                .speech(making: { () throws(SpeechError) in
                    withExtendedLifetime(token) { session.speak("One two three four five.") }
                }))
            fixture.queue.append(.clip(path))
        }
        #expect(alive.read { $0 } == 20)
        let device = QueueDevice()
        let playback = fixture.queue.start(into: device)
        device.play(5000)
        await onThread("device") { device.wait(for: 5000) }
        playback.stop()
        try? await playback.finish()
        // The last thread may still be exiting, so wait for it.
        let isGone = await onThread("watch") { alive.wait(timeout: .seconds(300)) { $0 == 0 ? true : nil } }
        #expect(isGone == true)
    }

    @Test("Events arrive when their audio is played and not earlier")
    func events() async throws {
        let fixture = try Fixture()
        let (path, _) = try fixture.ramp("a.wav", frames: 2000)
        fixture.queue.append(.speech("One two."))
        fixture.queue.append(.clip(path))
        let device = QueueDevice()
        let playback = fixture.queue.start(into: device)
        var events = playback.events.makeAsyncIterator()
        device.play(1)
        #expect(await events.next(isolation: nil)?.words == "0 began 0")
        #expect(await events.next(isolation: nil)?.words == "0 sentence 0 0 0..<8")
        #expect(await events.next(isolation: nil)?.words == "0 word 0 0 0..<3")
        #expect(device.samples.count < 400)
        device.play(100_000)
        var rest: [String] = []
        while let event = await events.next(isolation: nil) {
            // On a busy machine, the clip may be read late.
            if case .late = event.kind { continue }
            rest.append(event.words)
        }
        #expect(rest == ["0 word 400 400 4..<8", "0 ended 800", "1 began 800", "1 ended 2800"])
        try await playback.finish()
    }

    @Test("On an ALSA device, the clip follows the speech without a gap, accurate to the sample")
    func device() async {
        await #expect(processExitsWith: .success) {
            let fixture = try QueueFixture(SpeechQueue.Options())
            try """
            pcm.recorder { type file slave.pcm { type null } file "\(fixture.folder.file("out.wav"))" format "wav" }
            """.write(toFile: fixture.folder.file("asound.conf"), atomically: true, encoding: .utf8)
            setenv("ALSA_CONFIG_PATH", fixture.folder.file("asound.conf"), 1)
            let engine = TestEngine(sampleRate: 48_000, framesPerByte: 1000)
            let host = SpeechHost(testing: engine)
            let queue = SpeechQueue(host)
            let clip = (0..<4800).map { (frame: Int) -> Float in 0.5 + Float(frame) / 32_768 }
            let path = try fixture.write(clip, "clip.wav", AudioFormat(sampleRate: 48_000, channels: 1))
            queue.append(.speech("One two."))
            queue.append(.clip(path))
            queue.append(.speech("End."))
            try await queue.play(on: .device("recorder"))
            let wav = try ParsedWAV(fixture.folder.data("out.wav"))
            #expect(wav.sampleRate == 48_000 && wav.channels == 2)
            let left = stride(from: 0, to: wav.samples.count, by: 2).map { wav.samples[$0] }
            #expect(left.count == 8000 + 4800 + 4000)
            // The device consumes samples faster than they are generated, so it may underrun and fade anywhere. All
            // samples of the clip differ, so every sample that is not faded must be at its position.
            let inPlace = clip.indices.count { left[8000 + $0] == FloatPCM.int16(clip[$0]) }
            #expect(inPlace > 2400)
            let speech = left[..<8000] + left[12_800...]
            #expect(speech.allSatisfy { $0 <= FloatPCM.int16(0.25) } && speech.contains(FloatPCM.int16(0.25)))
        }
    }
}
