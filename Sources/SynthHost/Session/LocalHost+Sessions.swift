import Engines
import EngineWire
import ModelStore
import System
package import VoiceCatalogue

extension LocalHost: SpeechBackend {
    /// As `synthhost` would find everything.
    static func ofThisUser() throws(SpeechError) -> LocalHost {
        let process = ProcessEnvironment()
        if let name = process.misleading.first { throw .settings(.environment(variable: name)) }
        let environment = process.variables
        let file = ConfigurationFile.inForce(environment: { environment[$0] })
        let presets: Configuration
        do {
            presets = try file.load()
        } catch {
            throw .settings(.configuration(error))
        }
        do throws(InstallationError) {
            return LocalHost(
                installation: try Installation(executable: Installation.executable, environment: environment),
                folders: UserFolders(environment: environment), environment: environment, limits: presets.limits,
                network: NetworkPolicy(environment: environment), presets: presets, configuration: file)
        } catch {
            throw SpeechError(.installation(error))
        }
    }

    package var device: String? { presets.device }

    package var clips: ClipLibrary { ClipLibrary(presets, from: configuration) }

    package func voices() throws(SpeechError) -> [SpeechVoice] {
        let inventory = inventory()
        let marks = VoiceMarks(presets)
        do throws(RegistryError) {
            return try inventory.all().voices.map { inventory.voice(VoiceChoice(voice: $0), marks) }
        } catch {
            throw SpeechError(.registry(error))
        }
    }

    package func voice(_ name: String?) throws(SpeechError) -> SpeechVoice {
        let inventory = inventory()
        let language = presets.language ?? LocaleLanguage.tag(environment: ProcessEnvironment().variables)
        let query = VoiceQuery(
            name: name, preferredEngine: presets.engine, remembered: presets.voices, localeLanguage: language)
        do throws(SpeechFailure) {
            return inventory.voice(try inventory.choose(query))
        } catch {
            throw SpeechError(error)
        }
    }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        do throws(SpeechFailure) {
            return try inventory().session(voice.choice)
        } catch {
            throw SpeechError(error)
        }
    }

    package func setProfile(_ profile: VoiceProfile, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        try change(voice) { file throws(ConfigurationError) in
            try file.setProfile(profile, of: voice.choice.heaviest.voice)
        }
    }

    package func set(_ list: VoiceList, _ isOn: Bool, of voice: SpeechVoice) throws(SpeechError) -> SpeechVoice {
        try change(voice) { file throws(ConfigurationError) in
            let voice = voice.choice.heaviest.voice
            if isOn { try file.add(voice, to: list) } else { try file.remove(voice, from: list) }
        }
    }

    private func change(
        _ voice: SpeechVoice, _ body: (ConfigurationFile) throws(ConfigurationError) -> Void
    ) throws(SpeechError) -> SpeechVoice {
        do throws(ConfigurationError) {
            try change(body)
        } catch {
            throw .settings(.configuration(error))
        }
        return SpeechVoice(voice.choice, state: voice.state, VoiceMarks(presets))
    }

    package func download(_ voice: SpeechVoice) -> VoiceDownload {
        VoiceDownload(voice.choice.shares.map(\.voice), store: store) { inventory().loudnessMeasurement(of: $0) }
    }
}

extension Inventory {
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
