import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthHost
import SynthModelStore
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Loudness messages")
struct LoudnessSentenceTests {
    @Test(
        "The message states how much the gain raises or lowers a voice's level",
        arguments: [
            (1.63, "raised by 1.6 dB to match the loudness of other voices"),
            (-2.8, "lowered by 2.8 dB to match the loudness of other voices"), (0, nil), (0.04, nil), (-0.04, nil),
            (-12, "lowered by 12.0 dB to match the loudness of other voices"),
        ] as [(Double, String?)])
    func gain(gain: Double, words: String?) {
        #expect(LoudnessWords.of(gain: gain) == words)
        #expect(LoudnessWords.of(nil, gain: gain) == words)
    }

    @Test("The message includes a voice's measured loudness")
    func loudness() throws {
        let loudness = try #require(VoiceLoudness(lufs: -25.63, peak: -3))
        #expect(
            LoudnessWords.of(loudness, gain: 1.63)
                == "-25.6 LUFS, raised by 1.6 dB to match the loudness of other voices")
        #expect(LoudnessWords.of(loudness, gain: 0) == "-25.6 LUFS")
    }

    @Test("The message explains why a voice could not be measured, and what to do")
    func failures() {
        let failures: [(LoudnessFault, String)] = [
            (.silent, "It produces no audio, or too little to measure."),
            (.formatChanged, "Its audio format changes."),
            (.notFinite, "Its audio contains samples that are not finite numbers."),
            (.noMemory, "There is not enough memory."),
            (
                .formatUnusable(AudioFormat(sampleRate: 2_000, channels: 1)),
                "Audio at 2000 Hz with 1 channel is not supported."
            ),
            (
                .libraryNotLoaded(library: "libebur128.so.1", reason: nil),
                "libebur128.so.1 cannot be used: it lacks a required function. Type: sudo apt install libebur128-1"
            ),
        ]
        for (failure, words) in failures {
            #expect(
                SpeechError(AudioError.notMeasured(failure)).ofLoudness("Heart")
                    == "The loudness of Heart could not be measured, so this voice may be louder or softer than others. \(words)"
            )
        }
        let crash = EngineFailure(engine: "kokoro", reason: .crashed(signal: 11, .speaking))
        #expect(SpeechError(crash).ofLoudness("Heart").hasSuffix(" \(crash.message)"))
        let gone = StoreError.removedMeanwhile(voice: "af_heart")
        #expect(SpeechError(gone).ofLoudness("Heart").hasSuffix(" \(gone.message)"))
    }
}
