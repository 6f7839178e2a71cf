import SynthSystem
import TestSupport
import Testing

@testable import SynthHost
@testable import SynthUserVoices

@Suite("The words and phonemes of a text without audio", .ownThreads)
struct PreparedSentenceTests {
    private func session(_ name: String) async throws -> SpeechSession {
        let home = try UserHome()
        let host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
        return try await host.session(try await host.voice(name))
    }

    @Test("Each sentence is returned as it would be spoken, with its position and its language")
    func sentences() async throws {
        let sentences = try await session("English (America)").prepare("Dr. Wu paid $3. She left.")
        #expect(sentences.map(\.written) == ["Dr. Wu paid $3.", "She left."])
        #expect(sentences.map(\.spoken) == ["Doctor Wu paid three dollars.", "She left."])
        #expect(sentences.map(\.source) == [0..<15, 16..<25])
        #expect(sentences.allSatisfy { $0.language == "en-US" && $0.words == nil })
    }

    @Test("If the engine does not report phonemes, none are returned")
    func phonemes() async throws {
        for voice in ["English (America)", "tone/sine"] {
            let sentence = try await session(voice).prepare("It is 3.", withPhonemes: true).first
            #expect(sentence?.spoken == "It is three." && sentence?.words == nil)
        }
    }

    @Test("Markup is interpreted, and errors in it are reported")
    func markup() async throws {
        let session = try await session("tone/sine")
        let ssml = "<speak>One <sub alias='two'>2</sub>.</speak>"
        #expect(try await session.prepare(ssml, as: .ssml).map(\.spoken) == ["One two."])
        await #expect {
            _ = try await session.prepare("<speak>", as: .ssml)
        } throws: { error in
            (error as? SpeechError)?.code == .scriptInvalid
        }
    }
}
