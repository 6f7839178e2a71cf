import SynthAudio
import SynthCatalogue
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Voice gain", .ownThreads)
struct VoiceGainTests {
    @Test("A built-in voice gets the gain that the user's registry lists for the engine, within limits")
    func registry() throws {
        let home = try UserHome()
        try home.write(
            #"{"engines": {"tone": {"gain": -3.5, "gains": {"square": 900}}}}"#, to: "data/synthhost/models.json")
        let host = LocalHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
        let inventory = host.snapshot()
        let voices = inventory.ready.voices
        let sine = try #require(voices.first { $0.engine == "tone" && $0.id == "sine" })
        #expect(inventory.gain(of: sine) == -3.5)
        let session = try inventory.session(VoiceChoice(voice: sine))
        #expect(abs(session.gain.value + 3.5) < 0.001)
        let square = try Voice(DeclaredVoice(id: "square", name: "Square", language: "en"), by: "tone")
        #expect(inventory.gain(of: square) == 40)
        // The user's registry does not list this engine, so the shipped registry applies.
        let espeak = try #require(voices.first { $0.engine == "espeak-ng" && $0.id == "en-us" })
        #expect((-6 ... -1).contains(inventory.gain(of: espeak)))
    }
}
