import Foundation
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Profiles set by programs", .ownThreads)
struct HostProfileTests {
    private func sound(_ session: SpeechSession, _ options: SpeechOptions = SpeechOptions()) async throws -> [Float] {
        var samples: [Float] = []
        for try await part in session.speak("Hello there, world.", options) {
            if case .audio(let audio) = part { samples += audio.samples }
        }
        return samples
    }

    @Test("A profile applies to sessions created afterward, and options can replace or ignore it")
    func heard() async throws {
        let host = SpeechHost(testing: TestEngine(framesPerByte: 800), voices: ["Heart", "Emma"])
        let heart = try await host.voice("Heart")
        let before = try await host.session(heart)
        let plain = try await sound(before)
        #expect(heart.profile.isEmpty)
        let tuned = try await host.setProfile(VoiceProfile(rate: 2, volume: 0.5), of: heart)
        #expect(tuned.profile == VoiceProfile(rate: 2, volume: 0.5))
        #expect(try await host.voice("Heart").profile == tuned.profile)
        #expect(try await host.voice("Emma").profile.isEmpty)
        let session = try await host.session(tuned)
        let fast = try await sound(session)
        let share = Double(fast.count) / Double(plain.count)
        #expect(share > 0.45 && share < 0.55, "\(share)")
        let (loud, quiet) = (try #require(plain.max()), try #require(fast.max()))
        #expect(quiet / loud > 0.48 && quiet / loud < 0.52, "\(quiet / loud)")
        #expect(try await sound(session, SpeechOptions(usesProfile: false)) == plain)
        #expect(try await sound(session, SpeechOptions(rate: 1, volume: 1)) == plain)
        #expect(try await sound(before) == plain)
        #expect(try await sound(try await host.session(try await host.voice("Emma"))) == plain)
        await #expect(throws: SpeechError.self) { try await host.setProfile(VoiceProfile(rate: 9), of: heart) }
        #expect(try await host.setProfile(VoiceProfile(), of: heart).profile.isEmpty)
    }

    @Test("A test host's voices can be marked as favorites or as hidden")
    func marks() async throws {
        let host = SpeechHost(testing: TestEngine(), voices: ["Heart", "Emma"])
        let heart = try await host.voice("Heart")
        #expect(try await host.setFavorite(true, heart).isFavorite)
        let hidden = try await host.setHidden(true, heart)
        #expect(hidden.isHidden && !hidden.isFavorite)
        #expect(try await host.voices().map(\.isHidden) == [true, false])
        #expect(try await !host.setHidden(false, heart).isHidden)
    }

    @Test("Profiles and marks are stored in the user's configuration, and errors name the problem")
    func kept() async throws {
        let home = try UserHome()
        func host() throws -> LocalHost {
            let environment = home.environment
            return LocalHost(
                HostSetup(
                    installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                    folders: UserFolders(environment: environment), environment: environment))
        }
        try home.write("{\"device\": \"null\"}", to: "config/synthhost/config.json")
        let first = SpeechHost(try host())
        let sine = try await first.setProfile(VoiceProfile(rate: 1.5), of: try await first.voice("Sine"))
        try await first.setFavorite(true, sine)
        try await first.setHidden(true, try await first.voice("Low"))
        #expect(sine.profile == VoiceProfile(rate: 1.5))
        let saved = try ConfigurationFile(path: home.file("config/synthhost/config.json")).load()
        #expect(saved.profiles == ["tone/sine": VoiceProfile(rate: 1.5)] && saved.device == "null")
        #expect(saved.favorites == ["tone/sine"] && saved.hidden == ["tone/low"])
        let voices = try await first.voices().filter { $0.engine == "tone" }
        #expect(voices.filter(\.isFavorite).map(\.name) == ["Sine"])
        #expect(voices.filter(\.isHidden).map(\.name) == ["Low"])
        // A voice that is marked as hidden is not suggested.
        await #expect {
            _ = try await first.voice("Lov")
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .voiceUnknown && !error.facts.candidates.contains("Low")
        }
        let spoken = try await sound(try await first.session(sine))
        let usual = try await sound(try await first.session(sine), SpeechOptions(usesProfile: false))
        let share = Double(spoken.count) / Double(usual.count)
        #expect(share > 0.62 && share < 0.72, "\(share)")
        await #expect {
            try await first.setProfile(VoiceProfile(pitch: 3), of: sine)
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .settingInvalid && error.facts.name == "profiles.tone/sine.pitch"
        }
    }
}
