import Testing

@testable import ONNXInference

@Suite struct SoundPlanTests {
    /// A hundred frames are a second.
    private func plan(_ frameCount: Int, overlap: Int = 10) -> SoundPlan {
        SoundPlan(frameCount: frameCount, overlap: overlap, frameDuration: 0.01)
    }

    /// All parts, if a computed frame takes `pace` seconds and the listener takes the sound as it comes.
    private func parts(_ frameCount: Int, overlap: Int = 10, pace: Double) -> [Range<Int>] {
        var plan = plan(frameCount, overlap: overlap)
        var parts: [Range<Int>] = []
        var (sounding, computing) = (0.0, 0.0)
        while let part = plan.next(sounding: sounding, computing: computing) {
            computing = pace * Double(part.count + 2 * overlap)
            if !parts.isEmpty { sounding += computing }
            parts.append(part)
        }
        return parts
    }

    @Test("parts cover the sound in order, whatever its length and the speed")
    func covering() {
        for frameCount in [0, 1, 15, 16, 17, 31, 32, 100, 500, 5000] {
            for pace in [0, 0.0001, 0.004, 0.02] {
                let parts = parts(frameCount, pace: pace)
                #expect(parts.first?.lowerBound ?? 0 == 0 && parts.last?.upperBound ?? 0 == frameCount)
                #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
                #expect(parts.allSatisfy { !$0.isEmpty })
            }
        }
    }

    @Test("the first part is short, and others grow")
    func growth() {
        #expect(parts(2000, pace: 0.0001) == [0..<16, 16..<80, 80..<336, 336..<1360, 1360..<2000])
    }

    @Test("no part is so long that the sound ends before it is ready")
    func slow() {
        let pace = 0.004
        let parts = parts(3000, pace: pace)
        #expect(parts.count > 8)
        var now = 0.0
        for part in parts.dropFirst() {
            now += pace * Double(part.count + 20)
            // The first parts cannot be short enough.
            if part.lowerBound > 100 { #expect(now <= Double(part.lowerBound) * 0.01, "\(part)") }
        }
    }

    @Test("on a machine that is too slow, parts do not become shorter than what is computed around them")
    func tooSlow() {
        let parts = parts(1000, overlap: 40, pace: 0.02)
        #expect(parts.dropFirst().dropLast().allSatisfy { $0.count == 64 || $0.count == 80 })
    }

    @Test("a rest of a few frames belongs to the part before it")
    func rest() {
        #expect(parts(30, pace: 0.0001) == [0..<30])
        #expect(parts(90, pace: 0.0001) == [0..<16, 16..<90])
    }
}
