import CSynthEngine
import Foundation
import Testing
import TestSupport

/// The audio that Piper itself generates for a sentence, without noise. Written by `Scripts/measure/parity`.
private struct Golden: Decodable, CustomTestStringConvertible, Sendable {
    /// The distance between two values of `levels`, in samples.
    static let step = 257

    var voice: String
    var speaker: Int
    var phonemes: String
    var ids: [Int64]
    /// The length of each symbol and the pad after it, including begin and end.
    var samples: [Int]
    /// Every `step`-th sample, before any level change.
    var levels: [Float]

    var testDescription: String { "\(voice) \(speaker): \(phonemes)" }

    /// All references. The list is empty if they cannot be read, which a test detects by counting them.
    static let all: [Golden] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        guard let data = try? Data(contentsOf: folder.appending(path: "Fixtures/Piper/sound.json")) else { return [] }
        return (try? JSONDecoder().decode([Golden].self, from: data)) ?? []
    }()

    /// The frames of the phoneme with these symbols, at `position` or after symbols that are not phonemes.
    func frames(of label: [Unicode.Scalar], from position: inout Int) -> Range<Int>? {
        let symbols = Array(phonemes.unicodeScalars)
        while position < symbols.count, " .,;:!?".unicodeScalars.contains(symbols[position]) { position += 1 }
        guard symbols[position...].starts(with: label) else { return nil }
        // The audio for the begin symbol precedes the first symbol.
        let start = samples[...position].reduce(0, +)
        position += label.count
        return start..<samples[...position].reduce(0, +)
    }
}

@Suite(.espeakTurn) struct ReferenceTests {
    @Test(
        "Samples and phoneme boundaries match those of Piper itself, for all speakers", arguments: ["tern", "flock"])
    func sound(name: String) throws {
        let goldens = Golden.all.filter { $0.voice == name }
        #expect(goldens.count == (name == "tern" ? 7 : 10))
        let voice = try Voice(name)
        let model = try voice.load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        for (index, golden) in goldens.enumerated() {
            var request = TestRequest(golden.phonemes, voice: "test-voice")
            request.kind = SYNTH_PHONEMES.rawValue
            request.serial = UInt64(index + 1)
            if name == "flock" { request.speaker = "\(golden.speaker)" }
            let recording = lane.speak(request)
            #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.violations)")
            #expect(recording.frameCount == golden.samples.reduce(0, +))
            let speaker = name == "flock" ? Int64(golden.speaker) : nil
            #expect(distance(recording.samples, try voice.bare(golden.ids, speaker: speaker)) <= 1e-5)
            let levels = stride(from: 0, to: recording.samples.count, by: Golden.step).map { recording.samples[$0] }
            // In Piper, the runtime prepacks weights and therefore adds them in a different order. The sines of the
            // voice with four speakers amplify the difference.
            #expect(distance(levels, golden.levels) <= (name == "flock" ? 3e-3 : 1e-5), "\(golden.testDescription)")
            try compare(recording.events, golden)
        }
    }

    private func distance(_ first: [Float], _ second: [Float]) -> Float {
        guard first.count == second.count else { return .infinity }
        return zip(first, second).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
    }

    /// Compares frames exactly.
    private func compare(_ events: [Recording.Event], _ golden: Golden) throws {
        var position = 0
        for event in events where event.kind == SYNTH_PHONEME.rawValue {
            let label = Array(try #require(event.label).unicodeScalars)
            let expected = try #require(golden.frames(of: label, from: &position), "\(golden.testDescription)")
            #expect(event.frame == UInt64(expected.lowerBound), "\(event) of \(golden.testDescription)")
            #expect(event.frameCount == UInt64(expected.count), "\(event) of \(golden.testDescription)")
        }
        let rest = golden.phonemes.unicodeScalars.dropFirst(position)
        #expect(rest.allSatisfy { ".?! ".unicodeScalars.contains($0) })
    }

    private static func isWord(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.contains { $0.properties.isAlphabetic || $0.properties.numericType == .decimal }
    }

    @Test("The words of a long text are in order and at their positions, regardless of the marks between them")
    func longText() throws {
        let paragraph = """
            The ferry (a small, grey one) left at dawn, and the gulls 🕊️ followed it past the pier. Nobody in the \
            cafe\u{301} of Mrs. Lindqvist had seen a night like that: wind, hail, thunder… “Shut the window!” cried \
            Zoe\u{308}, but the nai\u{308}ve waiter 👨🏽‍🍳 was already outside, holding 3 umbrellas against the storm — \
            all of them broken. By 7 o'clock the harbour was quiet again; one could hear the ropes. It isn't often \
            that a town of 900 people wakes up without its bells 🔔🔔 or its trams. Those who went to the quay found \
            sea-grass on the benches, a hat, and half of somebody's door. 
            """
        let text = String(repeating: paragraph + " ", count: 3)
        let edges = Set(".,;:!?…“”()—".unicodeScalars)
        let expected = text.split(whereSeparator: \.isWhitespace).map { token -> [Unicode.Scalar] in
            var scalars = Array(token.unicodeScalars)[...]
            while let first = scalars.first, edges.contains(first) { scalars.removeFirst() }
            while let last = scalars.last, edges.contains(last) { scalars.removeLast() }
            return Array(scalars)
        }.filter(Self.isWord)
        #expect(expected.count >= 300)

        let recording = try Voice().speak(text)
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.violations)")
        // Emoji for which espeak-ng has names are treated as words.
        let words = recording.words.map { Array($0.unicodeScalars) }.filter(Self.isWord)
        let isSame = words == expected
        #expect(isSame, "\(words.count) words of \(expected.count)")
        var end = 0
        var frame: UInt64 = 0
        for event in recording.events where event.kind == SYNTH_WORD.rawValue {
            #expect(event.bytes.lowerBound >= end && event.frame >= frame && event.frameCount > 0)
            end = event.bytes.upperBound
            frame = event.frame + event.frameCount
        }
        #expect(frame <= UInt64(recording.frameCount))
        #expect(Double(frame) > 0.98 * Double(recording.frameCount))
    }
}
