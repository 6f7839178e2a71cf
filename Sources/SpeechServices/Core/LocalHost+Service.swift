package import SynthHost
import System
import VoiceCatalogue

extension LocalHost: ServiceBackend {
    package func voices() throws(SpeechFailure) -> [SpeechVoice] {
        let inventory = inventory()
        let marks = VoiceMarks(presets)
        do throws(RegistryError) {
            return try inventory.all().voices.map { inventory.voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw .registry(error)
        }
    }

    package func voice(_ wish: VoiceWish) throws(SpeechFailure) -> SpeechVoice {
        let inventory = inventory()
        let presets = presets
        let language = presets.language ?? LocaleLanguage.tag(environment: ProcessEnvironment().variables)
        return inventory.voice(
            try inventory.choose(
                VoiceQuery(
                    name: wish.name, speaker: wish.speaker, language: wish.language, preferredEngine: presets.engine,
                    remembered: presets.voices, localeLanguage: language)))
    }

    package func session(_ voice: SpeechVoice) throws(SpeechFailure) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func settings(_ voice: SpeechVoice) -> SpeechSettings { SpeechSettings(presets, for: voice.choice) }

    package func lexicon() throws(SpeechFailure) -> SpeechLexicon? { try inventory().lexicon() }

    package func memory() -> UInt64 { ChildMemory.resident() }
}
