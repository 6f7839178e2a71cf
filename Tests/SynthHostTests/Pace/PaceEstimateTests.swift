import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("A machine's pace")
struct PaceEstimateTests {
    @Test(
        "The estimate states how slow a voice would be, or is omitted if the voice is fast enough",
        arguments: [
            (40.0, nil), (41.0, nil), (39.9, "would be barely fast enough for playback on this machine"),
            (32.0, "would be barely fast enough for playback on this machine"),
            (28.0, "would be about 1.1 times slower than playback on this machine"),
            (13.3, "would be about 2.4 times slower than playback on this machine"),
            (16.0, "would be about 2 times slower than playback on this machine"),
            (0.9, "would be about 36 times slower than playback on this machine"),
            (1e-300, "would be about 1000000 times slower than playback on this machine"),
        ] as [(Double, String?)])
    func words(rate: Double, words: String?) throws {
        let pace = try #require(MachinePace(rate: rate))
        #expect(pace.estimate(cost: 32).words == words)
    }

    @Test("A pace must be a number above zero", arguments: [0, -1, .nan, .infinity] as [Double])
    func impossible(rate: Double) { #expect(MachinePace(rate: rate) == nil) }

    /// Compares measured or published synthesis times per second of speech with the costs in the registry.
    @Test(
        "The estimate is correct for very different machines",
        arguments: [
            // The times for Kokoro and Piper are 0.39 s and 0.046 s on two server processors, and 2.8 s and 0.36 s on a
            // Raspberry Pi 4 with four threads.
            (0.39, 0.046), (2.8, 0.36),
        ])
    func costs(kokoro: Double, piper: Double) throws {
        // The pace measured with Kokoro predicts the time for Piper.
        let pace = try #require(MachinePace(rate: 32 / kokoro))
        let ratio = pace.estimate(cost: 3.8).realTimeFactor / piper
        #expect((0.8...1.25).contains(ratio), "\(ratio)")
    }

    private func sample(_ tries: [(time: Int, processor: Int)]) -> PaceSample {
        PaceSample(
            cost: 2,
            tries: tries.map { .init(time: .milliseconds($0.time), processorTime: .milliseconds($0.processor)) },
            threads: 2)
    }

    @Test("The pace is computed from the fastest utterance of an engine that ran undisturbed")
    func alone() throws {
        let sample = sample([(50, 95), (40, 78), (60, 117)])
        #expect(sample.wasUndisturbed)
        #expect(try abs(#require(sample.pace).rate - 50) < 1e-6)
    }

    @Test("If other programs were busy, the pace is computed from CPU time and is not stored")
    func disturbed() throws {
        // An utterance takes 102 ms of CPU time, or 60 ms of elapsed time if 1.7 processors work in parallel.
        let sample = sample([(500, 120), (400, 102), (600, 110)])
        #expect(!sample.wasUndisturbed)
        #expect(try abs(#require(sample.pace).rate - 2 / 0.06) < 1e-6)
    }

    @Test("If at least one utterance was synthesized undisturbed, the pace is the same as on an idle machine")
    func oneMoment() throws {
        // Threads that wait for a processor spin, so not all CPU time is work.
        let between = sample([(500, 700), (40, 78), (900, 1500), (380, 640)])
        let idle = sample([(50, 95), (40, 78), (60, 117)])
        #expect(between.pace == idle.pace)
        let starved = sample([(500, 100), (40, 78), (600, 120)])
        #expect(starved.wasUndisturbed && starved.pace == idle.pace)
        let half = sample([(500, 700), (60, 68), (900, 1500)])
        #expect(!half.wasUndisturbed)
        #expect(try abs(#require(half.pace).rate - 50) < 1e-6)
    }

    @Test("If the CPU time is unknown, the pace is computed from elapsed time alone")
    func withoutProcessorTime() throws {
        #expect(try abs(#require(sample([(500, 0)]).pace).rate - 4) < 1e-6)
        #expect(!sample([(500, 0)]).wasUndisturbed)
        #expect(sample([]).pace == nil)
    }
}
