import Terminal
import Testing

@Suite struct ProgressMeterTests {
    @Test("speed and time left come from the bytes of the last seconds")
    func speed() throws {
        var meter = ProgressMeter(label: "Downloading")
        for second in 0...20 {
            // Slow at first, then four times as fast.
            let done = second <= 10 ? second * 1000 : 10_000 + (second - 10) * 4000
            meter.report(.bytes(done: Int64(done), total: 90_000), at: .seconds(second))
        }
        let progress = meter.progress(at: .seconds(20))
        #expect(progress.bytesPerSecond == 4000)
        #expect(progress.timeLeft == .seconds(10))
        #expect(progress.fraction.map { ($0 * 9).rounded() } == 5)
    }

    @Test("there is no estimate in the first second")
    func early() {
        var meter = ProgressMeter(label: "Downloading")
        meter.report(.bytes(done: 10, total: 100), at: .zero)
        meter.report(.bytes(done: 20, total: 100), at: .milliseconds(900))
        #expect(meter.progress(at: .milliseconds(900)).timeLeft == nil)
        #expect(meter.progress(at: .milliseconds(900)).bytesPerSecond == nil)
    }

    @Test("progress never decreases, with any reports")
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

    @Test("another label starts from zero")
    func restart() {
        var meter = ProgressMeter(label: "Downloading")
        meter.report(.fraction(0.9), at: .zero)
        meter.report(.fraction(0.1), label: "Unpacking", at: .seconds(1))
        #expect(meter.progress(at: .seconds(1)) == Progress(label: "Unpacking", fraction: 0.1))
    }

    @Test("a stalled download has speed zero and no remaining time")
    func stalls() {
        var meter = ProgressMeter(label: "Downloading")
        meter.report(.bytes(done: 0, total: 100), at: .zero)
        for second in 1...60 { meter.report(.bytes(done: 50, total: 100), at: .seconds(second)) }
        #expect(meter.progress(at: .seconds(60)).bytesPerSecond == 0)
        #expect(meter.progress(at: .seconds(60)).timeLeft == nil)
    }
}
