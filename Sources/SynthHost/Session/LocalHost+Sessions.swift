import Engines
import EngineWire
import ModelStore
import System
import VoiceCatalogue

extension LocalHost: SpeechBackend {
    /// As `synthhost` would find everything.
    static func ofThisUser() throws(SpeechError) -> LocalHost {
        let process = ProcessEnvironment()
        if let name = process.misleading.first { throw .settings(.environment(variable: name)) }
        let environment = process.variables
        let presets: Configuration
        do {
            presets = try ConfigurationFile.inForce(environment: { environment[$0] }).load()
        } catch {
            throw .settings(.configuration(error))
        }
        do throws(InstallationError) {
            return LocalHost(
                installation: try Installation(executable: Installation.executable, environment: environment),
                folders: UserFolders(environment: environment), environment: environment, limits: presets.limits,
                network: NetworkPolicy(environment: environment), presets: presets)
        } catch {
            throw SpeechError(.installation(error))
        }
    }

    package func voices() throws(SpeechError) -> [SpeechVoice] {
        let inventory = inventory()
        do throws(RegistryError) {
            return try inventory.all().voices.map { voice in
                SpeechVoice(VoiceChoice(voice: voice), state: inventory.state(of: voice))
            }
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
            let choice = try inventory.choose(query)
            let states = choice.shares.map { inventory.state(of: $0.voice) }
            return SpeechVoice(choice, state: states.first { $0 != .ready } ?? .ready)
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

    package func download(_ voice: SpeechVoice) -> VoiceDownload {
        VoiceDownload(voice.choice.shares.map(\.voice), store: store)
    }
}

extension Inventory {
    fileprivate func state(of voice: Voice) -> SpeechVoice.State {
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
