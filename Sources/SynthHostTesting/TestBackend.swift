import Engines
import EngineWire
import VoiceCatalogue
import SynthAudio
import SynthHost
import VoiceCatalogue

/// The backend of a test host: the voices that the test named, all of one engine.
struct TestBackend: SpeechBackend {
    let engine: TestEngine
    let names: [String]

    func voices() throws(SpeechError) -> [SpeechVoice] {
        var voices: [SpeechVoice] = []
        for name in names { voices.append(try voice(name)) }
        return voices
    }

    func voice(_ name: String?) throws(SpeechError) -> SpeechVoice {
        guard let found = name.map({ wanted in names.first { $0 == wanted } }) ?? names.first else {
            throw .voice(name ?? "", candidates: names)
        }
        do throws(RegistryError) {
            // Names may contain any characters, so ids are numbered.
            let number = names.firstIndex(of: found) ?? 0
            let declared = DeclaredVoice(id: "voice-\(number)", name: found, language: "en")
            return SpeechVoice(
                VoiceChoice(voice: try Voice(declared, by: TestEngine.id)), state: .ready)
        } catch {
            throw SpeechError(.registry(error))
        }
    }

    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        let engine = engine
        return SpeechSession(
            voice,
            SpeechSession.Source(
                engine: engine.description,
                voice: PreparedVoice(
                    load: LoadRequest(id: voice.id), uses: [VoiceUse(id: voice.id)], gain: Gain(factor: 1)),
                presets: Configuration(), openLane: { engine.makeLane() }))
    }

    func download(_ voice: SpeechVoice) -> VoiceDownload { VoiceDownload.finished }
}
