import CSynthEngine
import Foundation
import Testing
import TestSupport
import TinyModels

/// Audio that a listener is waiting for, from models that run in parts and from models that do not.
@Suite(.espeakTurn) struct PartsTests {
    private static let text = "the mill by the river sleeps, and the miller with it."

    private let cache: TemporaryFolder

    init() throws {
        cache = try TemporaryFolder()
    }

    private func awaited(_ voice: Voice, _ text: String = text, wants: UInt32 = .max) -> TestRequest {
        var request = voice.request(text)
        request.flags = SYNTH_AWAITED.rawValue
        request.wants = wants
        return request
    }

    @Test("Awaited audio is written in parts, with the same samples and events", arguments: [true, false])
    func inParts(isFirstLoad: Bool) throws {
        let voice = try Voice.tiny()
        var model = try voice.load(cacheDirectory: cache.path)
        var lane = try model.open()
        let first = lane.speak(voice.request(Self.text))
        if !isFirstLoad {
            lane.close()
            model.unload()
            model = try voice.load(cacheDirectory: cache.path)
            lane = try model.open()
        }
        let whole = lane.speak(voice.request(Self.text))
        let parts = lane.speak(awaited(voice))
        #expect(parts.status == SYNTH_OK && parts.violations.isEmpty, "\(parts.violations)")
        for recording in [whole, parts] {
            #expect(relativeDifference(first.samples, recording.samples) <= 1e-5)
            #expect(recording.events == first.events)
        }
        #expect(first.words.count == 11)
        // One call to begin, and one per part. On a slow machine, there are more parts.
        #expect(lane.speak(awaited(voice, wants: 0)).calls >= 3)
        var request = voice.request(Self.text)
        request.wants = 0
        #expect(lane.speak(request).calls == 2)
        lane.close()
        model.unload()
    }

    @Test(
        "A listener that stops between parts receives no more audio, and the next request is complete", arguments: 1...3
    )
    func cancel(calls: Int) throws {
        let voice = try Voice.tiny()
        let model = try voice.load(cacheDirectory: cache.path)
        let lane = try model.open()
        let whole = lane.speak(voice.request(Self.text))
        let stopped = lane.speak(awaited(voice, wants: 0)) { $0.calls < calls }
        #expect(stopped.status == SYNTH_CANCELLED && stopped.calls == calls)
        let after = lane.speak(awaited(voice))
        #expect(relativeDifference(whole.samples, after.samples) <= 1e-5)
        lane.close()
        model.unload()
    }

    @Test("If a listener is waiting, a voice that cannot run in parts starts with a clause; words keep their positions")
    func clause() throws {
        let voice = try Voice()
        let text = "The mill by the river sleeps, and the old miller sleeps there with it."
        let whole = try voice.speak(text)
        let clause = try voice.speak(text) { $0.flags = SYNTH_AWAITED.rawValue }
        #expect(clause.status == SYNTH_OK && clause.violations.isEmpty, "\(clause.violations)")
        #expect(clause.words == whole.words && clause.words.count == 14)
        // One call to begin, and one per run of the model.
        #expect(try voice.speak(text) { $0.wants = 0 }.calls == 2)
        #expect(try speakAwaited(voice, text).calls == 3)
        #expect(try speakAwaited(voice, "The mill, the river.").calls == 2)
    }

    private func speakAwaited(_ voice: Voice, _ text: String) throws -> Recording {
        try voice.speak(text) {
            $0.flags = SYNTH_AWAITED.rawValue
            $0.wants = 0
        }
    }
}
