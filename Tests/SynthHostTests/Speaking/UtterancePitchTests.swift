import SynthEngineWire
import Testing

@testable import SynthScript
@testable import SynthSpeech

@Suite("Pitch within an utterance")
struct UtterancePitchTests {
    private func utterance(
        _ text: String, at place: Int = 0, _ style: ScriptStyle = ScriptStyle(), _ pitches: [Utterance.Pitch] = []
    ) -> Utterance {
        Utterance(
            text: text, source: SourceMap(offset: place), pauseAfter: .sentence, style: style, pitches: pitches)
    }

    private func engine(_ capabilities: EngineDescription.Capabilities, _ pitch: ClosedRange<Float>)
        -> EngineDescription
    {
        EngineDescription(id: "e", name: "E", version: "1", license: "MIT", capabilities: capabilities, pitch: pitch)
    }

    private func points(_ pitch: UtterancePitch) -> [[Double]] {
        pitch.points.map { [Double($0.offset), ($0.factor * 1000).rounded() / 1000] }
    }

    @Test("An utterance without pitch changes has the pitch of its style")
    func level() {
        let pitch = UtterancePitch(utterance("One two.", at: 0, ScriptStyle(pitch: 1.5)))
        #expect(pitch.points.isEmpty && pitch.mean == 1.5)
        #expect(UtterancePitch(utterance("", at: 0, ScriptStyle(pitch: 2))).mean == 2)
    }

    @Test("The pitch changes in steps between the parts, and its mean is weighted by the lengths of the parts")
    func steps() {
        let pitch = UtterancePitch(
            utterance("One two.", at: 0, ScriptStyle(), [.init(offset: 0, factor: 1), .init(offset: 4, factor: 4)]))
        #expect(points(pitch) == [[0, 1], [4, 1], [4, 4], [8, 4]])
        #expect(abs(pitch.mean - 2) < 1e-9)
    }

    @Test("The targets of a contour keep their positions, even if the contour extends beyond the utterance")
    func contour() throws {
        var style = ScriptStyle(pitch: 2)
        style.contour = PitchContour([.init(share: 0.5, factor: 0.5), .init(share: 1, factor: 2)], source: 10..<30)
        #expect(
            points(UtterancePitch(utterance("abcdefghijklmnopqrst", at: 10, style))) == [[0, 1], [10, 1], [20, 4]])
        #expect(points(UtterancePitch(utterance("abcdefghij", at: 10, style))) == [])
        #expect(UtterancePitch(utterance("abcdefghij", at: 10, style)).mean == 1)
        // The utterance starts in the middle of the contour's second half.
        #expect(points(UtterancePitch(utterance("abcde", at: 25, style))) == [[0, 2], [5, 4]])
        // A two-byte character is not split.
        #expect(points(UtterancePitch(utterance("abcdefghié", at: 11, style))) == [[0, 1], [9, 1], [11, 1.32]])
    }

    @Test("An engine that shapes pitch receives factors within its range, and libsonic applies the remaining factor")
    func tuning() {
        let pitch = UtterancePitch(
            utterance("One two.", at: 0, ScriptStyle(), [.init(offset: 0, factor: 1), .init(offset: 4, factor: 4)]))
        var settings = SpeechSettings()
        let shaping = UtteranceTuning(settings, ScriptStyle(), engine(.shapesPitch, 0.5...2), pitch)
        #expect(shaping.enginePitch == 2 && shaping.pitch == 1)
        #expect(
            shaping.pitchPoints.map(\.factor) == [1, 1, 2, 2] && shaping.pitchPoints.map(\.offset) == [0, 4, 4, 8])
        settings.pitch = 2
        let beyond = UtteranceTuning(settings, ScriptStyle(), engine(.shapesPitch, 0.5...2), pitch)
        #expect(beyond.enginePitch == 2 && beyond.pitch == 2 && beyond.pitchPoints.map(\.factor) == [1, 1, 2, 2])
        let other = UtteranceTuning(settings, ScriptStyle(), engine([], 1...1), pitch)
        #expect(other.pitchPoints.isEmpty && other.pitch == 4)
    }

    @Test("Pitch points are placed at the words of the text that the engine receives")
    func places() {
        let known = Utterance.Pronunciation(range: 4..<7, value: ScriptPronunciation(ipa: "tu", hasWords: true))
        let spoken = Utterance(
            text: "One two three", source: SourceMap(offset: 0), pauseAfter: .sentence, pronunciations: [known])
        let text = EngineText(spoken, takesPhonemes: true)
        #expect(text.form.text == "One [[tu]] three")
        #expect([0, 4, 5, 8, 13].map(text.offset(of:)) == [0, 4, 10, 11, 16])
        let plain = EngineText(utterance("äö"), takesPhonemes: false)
        #expect([0, 2, 4, 9].map(plain.offset(of:)) == [0, 2, 4, 4])
    }
}
