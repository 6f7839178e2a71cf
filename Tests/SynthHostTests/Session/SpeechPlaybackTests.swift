import SynthAudio
import SynthCatalogue
import SynthEngineWire
import SynthHostTesting
import SynthModelStore
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Speech playback")
struct SpeechPlaybackTests {
    /// A device that accepts as many frames as the test permits.
    private final class Device: AudioSink {
        private struct State {
            var room = 0
            var frames = 0
            var isStopped = false
        }
        private let state = Monitor(State())
        var isHeard: Bool { true }

        /// Plays `frames` more frames.
        func play(_ frames: Int) { state.update { $0.room += frames } }
        var frames: Int { state.read { $0.frames } }
        /// Blocks until the device has played `frames` frames.
        func wait(for frames: Int) { _ = state.wait { $0.frames >= frames ? true : nil } }

        func begin(_ format: AudioFormat) throws(AudioError) {}

        func write(_ samples: ArraySlice<Float>) throws(AudioError) {
            for _ in samples.indices {
                _ = state.wait { state -> Bool? in
                    if state.isStopped { return true }
                    guard state.room > 0 else { return nil }
                    state.room -= 1
                    state.frames += 1
                    return true
                }
            }
        }

        func finish() throws(AudioError) {}
        func stop() { state.update { $0.isStopped = true } }
    }

    private static func speech(_ text: String) throws -> Speech {
        let voice = SpeechVoice(
            VoiceChoice(voice: try Voice(DeclaredVoice(id: "v", name: "Voice", language: "en"), by: "fake")),
            state: .ready)
        return SpeechSession(
            voice,
            SpeechSession.Source(
                engine: EngineDescription(
                    id: "fake", name: "Fake", version: "1", license: "Apache-2.0", capabilities: [.wordTimes, .streams]),
                voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
                presets: Configuration(), openLane: { _ in TestLane.make(framesPerByte: 160) })
        ).speak(text)
    }

    @Test("Playback reports its position, its level and its end")
    func watched() async throws {
        let device = Device()
        let playback = try Self.speech("One two three.").start(into: device)
        device.play(1600)
        await onThread("device") { device.wait(for: 1600) }
        #expect(playback.state == .playing)
        #expect(abs(playback.level - 0.25) < 0.05)
        device.play(100_000)
        try await playback.finish()
        #expect(playback.state == .ended && playback.level == 0)
        #expect(device.frames == 14 * 160)
        #expect(playback.position == .milliseconds(140))
    }

    @Test("Playback pauses and then resumes at the same position")
    func paused() async throws {
        let device = Device()
        let playback = try Self.speech("One two three.").start(into: device)
        device.play(800)
        await onThread("device") { device.wait(for: 800) }
        playback.pause()
        #expect(playback.state == .paused)
        device.play(100_000)
        // The audio in progress is still played: the current step and the fade-out.
        let reached = await onThread("device") { () -> Int in
            var before = -1
            while before != device.frames {
                before = device.frames
                _ = Monitor(()).wait(timeout: .milliseconds(100)) { _ in Bool?.none }
            }
            return before
        }
        #expect(reached < 14 * 160)
        playback.resume()
        try await playback.finish()
        #expect(device.frames == 14 * 160)
    }

    @Test("Playback stops immediately, even while it is paused", arguments: [false, true], [false, true])
    func stopped(isPaused: Bool, bySpeech: Bool) async throws {
        let device = Device()
        let speech = try Self.speech("One two three.")
        let playback = speech.start(into: device)
        device.play(400)
        await onThread("device") { device.wait(for: 400) }
        if isPaused { playback.pause() }
        if bySpeech { speech.cancel() } else { playback.stop() }
        await #expect {
            try await playback.finish()
        } throws: { error in
            (error as? SpeechError)?.code == .cancelled
        }
        #expect(playback.state == .ended)
    }

    @Test("If the speech has already been read, playback ends immediately")
    func alreadyRead() async throws {
        let device = Device()
        let speech = try Self.speech("One.")
        let first = speech.start(into: device)
        device.play(100_000)
        try await first.finish()
        let second = speech.start(into: device)
        await #expect {
            try await second.finish()
        } throws: { error in
            (error as? SpeechError)?.code == .alreadyRead
        }
        #expect(second.state == .ended)
    }

    @Test("Paused playback ends when its last reference is dropped")
    func letGo() async throws {
        let device = Device()
        let speech = try Self.speech("One two three.")
        var playback: SpeechPlayback? = speech.start(into: device)
        device.play(400)
        await onThread("device") { device.wait(for: 400) }
        playback?.pause()
        #expect(!speech.run.isCancelled)
        playback = nil
        #expect(speech.run.isCancelled)
    }

    @Test("No word is reported after playback has been stopped")
    func eventsAfterStop() async throws {
        let device = Device()
        let playback = try Self.speech("One two three.").start(into: device)
        device.play(1)
        var events = playback.events.makeAsyncIterator()
        _ = await events.next(isolation: nil)
        _ = await events.next(isolation: nil)
        playback.stop()
        #expect(await events.next(isolation: nil) == nil)
    }

    @Test("Words are reported even in a piece that contains no audio")
    func silentPiece() async throws {
        let sound = SoundQueue(lookAhead: .seconds(1))
        let event = SpokenEvent(kind: .word, frame: 159, source: 0..<3)
        _ = sound.begin(AudioFormat(sampleRate: 16_000, channels: 1))
        #expect(sound.push(SoundQueue.Piece(samples: [Float](repeating: 0, count: 160), sourceEnd: 3)))
        #expect(sound.push(SoundQueue.Piece(samples: [], sourceEnd: 3, events: [event])))
        sound.close()
        let sink = FakeSink()
        let control = PlaybackControl<SpokenEvent>(sink: sink)
        _ = try SoundPlayer(sound: sound, sink: sink, isCancelled: { false }, control: control).run(onFailure: {})
        control.end(wasPlayed: true)
        #expect(await control.nextEvent() == event)
    }

    @Test("Words are reported when they are played and not earlier")
    func events() async throws {
        let device = Device()
        let playback = try Self.speech("One two three.").start(into: device)
        device.play(1)
        var events = playback.events.makeAsyncIterator()
        #expect(await events.next(isolation: nil) == .sentence(Speech.Event(frame: 0, source: 0..<14)))
        #expect(await events.next(isolation: nil) == .word(Speech.Event(frame: 0, source: 0..<3)))
        #expect(device.frames < 640)
        device.play(100_000)
        #expect(await events.next(isolation: nil) == .word(Speech.Event(frame: 640, source: 4..<7)))
        #expect(device.frames >= 640)
        #expect(await events.next(isolation: nil) == .word(Speech.Event(frame: 1280, source: 8..<14)))
        #expect(await events.next(isolation: nil) == nil)
        try await playback.finish()
    }
}
