import SynthEngineWire
import Testing

@testable import SynthListening

/// The sample rate is 1000 Hz, so a frame lasts one millisecond.
@Suite("Speech in recordings") struct SpeechPartsTests {
    private func parts(_ ranges: [Range<Int>], count: Int = 20_000, areSure: Bool = true) -> SpeechParts {
        SpeechParts(
            ranges.flatMap { [EnergyDetector.Event.begins($0.lowerBound), .ends($0.upperBound)] }, count: count,
            rate: 1000, areSure: areSure)
    }

    private func text(_ frames: Range<UInt64>, _ words: [Range<UInt64>] = []) -> RecognizedText {
        RecognizedText(
            "word", frames: frames, words: words.map { RecognizedWord(text: 0..<4, frames: $0) })
    }

    @Test("The detector's events are sorted and clipped to the recording") func events() {
        #expect(parts([10..<20, 30..<40]).ranges == [10..<20, 30..<40])
        #expect(parts([10..<50_000]).ranges == [10..<20_000])
        let odd = SpeechParts(
            [.ends(5), .begins(10), .begins(12), .ends(20), .begins(15), .ends(18), .begins(19_000)], count: 20_000,
            rate: 1000, areSure: true)
        #expect(odd.ranges == [10..<20, 19_000..<20_000])
    }

    @Test("Speech and its surroundings are kept, and all other audio is silenced") func kept() {
        let samples = [Float](repeating: 0.5, count: 20_000)
        let kept = parts([5000..<6000, 6500..<7000, 12_000..<13_000]).kept(of: samples)
        #expect(kept.count == samples.count)
        for (index, sample) in kept.enumerated() {
            let near = [4600..<7400, 11_600..<13_400].contains { $0.contains(index) }
            #expect((sample != 0) == near, "\(index)")
        }
        #expect(kept[5500] == 0.5 && kept[6300] == 0.5 && kept[4601] < 0.1)
        // Speech may start and end with the recording.
        #expect(parts([0..<20_000]).kept(of: samples) == samples)
        // Speech that was detected only by loudness is uncertain, so nothing is silenced.
        #expect(parts([5000..<6000], areSure: false).kept(of: samples) == samples)
    }

    @Test("Word times are clipped to speech and never decrease") func bounded() {
        let found = parts([1000..<2400, 9900..<11_500]).bounded([
            text(0..<7000, [1000..<1640, 1640..<9680]),
            text(9680..<12_000, [9680..<11_560, 11_560..<11_560]),
            text(11_000..<11_400, [10_900..<11_000]),
        ])
        #expect(
            found.map { $0.words.map(\.frames) } == [
                [1000..<1640, 1640..<2500], [9800..<11_560, 11_560..<11_560], [11_560..<11_560],
            ])
        #expect(found.map(\.frames) == [1000..<2500, 9800..<11_560, 11_560..<11_560])
        // The times of text without word times are also clipped.
        #expect(parts([1000..<2400]).bounded([text(0..<7000)]).map(\.frames) == [900..<2500])
    }

    @Test("If a detector is certain, text without speech is omitted") func invented() {
        let told = [text(500..<800), text(1000..<2000)]
        let found = parts([1200..<2000]).bounded(told)
        #expect(found.map(\.leftOut) == [.nobodySpeaks, nil] && found[1].frames == 1100..<2000)
        #expect(found.map(\.isFinal) == [false, true] && found[0].frames == 500..<800)
        #expect(parts([]).bounded(told).map(\.leftOut) == [.nobodySpeaks, .nobodySpeaks])
        #expect(parts([], areSure: false).bounded(told) == told)
        // A short sound, and a word hallucinated for it.
        for (length, confidence, isSaid) in [(300, 0.3, false), (300, 0.6, true), (700, 0.3, true)] {
            var word = text(1000..<2000)
            word.confidence = Float(confidence)
            let found = parts([1000..<1000 + length]).bounded([word]).map(\.leftOut)
            #expect(found == [isSaid ? nil : .hardlyLikely], "\(length) \(confidence)")
        }
    }

    @Test(
        "Symbols without words are not treated as text",
        arguments: [
            (".", false), ("...", false), ("♪ ♪", false), ("●●●� !", false), ("7", true), ("Yes.", true), ("日本", true),
            ("½", true),
        ]) func words(said: String, hasWords: Bool)
    { #expect(RecognizedText(said, frames: 0..<1).hasWords == hasWords) }
}
