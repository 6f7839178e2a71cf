import Testing

@testable import SynthTerminal

@Suite struct ProgressMeterTests {
    @Test("Speed and remaining time are computed from the bytes received in the last few seconds")
    func speed() throws {
        var meter = ProgressMeter(label: "Downloading")
        for second in 0...20 {
            // Progress is slow at first and then four times as fast.
            let done = second <= 10 ? second * 1000 : 10_000 + (second - 10) * 4000
            meter.report(.bytes(done: Int64(done), total: 90_000), at: .seconds(second))
        }
        let progress = meter.progress(at: .seconds(20))
        #expect(progress.bytesPerSecond == 4000)
        #expect(progress.timeLeft == .seconds(10))
        #expect(progress.fraction.map { ($0 * 9).rounded() } == 5)
    }

    @Test("No estimate is given during the first second")
    func early() {
        var meter = ProgressMeter(label: "Downloading")
        meter.report(.bytes(done: 10, total: 100), at: .zero)
        meter.report(.bytes(done: 20, total: 100), at: .milliseconds(900))
        #expect(meter.progress(at: .milliseconds(900)).timeLeft == nil)
        #expect(meter.progress(at: .milliseconds(900)).bytesPerSecond == nil)
    }

    @Test("Progress never decreases, regardless of what is reported")
    func neverBackwards() {
        var meter = ProgressMeter(label: "Downloading")
        var last = 0.0
        var lastBytes: Int64 = 0
        let reports: [(Int64, Int64?)] = [
            (10, 100), (50, 100), (20, 100), (60, 1000), (60, nil), (70, 100), (500, 100),
        ]
        for (time, report) in reports.enumerated() {
            meter.report(.bytes(done: report.0, total: report.1), at: .seconds(time))
            let progress = meter.progress(at: .seconds(time))
            #expect(progress.fraction ?? 0 >= last)
            #expect(progress.bytesDone ?? 0 >= lastBytes)
            #expect(progress.fraction ?? 0 <= 1)
            last = progress.fraction ?? 0
            lastBytes = progress.bytesDone ?? 0
        }
    }

    @Test("When the label changes, progress may restart at a lower value")
    func restart() {
        var meter = ProgressMeter(label: "Downloading")
        meter.report(.fraction(0.9), at: .zero)
        meter.report(.fraction(0.1), label: "Unpacking", at: .seconds(1))
        #expect(meter.progress(at: .seconds(1)) == Progress(label: "Unpacking", fraction: 0.1))
    }

    @Test("A stalled download has a speed of zero and no remaining time")
    func stalls() {
        var meter = ProgressMeter(label: "Downloading")
        meter.report(.bytes(done: 0, total: 100), at: .zero)
        for second in 1...60 { meter.report(.bytes(done: 50, total: 100), at: .seconds(second)) }
        #expect(meter.progress(at: .seconds(60)).bytesPerSecond == 0)
        #expect(meter.progress(at: .seconds(60)).timeLeft == nil)
    }

    /// The lengths of sentences, and the time that each sentence takes: about 0.1 s per character.
    private static let sentences: [(characters: Int, seconds: Double)] = (0..<60).map { place in
        let characters = 20 + place * 97 % 161
        return (characters, Double(characters) * (0.07 + Double(place * 61 % 100) * 0.0006))
    }

    @Test("The remaining time for sentences of different lengths is steady and nearly correct")
    func steady() throws {
        let total = Self.sentences.reduce(0) { $0 + $1.seconds }
        let characters = Self.sentences.reduce(0) { $0 + $1.characters }
        var meter = ProgressMeter(label: "Writing")
        var now = 0.0
        var done = 0
        var worst = 0.0
        var rise = 0.0
        var before = Double.infinity
        for sentence in Self.sentences {
            let start = now
            now += sentence.seconds
            // Returns the values shown each second while the sentence is generated.
            for second in Int(start.rounded(.up))...max(Int(start.rounded(.up)), Int(now.rounded(.down))) {
                guard let left = meter.progress(at: .seconds(second)).timeLeft, second > 60 else { continue }
                let rest = left / .seconds(1)
                worst = max(worst, abs(rest - (total - Double(second))) / max(60, total - Double(second)))
                rise = max(rise, rest - before)
                before = rest
            }
            done += sentence.characters
            meter.report(.fraction(Double(done) / Double(characters)), at: .milliseconds(Int64(now * 1000)))
        }
        #expect(total > 500)
        #expect(worst < 0.2, "The estimate is off by \(worst).")
        #expect(rise < 45, "The estimate grew by \(rise) s.")
    }

    @Test("The remaining time of a stalled task grows by the time spent without progress")
    func lateShare() {
        var meter = ProgressMeter(label: "Writing")
        for second in 0...20 where second % 4 == 0 {
            meter.report(.fraction(Double(second) / 80), at: .seconds(second))
        }
        func left(_ second: Int) -> Duration? { meter.progress(at: .seconds(second)).timeLeft }
        #expect(left(20) == .seconds(60))
        #expect(left(23) == .seconds(57))
        #expect(left(24) == .seconds(56))
        #expect(left(28) == .seconds(56))
        #expect(left(38) == .seconds(66))
    }

    @Test("Ten thousand steps need no more memory than a few hundred steps")
    func manySteps() throws {
        var meter = ProgressMeter(label: "Writing")
        for step in 0...9_999 { meter.report(.fraction(Double(step) / 20_000), at: .milliseconds(step * 10)) }
        let left = try #require(meter.progress(at: .milliseconds(99_990)).timeLeft)
        #expect(abs(left / .seconds(1) - 100) < 1)
        #expect(meter.sampleCount <= 257)
    }
}
