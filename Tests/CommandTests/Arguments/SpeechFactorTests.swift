import Testing

@testable import synthhost

@Suite struct SpeechFactorTests {
    @Test(
        "a rate is a factor, a percentage or a change",
        arguments: [
            ("1.25", 1.25), ("125%", 1.25), ("+20%", 1.2), ("-10%", 0.9), ("0.25", 0.25), ("4", 4), ("+300%", 4),
            (".5", 0.5), ("1.", 1),
        ])
    func rate(text: String, expected: Double) throws {
        #expect(abs(try SpeechFactor.rate(text) - expected) < 1e-12)
    }

    @Test(
        "a pitch is a factor or semitones",
        arguments: [("1.5", 1.5), ("+12st", 2), ("-12st", 0.5), ("0st", 1), ("+2ST", 1.122462048309373)])
    func pitch(text: String, expected: Double) throws {
        #expect(abs(try SpeechFactor.pitch(text) - expected) < 1e-12)
    }

    @Test(
        "a volume is a gain, a percentage or decibels",
        arguments: [
            ("0.5", 0.5), ("0", 0), ("50%", 0.5), ("+3dB", 1.4125375446227544), ("-6db", 0.5011872336272722),
            ("-50%", 0.5),
        ])
    func volume(text: String, expected: Double) throws {
        #expect(abs(try SpeechFactor.volume(text) - expected) < 1e-12)
    }

    @Test(
        "anything else is refused with what is expected",
        arguments: [
            "", "fast", "0.2", "4.1", "nan", "inf", "0x1p1", "1e0", "1,25", "+1.25", "-1", "%", "+", "--1", "1.2.3",
            "1 %", "-80%", "٣", "99999999999999999999999999",
        ])
    func refused(text: String) {
        #expect(throws: ValueError(expectation: "a factor from 0.25 to 4 such as 1.25, 125% or +25%")) {
            try SpeechFactor.rate(text)
        }
    }

    @Test("pitch and volume end at their ranges")
    func ranges() {
        #expect(throws: ValueError.self) { try SpeechFactor.pitch("+12.1st") }
        #expect(throws: ValueError.self) { try SpeechFactor.pitch("0.49") }
        #expect(throws: ValueError.self) { try SpeechFactor.volume("+13dB") }
        #expect(throws: ValueError.self) { try SpeechFactor.volume("-0.5") }
    }
}
