import Foundation
import Testing

@testable import SynthCatalogue

@Suite("Voice loudness")
struct VoiceLoudnessTests {
    struct Case: Sendable {
        let lufs: Double
        let peak: Double
        let gain: Double
    }

    @Test(
        "The gain brings a voice to the common loudness but keeps its peak within full scale",
        arguments: [
            Case(lufs: -24, peak: -6, gain: 0), Case(lufs: -25.63, peak: -4.4, gain: 1.63),
            Case(lufs: -19.5, peak: 0, gain: -4.5), Case(lufs: -26, peak: -1.2, gain: 1.2),
            // A peak above full scale.
            Case(lufs: -24.5, peak: 0.7, gain: -0.7),
            // Implausible measurements.
            Case(lufs: -69, peak: -50, gain: 12), Case(lufs: 6, peak: 9, gain: -20),
            Case(lufs: 1e300, peak: 0, gain: -20), Case(lufs: -1e300, peak: -1e300, gain: 12),
        ])
    func gain(of given: Case) throws {
        let loudness = try #require(VoiceLoudness(lufs: given.lufs, peak: given.peak))
        #expect(abs(loudness.gain - given.gain) < 1e-9, "\(loudness.gain)")
    }

    @Test("Loudness survives an encoding round trip, rounded to hundredths")
    func coding() throws {
        let loudness = try #require(VoiceLoudness(lufs: -25.634_567, peak: -3.141_59))
        let text = try JSONEncoder().encode(loudness)
        #expect(try JSONDecoder().decode(VoiceLoudness.self, from: text) == loudness)
        #expect(loudness.lufs == -25.63 && loudness.peak == -3.14)
    }

    @Test(
        "Non-finite loudness is rejected",
        arguments: [(Double.nan, -1.0), (-.infinity, -1), (-20, -.infinity), (-20, .nan)])
    func infinite(lufs: Double, peak: Double) {
        #expect(VoiceLoudness(lufs: lufs, peak: peak) == nil)
    }
}
