import CSynthEngine
import EngineKit
import Testing
import TestSupport

@Suite("Input and output of a Swift recognizer")
struct RecognizerIOTests {
    let lane: LoadedRecognizerLane

    init() throws {
        lane = try .probe()
    }

    /// The outcome of a recognizer that reads 100 frames and then runs `act`.
    private func tell(
        as change: (inout TestRecognition) -> Void = { _ in },
        _ act: @escaping @Sendable (borrowing RecognitionOutput) throws -> Void
    ) -> RecordedRecognition {
        let record = lane.listen(to: ramp(100), as: change) { _, sound, hearing in
            _ = try sound.rest()
            try act(hearing)
        }
        #expect(record.violations.isEmpty)
        return record
    }

    // MARK: - Audio

    @Test("All audio is read once, regardless of the sizes of reads and chunks", arguments: [1, 7, 64, 1000])
    func reads(piece: Int) {
        let acts: [Acts.Act] = [
            { _, sound, hearing in
                var frames: [Float] = []
                while true {
                    let more = try sound.read(most: 9)
                    if more.isEmpty { break }
                    frames += more
                    guard more.count <= 9, sound.frame == UInt64(frames.count) else { throw Wrong() }
                }
                guard frames == ramp(500) else { throw Wrong() }
            },
            { _, sound, hearing in
                var frames: [Float] = []
                var buffer = [Float](repeating: 0, count: 33)
                var count = 0
                repeat {
                    var span = buffer.mutableSpan
                    count = try sound.read(into: &span)
                    frames += buffer[..<count]
                } while count > 0
                guard frames == ramp(500) else { throw Wrong() }
            },
            { _, sound, hearing in
                var blocks: [[Float]] = []
                repeat { blocks.append(try sound.block(120)) } while blocks.last?.count == 120
                guard blocks.map(\.count) == [120, 120, 120, 120, 20], blocks.flatMap(\.self) == ramp(500) else {
                    throw Wrong()
                }
                guard try sound.block(120).isEmpty, try sound.read(most: 1).isEmpty, try sound.rest().isEmpty else {
                    throw Wrong()
                }
            },
            { _, sound, hearing in
                guard try sound.rest() == ramp(500), sound.frame == 500, sound.ready == 0 else { throw Wrong() }
            },
        ]
        for act in acts {
            let record = lane.listen(to: ramp(500), as: { $0.piece = piece }, act)
            #expect(record.status == SYNTH_OK && record.violations.isEmpty && record.frame == 500)
        }
    }

    private struct Wrong: Error {}

    @Test("A recognizer can query how much audio it can read without waiting and need not read any")
    func ready() {
        let record = lane.listen(to: ramp(100), as: { $0.piece = 30 }) { _, sound, _ in
            var nothing: [Float] = []
            var span = nothing.mutableSpan
            guard sound.ready == 30, try sound.block(0).isEmpty, try sound.block(-1).isEmpty,
                try sound.read(into: &span) == 0, try sound.read(most: 0).count == 1, sound.frame == 1
            else { throw Wrong() }
        }
        #expect(record.status == SYNTH_OK && record.violations.isEmpty)
    }

    // MARK: - Texts

    @Test("Transcribed texts reach the host with their words, confidence, language and choice")
    func passesTexts() {
        let record = tell(as: {
            $0.kind = SYNTH_HINT_CHOICE
            $0.phrases = ["no", "Grüße, Welt"]
        }) { hearing in
            try hearing.partial(RecognizedText("Grüße", frames: 10..<40), stable: 4)
            try hearing.final(
                RecognizedText(
                    "Grüße, Welt", frames: 10..<90,
                    words: [SpokenWord(0..<7, frames: 10..<40, confidence: 0.5), SpokenWord(9..<13, frames: 50..<90)],
                    confidence: 0.75, language: "de", choice: 1))
        }
        #expect(record.status == SYNTH_OK)
        #expect(
            record.texts == [
                RecordedRecognition.Text("Grüße", isFinal: false, stable: 4, frames: 10..<40),
                RecordedRecognition.Text(
                    "Grüße, Welt", stable: 13, frames: 10..<90,
                    words: [.init("Grüße", 10..<40, 0.5), .init("Welt", 50..<90)], confidence: 0.75,
                    language: "de", choice: 1),
            ])
    }

    @Test("Events that the host has not requested are dropped")
    func dropsUnwanted() {
        let record = tell(as: { $0.wants = 0 }) { hearing in
            try hearing.speechBegins(at: 0)
            try hearing.partial(RecognizedText("a", frames: 0..<1))
            try hearing.final(RecognizedText("ab", frames: 0..<9, words: [SpokenWord(0..<2, frames: 0..<9)]))
            try hearing.speechEnds(at: 9)
        }
        #expect(record.status == SYNTH_OK && record.events.isEmpty)
        #expect(record.texts.map(\.text) == ["ab"] && record.finals[0].words.isEmpty)
    }

    @Test("Implausible model output is corrected")
    func mends() {
        let record = tell { hearing in
            try hearing.final(
                RecognizedText(
                    " \n\u{0}Hel\u{1B}lo\u{85}Welt \t", frames: 50..<9_999,
                    words: [
                        SpokenWord(0..<3, frames: 0..<1), SpokenWord(2..<9, frames: 60..<9_999, confidence: 1.5),
                        SpokenWord(11..<17, frames: 8_888..<9_999, confidence: .nan),
                    ], confidence: -3))
            try hearing.final(RecognizedText(" \r\n ", frames: 80..<80))
        }
        #expect(record.status == SYNTH_OK)
        #expect(record.finals.map(\.text) == ["Hel lo  Welt", ""])
        #expect(record.finals.map(\.frames) == [50..<100, 80..<80])
        #expect(record.finals.map(\.confidence) == [0, -1])
        #expect(record.finals[0].words == [.init("Hel lo", 60..<100, 1), .init("Welt", 100..<100)])
    }

    @Test("A stable part ends at a character boundary", arguments: [-1, 0, 1, 2, 3, 4, 5, 6, .max])
    func stable(bytes: Int) {
        let record = tell { try $0.partial(RecognizedText(" äöü ", frames: 0..<10), stable: bytes) }
        // The given number of bytes includes the space before the text.
        let expected = [-1: 0, 0: 0, 1: 0, 2: 0, 3: 2, 4: 2, 5: 4, 6: 4, .max: 6]
        #expect(record.texts.map(\.stable) == [expected[bytes]])
    }

    @Test("A plugin's mistake is reported to the plugin as an error and does not reach the host")
    func refuses() {
        let wrong: [(String, @Sendable (borrowing RecognitionOutput) throws -> Void)] = [
            ("ends first", { try $0.speechEnds(at: 0) }),
            ("begins after the audio that was read", { try $0.speechBegins(at: 101) }),
            ("chooses a phrase that does not exist", { try $0.final(RecognizedText("a", frames: 0..<1, choice: 0)) }),
            ("is too long", { try $0.final(RecognizedText(String(repeating: "a", count: 65_537), frames: 0..<1)) }),
            (
                "has a word that ends inside a character",
                { try $0.final(RecognizedText("ä", frames: 0..<1, words: [SpokenWord(0..<1, frames: 0..<1)])) }
            ),
            (
                "has words out of order",
                {
                    let words = [SpokenWord(2..<3, frames: 0..<1), SpokenWord(0..<1, frames: 0..<1)]
                    try $0.final(RecognizedText("a b", frames: 0..<1, words: words))
                }
            ),
            (
                "has too many words",
                {
                    let words = (0..<2049).map { SpokenWord($0..<$0 + 1, frames: 0..<1) }
                    try $0.final(RecognizedText(String(repeating: "a", count: 2049), frames: 0..<1, words: words))
                }
            ),
        ]
        for (name, act) in wrong {
            let record = tell(act)
            #expect(record.status == SYNTH_FAILED && !record.outcome.message.isEmpty, "\(name)")
            #expect(record.texts.isEmpty && record.events.isEmpty, "\(name)")
        }
        let disorder = tell { hearing in
            try hearing.final(RecognizedText("b", frames: 50..<60))
            try hearing.final(RecognizedText("a", frames: 10..<20))
        }
        #expect(disorder.status == SYNTH_FAILED && disorder.finals.map(\.text) == ["b"])
        let twice = tell { hearing in
            try hearing.speechBegins(at: 10)
            try hearing.speechBegins(at: 20)
        }
        #expect(twice.status == SYNTH_FAILED && twice.events == [.init(begins: true, frame: 10)])
    }

    @Test("A text of the maximum length, and the maximum number of words in the header, both reach the host")
    func longest() {
        let record = tell { hearing in
            let words = (0..<2048).map { SpokenWord($0 * 2..<$0 * 2 + 2, frames: 0..<1) }
            try hearing.final(RecognizedText(String(repeating: "ä", count: 32_768), frames: 0..<100, words: words))
        }
        #expect(record.status == SYNTH_OK && record.finals[0].stable == 65_536)
        #expect(record.finals[0].words.count == 2048)
    }

    @Test("The start and end of speech are reported, as is progress")
    func events() {
        let record = tell { hearing in
            try hearing.speechBegins(at: 10)
            try hearing.progress(0.25)
            // `check` reports the latest progress again.
            try hearing.check()
            try hearing.progress(.nan)
            try hearing.progress(7)
            try hearing.speechEnds(at: 100)
        }
        #expect(record.status == SYNTH_OK)
        #expect(record.events == [.init(begins: true, frame: 10), .init(begins: false, frame: 100)])
        // The first report was made when the audio had been read, before any progress was known.
        #expect(record.progress == [-1, 0.25, 0.25, -1, 1])
    }
}
