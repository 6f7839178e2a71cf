import Testing

@testable import SynthKokoro
@testable import SynthSymbols

@Suite struct TokenTimesTests {
    private func times(_ durations: [Double], _ symbols: String, frames: Int) -> TokenTimes? {
        TokenTimes(durations: durations, symbols: Array(symbols.unicodeScalars), frameCount: frames, lead: 3)
    }

    /// The expected values, in half frames, come from `join_timestamps` in Kokoro's pipeline for the same durations.
    /// The first word starts at twice the first pad minus three frames. Adding twice the word's duration and once the
    /// following space's yields the end of the word, and adding the space's duration again yields the start of the next
    /// word.
    @Test("Word timings match those of Kokoro's own pipeline")
    func timesOfReference() throws {
        // The text is "ab cd, e", with pads of 8 and 2 frames, at 600 samples per frame.
        let durations: [Double] = [8, 3, 4, 6, 2, 2, 5, 4, 7, 2]
        let timed = try #require(times(durations, "ab cd, e", frames: 43 * 600))
        #expect(timed.frames(of: 0..<2) == 5 * 600..<15 * 600)
        #expect(timed.frames(of: 3..<5) == 15 * 600..<22 * 600)
        #expect(timed.frames(of: 7..<8) == 29 * 600..<38 * 600)
    }

    @Test("No word begins before the audio begins or ends after the audio ends")
    func ends() throws {
        let timed = try #require(times([1, 2, 2, 1], "ab", frames: 600))
        #expect(timed.frames(of: 0..<2) == 0..<400)
        let late = try #require(times([9, 0, 1, 0], "ab", frames: 1000))
        #expect(late.frames(of: 0..<1) == 600..<600 && late.frames(of: 1..<2) == 600..<700)
    }

    @Test("Durations that do not match the tokens are rejected")
    func misfits() {
        #expect(times([1, 2], "ab", frames: 600) == nil)
        #expect(times([0, 0, 0, 0], "ab", frames: 600) == nil)
        #expect(times([1, -1, 1, 1], "ab", frames: 600) == nil)
        #expect(times([1, .nan, 1, 1], "ab", frames: 600) == nil)
        #expect(times([1, .infinity, 1, 1], "ab", frames: 600) == nil)
        #expect(times([0, .leastNonzeroMagnitude, 0, 0], "ab", frames: 600) == nil)
    }
}
