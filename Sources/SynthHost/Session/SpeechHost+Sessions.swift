import EngineWire
import Engines
import System
import ModelStore

extension SpeechHost {
    /// This user's engines, voices and configuration, as `synthhost` finds them.
    ///
    /// - Throws: `installation` where synthhost is not installed, `settings` where the configuration cannot be used.
    public init() throws(SpeechError) {
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
            self.init(
                installation: try Installation(executable: Installation.executable, environment: environment),
                folders: UserFolders(environment: environment), environment: environment, limits: presets.limits,
                network: NetworkPolicy(environment: environment), presets: presets)
        } catch {
            throw SpeechError(.installation(error))
        }
    }

    /// All voices that are known, downloaded or not; those that could speak now come first.
    public func voices() async throws(SpeechError) -> [SpeechVoice] {
        try await blocking { () throws(SpeechError) in
            let plugins = plugins()
            do throws(RegistryError) {
                let all = try allVoices(plugins)
                return all.voices.map { SpeechVoice(VoiceChoice(voice: $0), state: state(of: $0, in: all)) }
            } catch {
                throw SpeechError(.registry(error))
            }
        }
    }

    /// The voice that people call so: a name, a name with its accent, an id, a language; with `+speaker` where it has
    /// several; or a blend, as in "Heart*0.7+Emma*0.3".
    ///
    /// - Parameter name: nil = the one that the user chose, else one of the user's language.
    /// - Throws: `voice` where there is none of that name, or more than one.
    public func voice(_ name: String? = nil) async throws(SpeechError) -> SpeechVoice {
        try await blocking { () throws(SpeechError) in
            let plugins = plugins()
            let language = presets.language ?? LocaleLanguage.tag(environment: ProcessEnvironment().variables)
            let wish = VoiceWish(
                name: name, preferredEngine: presets.engine, remembered: presets.voices, localeLanguage: language)
            do throws(SpeechFailure) {
                let choice = try voice(wish, among: plugins).choice
                let states = choice.shares.map { state(of: $0.voice, in: readyVoices(plugins)) }
                return SpeechVoice(choice, state: states.first { $0 != .ready } ?? .ready)
            } catch {
                throw SpeechError(error)
            }
        }
    }

    /// A session that speaks with a voice. Its engine is started, and its model loaded, with the first speech or `warmUp`.
    ///
    /// - Throws: `notDownloaded` where files are missing.
    public func session(_ voice: SpeechVoice) async throws(SpeechError) -> SpeechSession {
        try await blocking { () throws(SpeechError) in
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
    }

    /// Downloads what is missing of a voice. Begins at once, and goes on whether anybody reads its states or not.
    public func download(_ voice: SpeechVoice) -> VoiceDownload {
        VoiceDownload(voice.choice.shares.map(\.voice), store: store)
    }

    private func state(of voice: Voice, in directory: VoiceDirectory) -> SpeechVoice.State {
        if let why = voice.unsupported { return .unusable(why) }
        return switch condition(of: voice, in: directory) {
        case .builtIn, .ready: .ready
        case .notDownloaded: .notDownloaded(bytes: store.missingBytes(of: voice))
        case .unsupported: .unusable("Its engine cannot speak it.")
        case .damaged(let reason): .unusable("It is damaged: \(reason).")
        case .engineMissing(let engine): .unusable("It needs the engine \(engine).")
        }
    }

    private func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SpeechError) -> Value
    ) async throws(SpeechError) -> Value {
        try await onThread("speech-host") { () -> Result<Value, SpeechError> in
            do throws(SpeechError) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
