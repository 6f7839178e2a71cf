import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestNumbers

@testable import SynthWyoming

@Suite("Skipping audio that has already been received")
struct ReceivedAudioTests {
    @Test(
        "When a text is synthesized again, audio already received is skipped regardless of the chunk sizes",
        arguments: 0..<40)
    func rest(_ seed: Int) {
        var numbers = SeededRandom(UInt64(seed))
        let samples = (0..<600).map { Float($0) }
        func pieces() -> [SpeechPart] {
            var parts: [SpeechPart] = [.begin(sampleRate: 8000, channels: 2)]
            var start = 0
            while start < samples.count {
                let end = min(samples.count, start + 2 * Int.random(in: 1...40, using: &numbers))
                parts.append(.audio(Array(samples[start..<end])))
                start = end
            }
            return parts
        }
        var heard = LeasedAudio()
        var all: [Float] = []
        let count = Int.random(in: 0...20, using: &numbers)
        for part in pieces().prefix(count) {
            heard.add(part)
            if case .audio(let samples) = part { all += samples }
        }
        let begins = heard.remove(from: .begin(sampleRate: 8000, channels: 2)) != nil
        for part in pieces().dropFirst() {
            if case .audio(let samples)? = heard.remove(from: part) { all += samples }
        }
        #expect(all == samples && begins == (count == 0))
    }

    @Test("Events that have already been reported are not repeated")
    func events() {
        let events = (0..<3).map { SpeechEvent(kind: .word, frame: UInt64($0), frameCount: 0, text: $0..<$0 + 1) }
        var heard = LeasedAudio()
        for event in events.prefix(2) { heard.add(.event(event)) }
        #expect(events.compactMap { heard.remove(from: .event($0)) } == [.event(events[2])])
    }
}
