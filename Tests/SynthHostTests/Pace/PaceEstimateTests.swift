import Testing

@testable import SynthHost

@Suite("The pace of a machine")
struct PaceEstimateTests {
    @Test(
        "says how slow a voice would be, and nothing where it keeps up",
        arguments: [
            (40.0, nil), (41.0, nil), (39.9, "would hardly keep up with its own speech on this machine"),
            (32.0, "would hardly keep up with its own speech on this machine"),
            (28.0, "would be about 1.1 times slower on this machine than it speaks"),
            (13.3, "would be about 2.4 times slower on this machine than it speaks"),
            (16.0, "would be about 2 times slower on this machine than it speaks"),
            (0.9, "would be about 36 times slower on this machine than it speaks"),
            (1e-300, "would be about 1000000 times slower on this machine than it speaks"),
        ] as [(Double, String?)])
    func words(rate: Double, words: String?) throws {
        let pace = try #require(MachinePace(rate: rate))
        #expect(pace.estimate(cost: 32).words == words)
    }

    @Test("is a number above zero", arguments: [0, -1, .nan, .infinity] as [Double])
    func impossible(rate: Double) { #expect(MachinePace(rate: rate) == nil) }

    /// What was measured or published, in seconds for a second of speech, against costs that stand in the registry.
    @Test(
        "holds on machines that are as different as can be",
        arguments: [
            // Two processors of a server, 0.39 and 0.046; a Raspberry Pi 4 with four threads, 2.8 and 0.36.
            (0.39, 0.046), (2.8, 0.36),
        ])
    func costs(kokoro: Double, piper: Double) throws {
        // A machine's pace as Kokoro sees it foretells Piper, and the other way round.
        let pace = try #require(MachinePace(rate: 32 / kokoro))
        let ratio = pace.estimate(cost: 3.8).realTimeFactor / piper
        #expect((0.8...1.25).contains(ratio), "\(ratio)")
    }

    @Test("comes from the quickest utterance of an engine that had the machine to itself")
    func alone() throws {
        let sample = PaceSample(
            cost: 2, times: [.milliseconds(50), .milliseconds(40), .milliseconds(60)],
            processorTime: .milliseconds(290), threads: 2)
        #expect(sample.wasUndisturbed)
        #expect(try abs(#require(sample.pace).rate - 50) < 1e-6)
    }

    @Test("comes from the processor time where other programs were busy, and is not kept then")
    func disturbed() throws {
        // 102 ms of two processors' time for each utterance: 60 ms where 1.7 of them are had at once.
        let sample = PaceSample(
            cost: 2, times: [.milliseconds(500), .milliseconds(400), .milliseconds(600)],
            processorTime: .milliseconds(306), threads: 2)
        #expect(!sample.wasUndisturbed)
        #expect(try abs(#require(sample.pace).rate - 2 / 0.06) < 1e-6)
    }

    @Test("is by the clock alone where the processor time is not known")
    func withoutProcessorTime() throws {
        let sample = PaceSample(cost: 2, times: [.milliseconds(500)], processorTime: .zero, threads: 2)
        #expect(try abs(#require(sample.pace).rate - 4) < 1e-6)
        #expect(PaceSample(cost: 2, times: [], processorTime: .zero, threads: 2).pace == nil)
    }
}
