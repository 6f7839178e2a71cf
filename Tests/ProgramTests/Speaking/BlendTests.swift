import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Speaking with a blend of voices", .ownThreads)
struct BlendTests {
    /// The frequency of the audio that the Tone engine generates.
    private func hertz(_ home: UserHome, _ name: String) throws -> Double {
        let wav = try home.wav(name)
        let crossings = zip(wav.samples, wav.samples.dropFirst()).filter { $0 <= 0 && $1 > 0 }.count
        let sounding = wav.samples.filter { $0 != 0 }.count
        return Double(crossings) / Double(sounding) * Double(wav.sampleRate)
    }

    @Test("The pitch of a blend lies between the pitches of its voices, according to their weights")
    func weights() throws {
        let home = try UserHome()
        func spoken(_ voice: String) throws -> Double {
            let run = try home.run("speak", "-v", voice, "aaaaaaaa", "-o", home.file("a.wav"))
            try #require(run.code == 0, "\(run.errors)")
            return try hertz(home, "a.wav")
        }
        let (sine, low) = (try spoken("Sine"), try spoken("Low"))
        #expect(abs(try spoken("Sine+Low") - (sine + low) / 2) < sine / 20)
        #expect(abs(try spoken("Sine*3+Low") - (0.75 * sine + 0.25 * low)) < sine / 20)
        #expect(try spoken("Sine*5") == sine)
    }

    @Test("The result lists the voices with their weights")
    func result() throws {
        let home = try UserHome()
        let run = try home.run("speak", "-v", "Sine*1+Low*3", "a", "-o", home.file("a.wav"), "--json")
        let result = try JSONDecoder().decode(Result.self, from: Data(run.text.utf8))
        #expect(result.voice == "sine")
        #expect(result.blend?.map(\.voice) == ["sine", "low"] && result.blend?.map(\.weight) == [0.25, 0.75])
        let verbose = try home.run("speak", "-v", "Sine*1+Low*3", "a", "-o", home.file("a.wav"), "--verbose")
        #expect(verbose.errors.contains("25 % Sine + 75 % Low"))
    }

    private struct Result: Decodable {
        struct Share: Decodable {
            var voice: String
            var weight: Double
        }
        var voice: String
        var blend: [Share]?
    }

    @Test(
        "An impossible blend is rejected with a message",
        arguments: [
            ("Sine+Lov", 69, "No voice is called \"Lov\". Did you mean \"Low\""),
            ("Sine*much+Low", 64, "\"much\" is not a weight for the voice Sine"),
            ("Sine+", 64, "is missing a voice next to"),
            ("Sine+German", 69, "all voices of a blend must belong to the same engine"),
            ("Sine+Low+Buzz+Sine+Low+Buzz+Sine+Low+Buzz", 64, "9 voices are too many"),
        ] as [(String, Int32, String)])
    func mistakes(voice: String, code: Int32, words: String) throws {
        let home = try UserHome()
        let run = try home.run("speak", "-v", voice, "a", "-o", home.file("a.wav"))
        #expect(run.code == code && run.errors.contains(words), "\(run.code) \(run.errors)")
        #expect(!home.exists("a.wav"))
    }

    @Test("A blend can be the default voice")
    func chosen() throws {
        let home = try UserHome()
        let chosen = try home.run("voices", "choose", "Sine*3+Low")
        #expect(chosen.code == 0 && chosen.errors.contains("75 % Sine + 25 % Low is now the default voice."))
        #expect(try home.run("config", "get", "voices.tone").text == "Sine*3+Low\n")
        let spoken = try home.run("speak", "aaaaaaaa", "-o", home.file("a.wav"), "--verbose")
        #expect(spoken.errors.contains("75 % Sine + 25 % Low"), "\(spoken.errors)")
        try home.write(
            "{\"engine\": \"tone\", \"voices\": {\"tone\": \"Sine+Gone\"}}", to: "config/synthhost/config.json")
        let lost = try home.run("speak", "a", "-o", home.file("b.wav"))
        #expect(lost.code == 69 && lost.errors.contains("\"Sine+Gone\""), "\(lost.errors)")
    }

    @Test("A blend needs all of its voices, so missing ones are downloaded")
    func download() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        #expect(try home.run("models", "pull", "Left").code == 0)
        let asked = try home.run("speak", "-v", "Left+Right", "hello", "-o", home.file("a.wav"))
        #expect(asked.code == 69)
        #expect(asked.errors.contains("The voice Right is not downloaded"), "\(asked.errors)")
        #expect(asked.errors.contains("synthhost models pull Right"))
        let spoken = try home.run("speak", "-v", "Left+Right", "--yes", "hello", "-o", home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        let models = try home.run("speak", "-v", "Nature+Brook", "--yes", "hello", "-o", home.file("b.wav"))
        #expect(
            models.code == 69 && models.errors.contains("all voices of a blend must use the same model"),
            "\(models.errors)")
    }
}
