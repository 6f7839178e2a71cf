import CSynthEngine
import Foundation
import Testing
import TestSupport

@testable import SynthKokoro
@testable import SynthSymbols

@Suite(.espeakTurn) struct LongTextTests {
    /// The shortest pause between two runs, in samples.
    private static let pause = 24_000 * 6 / 100

    /// Ranges of zeros that are at least as long as a pause.
    private func pauses(_ samples: [Float]) -> [Range<Int>] {
        var pauses: [Range<Int>] = []
        var start: Int?
        samples.withUnsafeBufferPointer { samples in
            for index in 0...samples.count {
                if index < samples.count, samples[index] == 0 {
                    start = start ?? index
                } else {
                    if let first = start, index - first >= Self.pause { pauses.append(first..<index) }
                    start = nil
                }
            }
        }
        return pauses
    }

    /// Seeds for texts of all lengths.
    private static let spokenSeeds = LongForm.choose([0, 9, 14], long: Array(0..<100))

    private func expectWords(_ recording: Recording, _ text: Paragraph) {
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.violations)")
        let isComplete = recording.words == text.words
        #expect(isComplete)
        var end: UInt64 = 0
        for word in recording.events where word.kind == SYNTH_WORD.rawValue {
            #expect(word.frame >= end && word.frameCount > 0)
            end = word.frame + word.frameCount
        }
        #expect(end <= UInt64(recording.frameCount))
    }

    @Test("Every word of a text is spoken once, in order, and reported with its position", arguments: 0..<10)
    func everyWord(group: Int) throws {
        let folder = try TemporaryFolder()
        // This model is fast, and the length of its audio indicates the number of tokens in a run.
        let small = SmallModel(durations: .output)
        let style = [Float](repeating: 0.01, count: 510 * 256).withUnsafeBytes { Data($0) }
        let voice = KokoroVoice(
            model: try folder.write(small.bytes, to: "small.onnx"), style: try folder.write(style, to: "style.bin"))
        for seed in stride(from: group, to: LongForm.choose(30, long: 100), by: 10) {
            let text = Paragraph(seed: seed)
            let recording = try voice.speak(text.text)
            expectWords(recording, text)
            let pauses = pauses(recording.samples)
            let runs = [0] + pauses.map(\.upperBound)
            let ends = pauses.map(\.lowerBound) + [recording.samples.count]
            for (start, end) in zip(runs, ends) { #expect((end - start) / 200 <= RunLengths.kokoro.hardLimit + 2) }
        }
    }

    @Test("Every word is spoken once, and runs are joined during silence, without clicks", arguments: spokenSeeds)
    func joinsWithoutClicks(seed: Int) throws {
        let text = Paragraph(seed: seed)
        let recording = try KokoroVoice().speak(text.text)
        expectWords(recording, text)
        let samples = recording.samples
        let pauses = pauses(samples).filter { $0.lowerBound > 0 && $0.upperBound < samples.count }
        #expect(text.words.count < 100 || !pauses.isEmpty)
        func step(_ range: Range<Int>) -> Float {
            range.clamped(to: 1..<samples.count).map { (samples[$0] - samples[$0 - 1]).magnitude }.max() ?? 0
        }
        let inside = step(1..<samples.count)
        var atJoins: Float = 0
        for pause in pauses {
            // This allows for the 5 ms fade, and for the steps into and out of silence.
            atJoins = max(
                atJoins, step(pause.lowerBound - 120..<pause.lowerBound + 2),
                step(pause.upperBound - 1..<pause.upperBound + 120))
            #expect(samples[pause.lowerBound - 1].magnitude < 0.005)
            #expect(samples[pause.upperBound].magnitude < 0.005)
            #expect(pause.count < 24_000)
        }
        #expect(atJoins < inside / 4)
        let words = recording.events.filter { $0.kind == SYNTH_WORD.rawValue }
        for pause in pauses {
            let isQuiet = words.allSatisfy { word in
                Int(word.frame + word.frameCount) <= pause.lowerBound + 480 || Int(word.frame) >= pause.upperBound - 480
            }
            #expect(isQuiet, "a word is audible in the pause \(pause)")
        }
        if LongForm.isAsked {
            print("paragraph \(seed): \(text.words.count) words, \(pauses.count) joins, steps \(atJoins) of \(inside)")
        }
    }

    @Test("A long text without punctuation is spoken in runs of limited length")
    func endless() throws {
        var longest = 0
        var before = 0
        let recording = try KokoroVoice().speak(
            String(repeating: "word ", count: 13_000),
            shouldContinue: { recording in
                longest = max(longest, recording.frameCount - before)
                before = recording.frameCount
                return recording.seconds < 30
            })
        #expect(recording.violations.isEmpty, "\(recording.violations)")
        #expect(recording.status == SYNTH_CANCELLED)
        #expect(Double(longest) / 24_000 < 40)
    }

    @Test("A sink that returns false is not called again", arguments: [1, 2, 3, 4])
    func listener(calls: Int) throws {
        let recording = try KokoroVoice().speak(Paragraph(seed: 11).text, shouldContinue: { $0.calls < calls })
        #expect(recording.status == SYNTH_CANCELLED && recording.calls == calls)
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }

    @Test("Cancellation stops a run of the model, and the next request is complete")
    func cancel() throws {
        let voice = KokoroVoice()
        let expected = try voice.speak("Test 1.").samples
        let model = try voice.load()
        let lane = try model.open()
        for serial in stride(from: UInt64(1), to: 16, by: LongForm.choose(8, long: 2)) {
            // This takes far more runs than can complete before the cancellation.
            var request = voice.request(String(repeating: Paragraph(seed: 17).text + " ", count: 40))
            request.serial = serial
            // The engine logs the IDs at the start of each run.
            let logStart = HostLog.lineCount
            let isCancelled = DispatchSemaphore(value: 0)
            let canceller = Thread {
                HostLog.waitForLines(containing: "ids", count: Int(serial), after: logStart)
                lane.cancel(serial)
                isCancelled.signal()
            }
            canceller.start()
            let recording = lane.speak(request) { _ in
                // The text is long enough that even a late cancellation arrives before the speech ends.
                if HostLog.lines(after: logStart).count(where: { $0.contains(" ids ") }) >= Int(serial) {
                    isCancelled.wait()
                    isCancelled.signal()
                }
                return true
            }
            #expect(recording.status == SYNTH_CANCELLED)
            var next = voice.request("Test 1.")
            next.serial = serial + 1
            let again = lane.speak(next)
            #expect(again.status == SYNTH_OK && again.samples.count == expected.count)
            let isSame = again.samples == expected
            #expect(isSame)
        }
        lane.close()
        model.unload()
    }
}
