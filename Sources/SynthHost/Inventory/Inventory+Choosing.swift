package import Engines
import EngineWire
import Glibc
import ModelStore
import SynthAudio
import System

extension Inventory {
    /// The voice that is meant. It may have to be downloaded first; its engine is here.
    package func choose(_ wish: VoiceWish) throws(SpeechFailure) -> VoiceChoice {
        let choice = try find(wish)
        for voice in choice.shares.map(\.voice) {
            if let why = voice.unsupported { throw .voice(.unsupportedVoice(title: voice.title, why: why)) }
        }
        return choice
    }

    /// What is wrong with the engine that is meant: the one that was asked for or is configured, else the first one.
    /// No other may take its place unasked.
    package func failure(ofEngineMeantBy wish: VoiceWish) -> EngineFailure? {
        plugins.failure(of: wish.engine ?? wish.preferredEngine ?? VoiceDirectory.firstEngine)
    }

    /// The engine that is meant if no voice is named; nil if there is none.
    package func engine(meantBy wish: VoiceWish) -> String? {
        try? VoiceDirectory(engines: plugins.compactMap(\.engine)).engine(wish).id
    }

    private func find(_ wish: VoiceWish) throws(SpeechFailure) -> VoiceChoice {
        guard let failure = failure(ofEngineMeantBy: wish) else { return try findInUsableEngines(wish) }
        // A voice that was named may be another engine's.
        guard wish.name != nil, wish.engine == nil else { throw .engine(failure) }
        let choice: VoiceChoice
        do throws(SpeechFailure) {
            choice = try findInUsableEngines(wish)
        } catch {
            if case .voice(let error) = error, !error.isMistyped { throw .engine(failure) }
            throw error
        }
        // Nothing is downloaded for a name that the configured engine may well know.
        if wish.preferredEngine != nil {
            guard missing(of: choice).isEmpty else { throw .engine(failure) }
        }
        return choice
    }

    private func findInUsableEngines(_ wish: VoiceWish) throws(SpeechFailure) -> VoiceChoice {
        do throws(VoiceError) {
            return try ready.choose(wish)
        } catch {
            guard error.mayBeInRegistry || error.mayNameVoice(in: wish) else { throw .voice(error) }
        }
        let known: VoiceDirectory
        do throws(RegistryError) {
            known = try all()
        } catch {
            throw .registry(error)
        }
        do throws(VoiceError) {
            return try known.choose(wish)
        } catch {
            throw withoutEngine(wish) ?? .voice(error)
        }
    }

    /// What is wrong with the engine of the voice that is meant, if that engine is not here or cannot be used.
    private func withoutEngine(_ wish: VoiceWish) -> SpeechFailure? {
        guard let name = wish.name, wish.engine == nil, let registry = try? registry() else { return nil }
        let strangers = (registry.voices + host.store.installedVoices().map(\.voice)).filter { voice in
            plugins.allSatisfy { $0.engine?.id != voice.engine }
        }
        return (try? VoiceDirectory.find(name, among: strangers)).map { voice in
            plugins.failure(of: voice.engine).map { .engine($0) }
                ?? .voice(.missingEngine(title: voice.title, engine: voice.engine))
        }
    }
}

extension VoiceError {
    /// It was not found among the voices that are here, so it may be one that can be downloaded.
    fileprivate var mayBeInRegistry: Bool {
        switch self {
        case .unknownVoice, .unknownLanguage, .forgottenVoice, .noVoices: true
        // In a blend; with the voices that can be downloaded it may have been meant otherwise.
        case .blendOfEngines, .blendOfModels: true
        default: false
        }
    }
}

extension VoiceError {
    /// "Heart+Bella": what was read as a speaker may be a voice.
    fileprivate func mayNameVoice(in wish: VoiceWish) -> Bool {
        if case .unknownSpeaker = self { wish.speaker == nil } else { false }
    }
}
