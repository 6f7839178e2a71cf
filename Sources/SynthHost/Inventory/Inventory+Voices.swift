import ModelStore
import System
package import VoiceCatalogue

extension Inventory {
    /// All voices that are known; those that could speak now come first.
    package func voices() throws(SpeechFailure) -> [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        do throws(RegistryError) {
            return try all().voices.map { voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw .registry(error)
        }
    }

    /// The voice that is meant, as the user configured it for what the query leaves open.
    package func voice(_ query: VoiceQuery) throws(SpeechFailure) -> SpeechVoice {
        voice(try choose(completed(query)))
    }

    /// A query with what the user configured.
    package func completed(_ query: VoiceQuery) -> VoiceQuery {
        let presets = host.presets
        var query = query
        query.preferredEngine = presets.engine
        query.remembered = presets.voices
        query.localeLanguage =
            presets.language ?? LocaleLanguage.tag(environment: ProcessEnvironment().variables)
        return query
    }

    /// A voice or a blend as it is here.
    ///
    /// - Parameter marks: nil = those of the configuration.
    package func voice(_ choice: VoiceChoice, _ marks: VoiceMarks? = nil) -> SpeechVoice {
        let states = choice.shares.map { state(of: $0.voice) }
        return SpeechVoice(
            choice, state: states.first { $0 != .ready } ?? .ready, marks ?? VoiceMarks(host.presets))
    }

    private func state(of voice: Voice) -> SpeechVoice.State {
        if let why = voice.unsupported { return .unusable(.notSupported(why)) }
        return switch condition(of: voice) {
        case .builtIn, .ready: .ready
        case .notDownloaded: .notDownloaded(bytes: host.store.missingBytes(of: voice))
        case .damaged(let why): .unusable(.damaged(why))
        case .unsupported: .unusable(.notSupported(nil))
        case .engineMissing(let engine): .unusable(.engineMissing(engine))
        }
    }
}
