import SynthEngineProcesses
import SynthEngineWire
import SynthScript
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite(.ownThreads) struct ReorderBufferTests {
    /// Speaks each utterance as a single sample: its start position in the text.
    private func speak(_ utterance: Utterance, _ part: (SpeechPart) -> Bool) {
        _ = part(.audio([Float(utterance.sourceRange.lowerBound)]))
    }

    private func spoken(_ line: ReorderBuffer) throws -> [Float] {
        var samples: [Float] = []
        while try line.first() != nil {
            try line.speakFirst { part in
                if case .audio(let some) = part { samples += some }
                return true
            }
        }
        return samples
    }

    private func text(_ count: Int) -> String {
        (0..<count).map { "Sentence \($0)." }.joined(separator: " ")
    }

    /// The start positions of the sentences in the text.
    private func starts(_ count: Int) -> [Float] {
        var offset = 0
        return (0..<count).map { number in
            defer { offset += "Sentence \(number). ".utf8.count }
            return Float(offset)
        }
    }

    @Test("Two lanes speak in parallel, and their audio is delivered in text order")
    func order() throws {
        let line = ReorderBuffer(try CompleteText(text(40)))
        // The lane with the first sentence waits until the other lane has spoken the second one.
        let isSecondSpoken = Monitor(false)
        for _ in 0..<2 {
            startThread("lane") {
                line.serve { utterance, _, part in
                    if utterance.sourceRange.lowerBound == 0 {
                        _ = isSecondSpoken.wait(timeout: .seconds(600)) { $0 ? true : nil }
                    }
                    speak(utterance, part)
                    if utterance.sourceRange.lowerBound > 0 { isSecondSpoken.update { $0 = true } }
                }
            }
        }
        #expect(try spoken(line) == starts(40))
        #expect(isSecondSpoken.read { $0 })
    }

    @Test("A failure is reported after all audio that was generated before it")
    func failureAfterUtterances() throws {
        let line = ReorderBuffer(try CompleteText(text(5)))
        let third = starts(5)[2]
        startThread("lane") {
            line.serve { utterance, _, part throws(EngineFailure) in
                if Float(utterance.sourceRange.lowerBound) == third {
                    throw EngineFailure(engine: "test", reason: .violatedProtocol(.speaking))
                }
                speak(utterance, part)
            }
        }
        for start in starts(5).prefix(2) {
            _ = try #require(try line.first())
            try line.speakFirst { part in
                #expect(part == .audio([start]))
                return true
            }
        }
        _ = try #require(try line.first())
        #expect(throws: EngineFailure.self) { try line.speakFirst { _ in true } }
    }

    @Test("When the consumer stops, so do the lanes")
    func abandoned() throws {
        let line = ReorderBuffer(try CompleteText(text(50)))
        let ended = Monitor(0)
        for _ in 0..<2 {
            startThread("lane") {
                line.serve { utterance, _, part in speak(utterance, part) }
                ended.update { $0 += 1 }
            }
        }
        _ = try #require(try line.first())
        try line.speakFirst { _ in false }
        #expect(try line.first() == nil)
        #expect(ended.wait(timeout: .seconds(600)) { $0 == 2 ? true : nil } == true)
    }

    /// A text that is still being written, but does not change during a test.
    private final class LiveText: TextSource {
        private let text: CompleteText
        init(_ text: String) throws { self.text = try CompleteText(text) }
        var byteCount: Int? { nil }
        var file: RegularFile? { nil }
        func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {}
        func stop() {}
        func next() throws(SpeechError) -> ScriptStep? { try text.next() }
    }

    @Test(
        "A lane is notified that its utterance is awaited, unless other audio is still being delivered",
        arguments: [true, false])
    func awaited(isLive: Bool) throws {
        let line = ReorderBuffer(isLive ? try LiveText(text(2)) : try CompleteText(text(2)))
        let told = Monitor<[Bool]>([])
        for _ in 0..<2 {
            startThread("lane") {
                line.serve { utterance, isAwaited, part in
                    told.update { $0.append(isAwaited) }
                    speak(utterance, part)
                    // The first utterance lasts until the other lane has received the second.
                    _ = told.wait { $0.count == 2 ? true : nil }
                }
            }
        }
        #expect(try spoken(line) == starts(2))
        #expect(told.read { $0 } == [isLive, false])
    }
}
