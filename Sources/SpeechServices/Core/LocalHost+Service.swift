package import EngineWire
package import SynthHost
import System
import VoiceCatalogue

extension LocalHost: ServiceBackend {
    package func voices() throws(SpeechFailure) -> [SpeechVoice] { try inventory().voices() }

    package func voice(_ wish: VoiceWish) throws(SpeechFailure) -> SpeechVoice {
        try inventory().voice(wish.query)
    }

    package func standIn(
        for wish: VoiceWish, _ voice: SpeechVoice?, after failure: SpeechFailure
    ) -> VoiceReplacement? {
        let inventory = inventory()
        if let voice { return inventory.standIn(for: voice, after: failure) }
        return inventory.standIn(for: inventory.completed(wish.query), after: failure)
    }

    package func readyVoices() throws(SpeechFailure) -> [SpeechVoice] { inventory().readyVoices }

    package func spareVoice(for language: String) -> SpeechVoice? { inventory().spareVoice(for: language) }

    package func session(_ voice: SpeechVoice) throws(SpeechFailure) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings {
        usesProfile ? SpeechSettings(presets, for: voice.choice) : SpeechSettings(presets)
    }

    package var engines: [String] { inventory().speakingEngines }

    package var downloadsUnasked: Bool { presets.autoDownload }

    package func voice(forOpenAI name: String) -> String? { presets.openai[name] }

    package func lexicon() throws(SpeechFailure) -> SpeechLexicon? { try inventory().lexicon() }

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? { inventory().lanes(of: plugin, load) }

    package func memory() -> UInt64 { ChildMemory.resident() }
}

extension VoiceWish {
    fileprivate var query: VoiceQuery { VoiceQuery(name: name, speaker: speaker, language: language, engine: engine) }
}
