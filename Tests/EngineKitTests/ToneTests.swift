import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite("The Tone engine")
struct ToneTests {
    let engine: LoadedEngine
    let lane: LoadedLane

    init() throws {
        engine = try LoadedEngine(product: "Tone")
        lane = try engine.open()
    }

    func speak(_ text: String, voice: String = "sine", rate: Float = 1, pitch: Float = 1) -> Recording {
        var request = TestRequest(text, voice: voice)
        request.rate = rate
        request.pitch = pitch
        return lane.speak(request)
    }

    @Test("The engine reports its ID, its license and its voices")
    func describes() {
        #expect(String(cString: engine.description.id) == "tone")
        #expect(String(cString: engine.description.license) == "Apache-2.0")
        #expect(engine.voices.map { String(cString: $0.id) } == ["sine", "low", "buzz"])
        #expect(engine.voices.map { String(cString: $0.name) } == ["Sine", "Low", "Buzz"])
        #expect(engine.roles.map { String(cString: $0.name) } == ["pitch"])
    }

    @Test("Events mark exactly the words and sentences of a text, at character boundaries")
    func marksWords() {
        let recording = speak("Grüße, 2 naïve cafés! Straße? 😀 مرحبا e\u{301}te\u{301}.")
        #expect(recording.status == SYNTH_OK)
        #expect(recording.violations.isEmpty)
        #expect(recording.words == ["Grüße", "2", "naïve", "cafés", "Straße", "😀", "مرحبا", "e\u{301}te\u{301}"])
        #expect(recording.events.filter { $0.kind == SYNTH_SENTENCE.rawValue }.map(\.bytes.lowerBound) == [0, 26, 35])
    }

    @Test("Longer texts take longer, and punctuation causes pauses")
    func followsText() {
        let word = speak("word").frameCount
        #expect(speak("wordword").frameCount == 2 * word)
        #expect(speak("word. word").frameCount > speak("word word").frameCount)
    }

    @Test("Text without words produces no audio", arguments: ["", " \n\t", "...", " - (!) "])
    func saysNothing(text: String) {
        let recording = speak(text)
        #expect(recording.status == SYNTH_OK && recording.calls == 0)
    }

    @Test("Identical requests produce identical samples in all lanes")
    func isDeterministic() throws {
        let first = speak("The same, again.", voice: "buzz", rate: 1.3, pitch: 1.1)
        _ = speak("Something else.")
        var request = TestRequest("The same, again.", voice: "buzz")
        request.rate = 1.3
        request.pitch = 1.1
        let second = try engine.open().speak(request)
        #expect(first.samples == second.samples && first.events == second.events)
        #expect(!first.samples.isEmpty)
    }

    @Test(
        "The audio has a peak near 0.5, starts and ends in silence, and contains no clicks",
        arguments: ["sine", "low", "buzz"])
    func isSmooth(voice: String) {
        let samples = speak("Smooth, is it?", voice: voice).samples
        let peak = samples.map { abs($0) }.max() ?? 0
        #expect(peak > 0.4 && peak <= 0.51)
        #expect(abs(samples.first ?? 1) < 0.01 && abs(samples.last ?? 1) < 0.02)
        let jump = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 1
        #expect(jump < 0.1)
    }

    @Test("The duration is divided by the rate", arguments: [Float(0.25), 0.5, 2, 4])
    func honoursRate(rate: Float) {
        let plain = Float(speak("Some words to speak, twice.").frameCount)
        let changed = Float(speak("Some words to speak, twice.", rate: rate).frameCount)
        #expect(abs(changed * rate / plain - 1) < 0.01)
    }

    @Test(
        "The pitch multiplies the frequency and does not change the duration", arguments: [Float(0.5), 0.8, 1.25, 2])
    func honoursPitch(pitch: Float) throws {
        let text = "eeeeeeeeeeeeeeee"
        let plain = speak(text, voice: "low")
        let changed = speak(text, voice: "low", pitch: pitch)
        #expect(plain.frameCount == changed.frameCount)
        let before = try #require(fundamentalFrequency(plain.samples, sampleRate: plain.sampleRate))
        let after = try #require(fundamentalFrequency(changed.samples, sampleRate: changed.sampleRate))
        #expect(abs(after / before / Double(pitch) - 1) < 0.03)
    }

    @Test("The frequency of a blend lies between the frequencies of its voices")
    func blends() throws {
        var request = TestRequest("eeeeeeeeeeee", voice: "sine")
        request.voices = [("sine", 0.5), ("low", 0.5)]
        let blend = lane.speak(request)
        let frequencies = [speak(request.text, voice: "low"), blend, speak(request.text, voice: "sine")].compactMap {
            fundamentalFrequency($0.samples, sampleRate: $0.sampleRate)
        }
        #expect(frequencies.count == 3)
        #expect(frequencies == frequencies.sorted() && Set(frequencies).count == 3)
    }

    @Test("An unknown voice is rejected with a message")
    func refusesVoice() {
        let recording = speak("Hello", voice: "heart")
        #expect(recording.status == SYNTH_BAD_REQUEST)
        #expect(!recording.outcome.message.isEmpty && recording.calls == 0)
    }

    @Test("Audio is written in chunks of at most 100 ms")
    func writesPieces() {
        var frames: [Int] = []
        var request = TestRequest("Pieces of a slow sentence.", voice: "sine")
        request.rate = 0.25
        let recording = lane.speak(request) { recording in
            frames.append(recording.frameCount)
            return true
        }
        let longest = zip(frames, frames.dropFirst()).map { $1 - $0 }.max() ?? .max
        #expect(longest * 10 <= recording.sampleRate)
    }

    @Test("A cancellation, or a sink call that returns false, ends a request immediately, and the next one is complete")
    func stops() {
        let lane = lane
        let whole = speak("A sentence to stop.").samples
        for call in 1...40 {
            var request = TestRequest("A sentence to stop.", voice: "sine")
            request.serial = UInt64(call)
            let stopped = lane.speak(request) { recording in
                if recording.calls == call, call.isMultiple(of: 2) { lane.cancel(UInt64(call)) }
                return recording.calls < call || call.isMultiple(of: 2)
            }
            #expect(stopped.status == SYNTH_CANCELLED)
            #expect(stopped.calls <= call + 2)
            #expect(stopped.violations.isEmpty)
            request.serial = UInt64(call) + 1
            #expect(lane.speak(request).samples == whole)
        }
    }

    @Test("The engine speaks 64 KiB of text without violating a rule")
    func speaksLongText() {
        let text = String(repeating: "Ein längerer Satz über Größe 😀. ", count: 1800)
        var request = TestRequest(String(text.prefix(60_000)), voice: "low")
        request.rate = 4
        let recording = lane.speak(request)
        #expect(recording.status == SYNTH_OK)
        #expect(recording.violations.isEmpty)
        #expect(recording.words.count > 10_000)
    }
}
