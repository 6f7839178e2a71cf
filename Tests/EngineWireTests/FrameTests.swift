import FrameChecks
import SynthEngineWire
import Testing

@Suite("Frames")
struct FrameTests {
    @Test("Frames survive encoding and decoding")
    func roundTrips() throws {
        for request in Samples.requests { #expect(try ControlRequest(frameBytes: request.frameBytes[...]) == request) }
        for reply in Samples.replies { #expect(try ControlReply(frameBytes: reply.frameBytes[...]) == reply) }
        for request in Samples.laneRequests { #expect(try LaneRequest(frameBytes: request.frameBytes[...]) == request) }
        for reply in Samples.laneReplies { #expect(try LaneReply(frameBytes: reply.frameBytes[...]) == reply) }
        for input in Samples.inputs { #expect(try RecognitionInput(frameBytes: input.frameBytes[...]) == input) }
        for reply in Samples.heard { #expect(try RecognitionReply(frameBytes: reply.frameBytes[...]) == reply) }
        for one in Samples.recognizers { #expect(try RecognizerDescription(frameBytes: one.frameBytes[...]) == one) }
        for description in Samples.descriptions {
            #expect(try EngineDescription(frameBytes: description.frameBytes[...]) == description)
        }
    }

    @Test(
        "A truncated or extended frame causes an error unless the result is itself a valid frame with less or more data"
    )
    func truncations() {
        for (index, (form, bytes)) in Samples.all.enumerated() {
            for count in 0..<bytes.count {
                // Only audio and description frames are valid after truncation.
                if let again = form.again(bytes[..<count]) {
                    #expect(again == Array(bytes[..<count]), "sample \(index)")
                    #expect(bytes[0] == 2, "sample \(index) cut to \(count)")
                }
            }
            if let again = form.again((bytes + [0])[...]) { #expect(again == bytes + [0], "sample \(index)") }
        }
    }

    @Test("Frames fit in the socket's buffer regardless of the length of their text")
    func longWords() throws {
        // A single character with many combining accents.
        let words = "e" + String(repeating: "\u{301}", count: 100_000)
        let frames = [
            ControlReply.log(.info, words).frameBytes,
            ControlReply.refused(Refusal(.ofOtherUser(words), of: .library(words))).frameBytes,
            ControlReply.failed(EngineError(.failed, words, role: words)).frameBytes,
            LaneReply.event(
                serial: 1, SpeechEvent(kind: .phoneme, frame: 0, frameCount: 0, text: 0..<0, label: words)
            ).frameBytes,
        ]
        for frame in frames { #expect(frame.count < 20_000 && frame.count > 8000) }
        guard case .log(_, let line) = try ControlReply(frameBytes: frames[0][...]) else {
            Issue.record("The frame should be a log message.")
            return
        }
        #expect(words.unicodeScalars.starts(with: line.unicodeScalars))
    }

    @Test("Text is truncated only at Unicode scalar boundaries")
    func cut() {
        #expect("abc".cut(toBytes: 3) == "abc" && "abc".cut(toBytes: 2) == "ab" && "abc".cut(toBytes: 0) == "")
        let words = "aé€😀"
        #expect((0...10).map { words.cut(toBytes: $0).utf8.count } == [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10])
    }

    @Test("A frame with an incorrect count is rejected without allocating memory for it")
    func falseCounts() {
        // A list of 4 billion files, and a 4 GB string.
        #expect(throws: MalformedFrame.self) {
            try ControlRequest(frameBytes: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255][...])
        }
        #expect(throws: MalformedFrame.self) { try ControlReply(frameBytes: [5, 1, 255, 255, 255, 255, 65][...]) }
    }

    /// A separate list per voice takes the most work, and a single long list for all voices takes the most memory.
    @Test("A description can contain the speakers of many voices")
    func speakers() throws {
        var description = EngineDescription(id: "a", name: "A", version: "1", license: "MIT")
        let shared = (0..<50_000).map { "speaker \($0)" }
        description.voices = (0..<100_000).map {
            VoiceDescription(id: "v\($0)", name: "V", language: "en", speakers: $0 < 50_000 ? ["\($0)"] : shared)
        }
        let bytes = description.frameBytes
        #expect(bytes.count < 8 << 20)
        let again = try EngineDescription(frameBytes: bytes[...])
        #expect(again.frameBytes == bytes)
        #expect(again.voices.count == 100_000)
        #expect(again.voices[1].speakers == ["1"] && again.voices.last?.speakers == shared)
    }

    @Test("Invalid IDs and ranges in a description cause errors")
    func descriptions() {
        for (id, rate) in [("../x", 1...1), ("", 1...1), ("a", 0...1), ("a", -1...1), ("a", 2...3)]
            as [(String, ClosedRange<Float>)]
        {
            let description = EngineDescription(id: id, name: "A", version: "1", license: "MIT", rate: rate)
            #expect(throws: MalformedFrame.self) { try EngineDescription(frameBytes: description.frameBytes[...]) }
        }
    }
}
