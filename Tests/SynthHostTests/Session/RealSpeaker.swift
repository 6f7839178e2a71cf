import Foundation
import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

/// This project's engines, each with a small voice.
enum RealSpeaker: String, CaseIterable, Sendable {
    case espeak = "libEspeakNG.so"
    case piper = "libPiper.so"
    case kokoro = "libKokoro.so"

    var voice: PreparedVoice {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Voices")
        func fixture(_ name: String) -> String { fixtures.appending(path: name).path }
        let (model, uses): ([HandedFile], VoiceUse)
        switch self {
        case .espeak: (model, uses) = ([], VoiceUse(id: "en-us"))
        case .piper:
            model = [
                HandedFile(role: "model", path: fixture("en_US-tern-x_low.onnx")),
                HandedFile(role: "config", path: fixture("en_US-tern-x_low.onnx.json")),
            ]
            uses = VoiceUse(id: "tern")
        case .kokoro:
            model = [HandedFile(role: "model", path: fixture("kokoro-tern.onnx"))]
            uses = VoiceUse(id: "af_tern", files: [HandedFile(role: "style", path: fixture("af_tern.bin"))])
        }
        return PreparedVoice(load: LoadRequest(id: rawValue, files: model), uses: [uses], gain: Gain(factor: 1))
    }

    func engine(in home: UserHome) throws -> Engine {
        let host = LocalHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: [:]))
        let plugin = try #require(host.snapshot().plugins.first { $0.path.hasSuffix("/\(rawValue)") })
        return try #require(host.engine(plugin))
    }

    func session(in home: UserHome) throws -> SpeechSession {
        let (engine, voice) = (try engine(in: home), voice)
        let declared = try Voice(
            DeclaredVoice(id: voice.uses[0].id, name: rawValue, language: "en-US"), by: engine.description.id)
        return SpeechSession(
            SpeechVoice(VoiceChoice(voice: declared), state: .ready),
            SpeechSession.Source(
                engine: engine.description, voice: voice, presets: Configuration(),
                openLane: { _ throws(EngineFailure) in try engine.openLane(on: voice.load, handing: voice.files) }))
    }
}
