package import EngineWire
package import SynthHost
import System
import VoiceCatalogue

extension LocalHost: ServiceBackend {
    package func voices() throws(SpeechFailure) -> [SpeechVoice] { try inventory().voices() }

    package func voice(_ wish: VoiceWish) throws(SpeechFailure) -> SpeechVoice {
        try inventory().voice(VoiceQuery(name: wish.name, speaker: wish.speaker, language: wish.language))
    }

    package func session(_ voice: SpeechVoice) throws(SpeechFailure) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func settings(_ voice: SpeechVoice) -> SpeechSettings { SpeechSettings(presets, for: voice.choice) }

    package func lexicon() throws(SpeechFailure) -> SpeechLexicon? { try inventory().lexicon() }

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? { inventory().lanes(of: plugin, load) }

    package func memory() -> UInt64 { ChildMemory.resident() }
}
