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

    /// The ids of the engines that can be used, without examples, in their order.
    package var speakingEngines: [String] { engines.filter { !$0.isExample }.map(\.id) }

    /// The voices that could speak now, without hidden ones and those of engines that are examples.
    package var readyVoices: [SpeechVoice] {
        let marks = VoiceMarks(host.presets)
        let directory = ready
        let examples = Set(directory.engines.filter(\.isExample).map(\.id))
        return directory.voices.filter { !examples.contains($0.engine) }.map { voice(VoiceChoice(voice: $0), marks) }
            .filter { !$0.isHidden && $0.state == .ready }
    }

    /// A voice of the language that the first engine speaks without any file; nil = there is none.
    package func spareVoice(for language: String) -> SpeechVoice? {
        guard let choice = try? choose(VoiceQuery(language: language, engine: firstEngine)),
            condition(of: choice.voice) == .builtIn
        else { return nil }
        return voice(choice)
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
        query.localeLanguage = host.language
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
