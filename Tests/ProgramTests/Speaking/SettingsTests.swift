import CommandSupport
import Testing
import TestSupport

@Suite("Rate, pitch, volume and language", .ownThreads)
struct SettingsTests {
    private let home: UserHome
    private static let text = "The quick brown fox jumps over the lazy dog, and nobody minds at all"

    init() throws { home = try UserHome() }

    private func speak(_ options: String..., text: String = text, locale: String = "C.UTF-8") throws -> ParsedWAV {
        let result = try home.run(
            ["speak", "-o", home.file("x.wav"), text] + options, adding: ["LANG": locale, "LC_ALL": locale])
        try #require(result.code == 0, "\(result.errors)")
        return try home.wav("x.wav")
    }

    @Test(
        "The duration is divided by the rate, whether or not the engine supports rates",
        arguments: ["espeak-ng", "reed"])
    func rate(engine: String) throws {
        try home.install("reed")
        let plain = try speak("-e", engine)
        let fast = try speak("-e", engine, "-r", "2")
        let slow = try speak("-e", engine, "-r", "50%")
        #expect(abs(fast.seconds / plain.seconds - 0.5) < 0.06, "\(fast.seconds / plain.seconds)")
        #expect(abs(slow.seconds / plain.seconds - 2) < 0.2, "\(slow.seconds / plain.seconds)")
        #expect(fast.level > plain.level - 3)
    }

    @Test(
        "The pitch changes without affecting the duration, whether or not the engine supports pitch",
        arguments: ["espeak-ng", "reed"])
    func pitch(engine: String) throws {
        try home.install("reed")
        let plain = try speak("-e", engine)
        let high = try speak("-e", engine, "-p", "+4st")
        let ratio = try #require(high.pitch) / #require(plain.pitch)
        #expect(abs(ratio / 1.26 - 1) < 0.1, "\(ratio)")
        #expect(abs(high.seconds / plain.seconds - 1) < 0.05)
    }

    @Test("The volume sets the level, and the audio never clips")
    func volume() throws {
        let plain = try speak("-e", "tone", "--volume", "-12dB")
        let louder = try speak("-e", "tone", "--volume", "-6dB")
        #expect(abs(louder.level - plain.level - 6) < 0.2)
        let loudest = try speak("-e", "espeak-ng", "--volume", "+12dB")
        let clipped = zip(loudest.samples, loudest.samples.dropFirst()).count { abs(Int($0)) >= 32767 && $0 == $1 }
        #expect(clipped == 0)
        #expect(loudest.peak > 20_000)
        #expect(try speak("--volume", "0").peak == 0)
    }

    @Test("A flag overrides the configuration, which overrides the default")
    func precedence() throws {
        let plain = try speak("-e", "tone").seconds
        #expect(try home.run("config", "set", "rate", "2").code == 0)
        #expect(abs(try speak("-e", "tone").seconds / plain - 0.5) < 0.05)
        #expect(abs(try speak("-e", "tone", "-r", "1").seconds / plain - 1) < 0.01)
    }

    @Test("Rate, pitch and volume have the same units in the configuration, flags and environment")
    func units() throws {
        for (key, option, value) in [("rate", "-r", "150%"), ("pitch", "-p", "+2st"), ("volume", "--volume", "-6dB")] {
            let flag = try speak("-e", "tone", option, value).samples
            #expect(try flag != speak("-e", "tone").samples)
            #expect(try home.run("config", "set", key, value).code == 0)
            #expect(try speak("-e", "tone").samples == flag)
            #expect(try home.run("config", "unset", key).code == 0)
            let variable = "SYNTHHOST_\(key.uppercased())"
            let result = try home.run(
                "speak", "-e", "tone", "-o", home.file("y.wav"), Self.text, adding: [variable: value])
            #expect(result.code == 0, "\(result.errors)")
            #expect(try home.wav("y.wav").samples == flag)
            let wrong = try home.run("speak", "-e", "tone", "-o", home.file("z.wav"), "Hi", adding: [variable: "x"])
            #expect(wrong.code == 78 && wrong.errors.hasPrefix("synthhost: \(variable) must be "), "\(wrong.errors)")
        }
    }

    @Test("The language is set by the flag, or else by the configuration, or else by the locale")
    func language() throws {
        let text = "Guten Tag, wie geht es Ihnen heute?"
        let german = try speak("-v", "de", text: text).samples
        let american = try speak("-v", "en-us", text: text).samples
        let british = try speak("-v", "en-gb", text: text).samples
        #expect(german != american && american != british)
        #expect(try speak("-l", "de", text: text).samples == german)
        #expect(try speak("-l", "en-gb", text: text).samples == british)
        #expect(try speak("-l", "en_GB", text: text).samples == british)
        #expect(try speak(text: text, locale: "de_DE.UTF-8").samples == german)
        #expect(try speak(text: text, locale: "de_AT.UTF-8@euro").samples == german)
        #expect(try speak("-v", "en-us", text: text, locale: "de_DE.UTF-8").samples == american)
        #expect(try home.run("config", "set", "language", "de").code == 0)
        #expect(try speak(text: text).samples == german)
        #expect(try speak("-l", "en-us", text: text).samples == american)
    }

    @Test("A speaker is selected with a flag or by a name after a plus sign")
    func speaker() throws {
        let plain = try speak("-v", "en-us").samples
        let other = try speak("-v", "en-us+f3").samples
        #expect(plain != other)
        #expect(try speak("-v", "en-us", "--speaker", "f3").samples == other)
        #expect(try speak("-v", "EN-US", "--speaker", "F3").samples == other)
        let listed = try parseList(try home.run("voices", "en-us", "--json").text).first?["speakers"] as? [String]
        let number = try #require(listed?.firstIndex(of: "f3"))
        #expect(try speak("-v", "en-us", "--speaker", "\(number)").samples == other)
        #expect(try speak("-v", "en-us+\(number)").samples == other)
    }

    @Test("The selected voice is remembered for each engine")
    func remembered() throws {
        #expect(try home.run("config", "set", "voices.tone", "Low").code == 0)
        let low = try speak("-e", "tone", "-v", "Low").samples
        #expect(try speak("-e", "tone").samples == low)
        #expect(try speak("-e", "tone", "-v", "Sine").samples != low)
        #expect(try speak("-e", "espeak-ng").frames > 0)
    }

    @Test("Letters that a voice cannot read are spoken by a second voice, which can be configured")
    func otherLetters() throws {
        func shown(_ options: String...) throws -> String {
            let text = ["speak", "-e", "espeak-ng", "-l", "en", "--show-text", "--json", "It is Мир 5."]
            let result = try home.run(text + options)
            try #require(result.code == 0, "\(result.errors)")
            return String(decoding: result.output, as: UTF8.self)
        }
        #expect(try shown().contains(#""language":"ru","said":"Мир""#))
        #expect(try shown("--keep-voice").contains("It is Мир five."))
        #expect(try home.run("config", "set", "languages.ru", "Bulgarian").code == 0)
        #expect(try shown().contains(#""said":"Мир","text":"Мир","voice":"Bulgarian""#))
        #expect(try home.run("config", "set", "languages.ru", "Nobody").code == 0)
        #expect(try shown().contains(#""said":"Мир","text":"Мир","voice":"Russian""#))
        #expect(try home.run("config", "set", "keepVoice", "true").code == 0)
        #expect(try shown().contains("It is Мир five."))
        // The duration is the sum of both voices' durations.
        let both = try speak("-e", "espeak-ng", "-l", "en", text: "The word Москва is Russian")
        #expect(both.seconds > 1.2 && both.level > -40)
    }
}
