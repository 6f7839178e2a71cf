import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite struct SpeechFactorTests {
    private func expect(
        _ factor: SpeechFactor, _ text: String, _ expected: Double, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let value = try #require(factor.value(of: text), sourceLocation: place)
        #expect(abs(value - expected) < 1e-6, sourceLocation: place)
    }

    @Test(
        "A rate is a factor, a percentage or a relative change",
        arguments: [
            ("1.25", 1.25), ("125%", 1.25), ("+20%", 1.2), ("-10%", 0.9), ("0.25", 0.25), ("4", 4), ("+300%", 4),
            (".5", 0.5), ("1.", 1),
        ])
    func rate(text: String, expected: Double) throws {
        try expect(.rate, text, expected)
    }

    @Test(
        "A pitch is a factor or a number of semitones",
        arguments: [("1.5", 1.5), ("+12st", 2), ("-12st", 0.5), ("0st", 1), ("+2ST", 1.122462048309373)])
    func pitch(text: String, expected: Double) throws {
        try expect(.pitch, text, expected)
    }

    @Test(
        "A volume is a gain, a percentage or a number of decibels",
        arguments: [
            ("0.5", 0.5), ("0", 0), ("50%", 0.5), ("+3dB", 1.4125375446227544), ("-6db", 0.5011872336272722),
            ("-50%", 0.5),
        ])
    func volume(text: String, expected: Double) throws {
        try expect(.volume, text, expected)
    }

    @Test(
        "Any other text is rejected",
        arguments: [
            "", "fast", "0.2", "4.1", "nan", "inf", "0x1p1", "1e0", "1,25", "+1.25", "-1", "%", "+", "--1", "1.2.3",
            "1 %", "-80%", "٣", "99999999999999999999999999",
        ])
    func refused(text: String) {
        #expect(SpeechFactor.rate.value(of: text) == nil)
    }

    @Test("Pitch and volume outside their ranges are rejected")
    func ranges() {
        #expect(SpeechFactor.pitch.value(of: "+12.1st") == nil)
        #expect(SpeechFactor.pitch.value(of: "0.49") == nil)
        #expect(SpeechFactor.volume.value(of: "+13dB") == nil)
        #expect(SpeechFactor.volume.value(of: "-0.5") == nil)
    }
}
