import Testing

@testable import SynthSpeechDispatcher

@Suite("Settings from speech-dispatcher")
struct ModuleSettingsTests {
    @Test(
        "Rate, pitch and volume values are clamped and mapped to factors",
        arguments: [
            (-100, 0.5, 0.5, 0.0), (-50, 0.7071, 0.7071, 0.25), (0, 1.0, 1.0, 0.5), (50, 2.0, 1.4142, 0.75),
            (100, 4.0, 2.0, 1.0), (1000, 4.0, 2.0, 1.0), (-1000, 0.5, 0.5, 0.0),
        ])
    func factors(value: Int, rate: Double, pitch: Double, volume: Double) {
        var settings = ModuleSettings()
        #expect(settings.rateFactor == 1 && settings.pitchFactor == 1 && settings.volumeFactor == 1)
        let refused = settings.apply(["rate": "\(value)", "pitch": "\(value)", "volume": "\(value)"])
        #expect(refused.isEmpty)
        #expect(abs(settings.rateFactor - rate) < 0.001)
        #expect(abs(settings.pitchFactor - pitch) < 0.001)
        #expect(abs(settings.volumeFactor - volume) < 0.001)
    }

    @Test(
        "Invalid values have no effect",
        arguments: [
            ("rate", "fast"), ("rate", ""), ("pitch", "1.5"), ("volume", "99999999999999999999"),
            ("punctuation_mode", "loud"), ("spelling_mode", "perhaps"), ("cap_let_recogn", "x"), ("voice", "male9"),
        ])
    func wrong(name: String, value: String) {
        var settings = ModuleSettings()
        let isSet = settings.set(name, value)
        #expect(!isSet)
        #expect(settings == ModuleSettings())
    }

    @Test("Keywords are recognized, and NULL resets a setting")
    func words() {
        var settings = ModuleSettings()
        var refused = settings.apply([
            "punctuation_mode": "most", "spelling_mode": "on", "cap_let_recogn": "icon", "voice": "FEMALE2",
            "language": "en_US", "synthesis_voice": "Heart", "pitch_range": "10", "of_a_later_server": "1",
        ])
        #expect(settings.pitchRange == 10 && settings.intonation == 1.1)
        #expect(ModuleSettings(["pitch_range": "-100"]).intonation == 0)
        #expect(settings.punctuation == .most && settings.spells && settings.capitals == .icon)
        #expect(settings.voiceType == .female2 && settings.language == "en-US" && settings.voice == "Heart")
        refused += settings.apply([
            "punctuation_mode": "NULL", "spelling_mode": "NULL", "cap_let_recogn": "NULL", "voice": "NULL",
            "language": "NULL", "synthesis_voice": "NULL", "pitch_range": "0",
        ])
        #expect(refused.isEmpty)
        #expect(settings == ModuleSettings())
    }

    @Test("A locale without a language sets no language", arguments: ["c", "C", "POSIX", "NULL"])
    func noLanguage(_ value: String) {
        let settings = ModuleSettings(["language": "de", "language": value])
        #expect(settings.language == nil)
    }

    @Test("An invalid line does not affect other lines")
    func mistakes() {
        var settings = ModuleSettings()
        var assignments = ModuleAssignments()
        for line in ["rate=x", "pitch=10"] { assignments.add(line) }
        let first = assignments.apply { settings.set($0, $1) }
        assignments.add("nonsense")
        let second = assignments.apply { settings.set($0, $1) }
        #expect(first == .badValue && second == .badSyntax)
        #expect(settings.pitch == 10)
    }
}
