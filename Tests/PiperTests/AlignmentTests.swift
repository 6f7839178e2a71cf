import CSynthEngine
import Foundation
import TestSupport
import Testing

/// A sentence, and how long Piper itself says that each of its symbols sounds. `Scripts/parity` writes it.
private struct Alignment: Decodable, CustomTestStringConvertible, Sendable {
    struct Part: Decodable, Sendable {
        var symbol: String
        var samples: Int
    }

    var phonemes: String
    /// From `^` to `$`, each with the pad behind it.
    var alignments: [Part]

    var testDescription: String { phonemes }

    static let all: Result<[Alignment], any Error> = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Fixtures/Piper/alignments.json"))
        return try JSONDecoder().decode([Alignment].self, from: data)
    }

    /// Where a phoneme of these symbols that begins at or behind a part sounds.
    func frames(of label: String, from part: inout Int) -> (start: Int, count: Int)? {
        let symbols = label.unicodeScalars.map { String($0) }
        while part + symbols.count <= alignments.count {
            defer { part += 1 }
            guard alignments[part..<part + symbols.count].map(\.symbol) == symbols else { continue }
            let start = alignments[..<part].map(\.samples).reduce(0, +)
            let count = alignments[part..<part + symbols.count].map(\.samples).reduce(0, +)
            part += symbols.count - 1
            return (start, count)
        }
        return nil
    }
}

@Suite(.espeakTurn) struct AlignmentTests {
    @Test("the edges of phonemes are those that Piper itself tells, to the sample")
    func edges() throws {
        let voice = try Voice()
        let model = try voice.load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        let alignments = try Alignment.all.get()
        #expect(alignments.count >= 7)
        for (index, alignment) in alignments.enumerated() {
            var request = TestRequest(alignment.phonemes, voice: "test-voice")
            request.kind = SYNTH_PHONEMES.rawValue
            request.serial = UInt64(index + 1)
            let recording = lane.speak(request)
            #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.violations)")
            #expect(recording.frameCount == alignment.alignments.map(\.samples).reduce(0, +))
            var part = 1
            var letters = 0
            for event in recording.events where event.kind == SYNTH_PHONEME.rawValue {
                let label = try #require(event.label)
                let expected = try #require(alignment.frames(of: label, from: &part), "\(label)")
                #expect(Int(event.frame) == expected.start, "\(label) in \(alignment.phonemes)")
                #expect(Int(event.frameCount) == expected.count, "\(label) in \(alignment.phonemes)")
                letters += label.unicodeScalars.count
            }
            let spoken = alignment.phonemes.unicodeScalars.filter { !" .,;:!?".unicodeScalars.contains($0) }
            #expect(letters == spoken.count)
        }
    }

    private static func isWord(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.contains { $0.properties.isAlphabetic || $0.properties.numericType == .decimal }
    }

    @Test("the words of a long text cover it in order, at their places, whatever signs and marks stand among them")
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
        // espeak-ng has names for many emoji, which are words then.
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
