import Testing
import TestSupport

@testable import SynthModelStore

@Suite("Measuring download progress")
struct DownloadMeterTests {
    @Test("Progress never decreases, and restarting the download of a file is reported")
    func monotonic() {
        let start = ContinuousClock.now
        var meter = DownloadMeter(total: 1_000)
        meter.record(400, of: "a", at: start)
        meter.record(0, of: "a", at: start + .seconds(1))
        #expect(meter.progress.bytes == 400)
        #expect(meter.progress.notice == .restarting)
        meter.record(300, of: "a", at: start + .seconds(2))
        #expect(meter.progress.bytes == 400)
        #expect(meter.progress.notice == .restarting)
        meter.record(500, of: "a", at: start + .seconds(3))
        #expect(meter.progress.bytes == 500)
        #expect(meter.progress.notice == nil)
    }

    @Test("Progress includes all files, up to their total size")
    func sum() {
        var meter = DownloadMeter(total: 1_000)
        meter.record(700, of: "a", at: .now)
        meter.record(300, of: "b", at: .now)
        #expect(meter.progress.fraction == 1)
        meter.record(900, of: "other source", at: .now)
        #expect(meter.progress.bytes == 1_000)
    }

    @Test("Speed and remaining time are based only on recently received bytes")
    func speed() {
        let start = ContinuousClock.now
        var meter = DownloadMeter(total: 10_000)
        meter.record(5_000, of: "a", at: start)
        #expect(meter.progress.bytesPerSecond == nil)
        for second in 1...20 { meter.record(5_000 + Int64(second) * 100, of: "a", at: start + .seconds(second)) }
        let speed = meter.progress.bytesPerSecond ?? 0
        #expect(abs(speed - 100) < 1)
        #expect(meter.progress.timeLeft.map { abs($0 / .seconds(1) - 30) < 1 } == true)
    }
}
