import Testing

@testable import SynthInference

@Suite struct SoundPlanTests {
    /// A plan with 100 frames per second.
    private func plan(_ frameCount: Int, overlap: Int = 10) -> SoundPlan {
        SoundPlan(frameCount: frameCount, overlap: overlap, frameDuration: 0.01)
    }

    /// All parts, if computing a frame takes `pace` seconds and the listener plays the audio as soon as it is ready.
    private func parts(_ frameCount: Int, overlap: Int = 10, pace: Double) -> [Range<Int>] {
        var plan = plan(frameCount, overlap: overlap)
        var parts: [Range<Int>] = []
        var (sounding, computing) = (0.0, 0.0)
        while let part = plan.next(sounding: sounding, computing: computing) {
            let computed = min(frameCount, part.upperBound + overlap) - max(0, part.lowerBound - overlap)
            computing = pace * Double(computed)
            if !parts.isEmpty { sounding += computing }
            parts.append(part)
        }
        return parts
    }

    @Test("Parts cover the audio in order, regardless of the length of the audio and the speed of the machine")
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

    @Test("Only the first part's computing time includes the frames that are read ahead")
    func ahead() {
        func second(lookahead: Int) -> Range<Int>? {
            var plan = SoundPlan(frameCount: 1000, overlap: 2, lookahead: lookahead, frameDuration: 0.01)
            _ = plan.next()
            return plan.next(sounding: 0, computing: 0.0197)
        }
        // At the maximum rate, 0.028 s of playback remains. Computing 40 frames took 0.0197 s, so there is enough time
        // for 56 frames, including four around the part.
        #expect(second(lookahead: 24) == 16..<68)
        #expect(second(lookahead: 2) == 16..<37)
    }

    @Test("The first part is short, and the others are as long as time and memory allow")
    func growth() {
        // The first part lasts 0.04 s at the maximum rate, and 70% of that time is enough for 279 frames, including 20
        // around the part.
        #expect(parts(1000, pace: 0.0001) == [0..<16, 16..<275, 275..<659, 659..<1000])
        #expect(parts(300, pace: 0.0001) == [0..<16, 16..<275, 275..<300])
        // There is enough time for 28 frames, but a part has at least as many frames as are computed around it.
        #expect(parts(700, pace: 0.001).prefix(3) == [0..<16, 16..<36, 36..<71])
    }

    @Test(
        "A fast machine computes the next part in time, even at four times the normal rate",
        arguments: [0.0001, 0.0005])
    func stretched(pace: Double) {
        var now = 0.0
        for part in parts(3000, overlap: 4, pace: pace).dropFirst() {
            now += pace * Double(min(3000, part.upperBound + 4) - part.lowerBound + 4)
            #expect(now <= Double(part.lowerBound) * 0.01 / 4, "\(part)")
        }
    }

    @Test(
        "If no listener is waiting, parts are of equal length, and there are as few of them as memory allows",
        arguments: [1, 16, 384, 385, 3000])
    func unawaited(frameCount: Int) {
        var plan = SoundPlan(frameCount: frameCount, overlap: 10, frameDuration: 0.01, isAwaited: false)
        var parts: [Range<Int>] = []
        while let part = plan.next(sounding: 1, computing: 1) { parts.append(part) }
        #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == frameCount)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(parts.count == (frameCount + SoundPlan.most - 1) / SoundPlan.most)
        let lengths = parts.map(\.count)
        #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) < parts.count)
    }

    @Test("No part is so long that the audio runs out while it is being computed")
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

    @Test(
        "On a machine that is too slow, a part is at least as long as the surrounding frames that are computed with it")
    func tooSlow() {
        let parts = parts(1000, overlap: 40, pace: 0.02)
        #expect(parts.dropFirst().dropLast().allSatisfy { $0.count == 64 || $0.count == 80 })
    }

    @Test("A remainder of only a few frames is included in the preceding part")
    func rest() {
        #expect(parts(30, pace: 0.0001) == [0..<30])
        #expect(parts(90, pace: 0.0001) == [0..<16, 16..<90])
    }
}
