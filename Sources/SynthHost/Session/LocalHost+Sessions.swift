import Engines
import EngineWire
import ModelStore
import System

extension LocalHost: SpeechBackend {
    /// As `synthhost` would find everything.
    static func ofThisUser() throws(SpeechError) -> LocalHost {
        let process = ProcessEnvironment()
        if let name = process.misleading.first { throw .settings(reason: "The variable \(name) is not UTF-8.") }
        let environment = process.variables
        let presets: Configuration
        do {
            presets = try ConfigurationFile.inForce(environment: { environment[$0] }).load()
        } catch {
            throw .settings(reason: error.message)
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
        let plugins = plugins()
        do throws(RegistryError) {
            let all = try allVoices(plugins)
            return all.voices.map { SpeechVoice(VoiceChoice(voice: $0), state: state(of: $0, in: all)) }
        } catch {
            throw SpeechError(.registry(error))
        }
    }

    package func voice(_ name: String?) throws(SpeechError) -> SpeechVoice {
        let plugins = plugins()
        let language = presets.language ?? LocaleLanguage.tag(environment: ProcessEnvironment().variables)
        let wish = VoiceWish(
            name: name, preferredEngine: presets.engine, remembered: presets.voices, localeLanguage: language)
        do throws(SpeechFailure) {
            let choice = try voice(wish, among: plugins).choice
            let ready = readyVoices(plugins)
            let states = choice.shares.map { state(of: $0.voice, in: ready) }
            return SpeechVoice(choice, state: states.first { $0 != .ready } ?? .ready)
        } catch {
            throw SpeechError(error)
        }
    }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        guard let plugin = plugins().first(where: { $0.engine?.id == voice.engine }),
            let engine = engines.engine(of: plugin.path, { self.engine(plugin) })
        else { throw .unusableVoice(voice: voice.title, reason: "Its engine is not here.") }
        let prepared: PreparedVoice
        do throws(VoiceError) {
            prepared = try prepare(voice.choice, of: engine.description)
        } catch {
            throw SpeechError(error)
        }
        return SpeechSession(
            voice,
            SpeechSession.Source(
                engine: engine.description, voice: prepared, presets: presets,
                openLane: { () throws(EngineFailure) in try engine.openLane(on: prepared.load) }))
    }

    package func download(_ voice: SpeechVoice) -> VoiceDownload {
        VoiceDownload(voice.choice.shares.map(\.voice), store: store)
    }

    private func state(of voice: Voice, in directory: VoiceDirectory) -> SpeechVoice.State {
        if let why = voice.unsupported { return .unusable(why) }
        return switch condition(of: voice, in: directory) {
        case .builtIn, .ready: .ready
        case .notDownloaded: .notDownloaded(bytes: store.missingBytes(of: voice))
        case .damaged(let why): .unusable("Its files are damaged: \(why)")
        case .unsupported: .unusable("Its engine cannot speak it.")
        case .engineMissing(let engine): .unusable("It needs the engine \(engine).")
        }
    }
}
