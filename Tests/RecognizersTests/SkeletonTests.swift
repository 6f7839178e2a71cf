import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Scripts/new-engine's recognizer templates", .ownThreads)
struct SkeletonTests {
    /// The parts that both recognizers must report for the audio.
    private static var told: [RecognizedPart] {
        [8000..<24_000, 32_000..<41_600, 48_000..<52_800].enumerated().flatMap { index, frames -> [RecognizedPart] in
            let (begin, end) = (UInt64(frames.lowerBound), UInt64(frames.upperBound))
            let number = String(index + 1)
            func word(to end: UInt64) -> [RecognizedWord] {
                [RecognizedWord(text: 0..<number.utf8.count, frames: begin..<end)]
            }
            return [
                .speechBegins(frame: begin),
                .text(
                    RecognizedText(
                        number, isFinal: false, stable: 1, frames: begin..<begin + 160, words: word(to: begin + 160))),
                .speechEnds(frame: end),
                .text(RecognizedText(number, frames: begin..<end, words: word(to: end))),
            ]
        }
    }

    @Test(
        "A template builds without warnings, and its recognizer counts the stretches of speech",
        arguments: ["--c", "--swift"])
    func hears(language: String) throws {
        let fixture = try RecognizerFixture(skeleton: "my-ear", language)
        let described = try fixture.recognizer().description
        #expect(described.id == "my-ear" && described.name == "My Ear" && described.sampleRate == 16_000)
        #expect(described.capabilities.contains([.transcribes, .detectsSpeech, .givesPartials, .isExample]))
        #expect(described.models.map(\.id) == ["count"] && described.models[0].languages == ["en"])
        let lane = try fixture.lane()
        #expect(try listen(lane) == Self.told)
        for piece in [64, 6400] {
            #expect(try listen(lane, to: CompleteAudio(CompleteAudio.three, piece: piece)) == Self.told)
        }
        // Only the requested parts are reported, and silence yields an empty text.
        #expect(try listen(lane, RecognitionJob()).count == 3)
        for silence in [[], [Float](repeating: 0, count: 100_000)] {
            #expect(try listen(lane, to: CompleteAudio(silence)) == [.text(RecognizedText("", frames: 0..<0))])
        }
        // A request can be stopped, and it can be cancelled while it waits for audio.
        #expect(
            try !lane.listen(RecognitionJob(wants: .everything), to: CompleteAudio(CompleteAudio.three)) { _ in false })
        let live = try LiveSound()
        live.add(Array(CompleteAudio.three.prefix(30_000)))
        let isWhole = try lane.listen(RecognitionJob(wants: .everything), to: live) { part in
            if case .speechEnds = part { startThread("canceller") { lane.cancel() } }
            return true
        }
        #expect(!isWhole && lane.isAlive)
        #expect(try listen(lane) == Self.told)
    }
}
