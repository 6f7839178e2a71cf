import Engines
import EngineWire
import ModelStore
import SynthAudio
import SynthHost

/// The names that a shell offers. A shell waits for them: nothing is downloaded, and what a scan learned before is not
/// asked again. Where no engine's own words are needed, none that is new is asked at all.
struct CompletionNames {
    private let configuration: Configuration
    private let host: LocalHost
    private let environment: [String: String]

    init(_ context: CommandContext) throws(CommandFailure) {
        let arguments = ParsedArguments()
        configuration = try context.configuration(arguments)
        host = try context.host(arguments, limits: configuration.limits)
        environment = context.environment
    }

    func names(of subject: CompletionSubject) -> [String] {
        switch subject {
        case .bash, .zsh, .fish: []
        case .engines: host.plugins().compactMap(\.engine?.id)
        case .voices: host.readyVoices(host.plugins()).voices.map(\.title)
        case .known: known(host.plugins()).map(\.title)
        case .downloads: downloads
        case .held: held
        case .languages: known(host.knownPlugins()).map(\.language).sorted()
        case .speakers(let voice): speakers(of: voice)
        case .values(let key): values(of: key)
        }
    }

    /// What could be spoken if it were downloaded; where no engine is known yet, whatever the registry has.
    private func known(_ plugins: [PluginFile]) -> [Voice] {
        guard let registry = try? host.registry(plugins) else { return host.readyVoices(plugins).voices }
        if plugins.allSatisfy({ $0.engine == nil }) { return registry.voices }
        return host.allVoices(plugins, registry).voices
    }

    private var downloads: [String] {
        let plugins = host.knownPlugins()
        let here = Set(host.store.installedVoices().map(\.voice.folder))
        let builtIn = Set(plugins.compactMap(\.engine).flatMap(\.builtInVoices).map(\.folder))
        return known(plugins).filter { voice in
            voice.unsupported == nil && !here.contains(voice.folder) && !builtIn.contains(voice.folder)
        }.map(\.title)
    }

    private var held: [String] {
        let known = (try? host.registry(host.knownPlugins()))?.voices ?? []
        let halves = known.filter { host.store.holding(of: $0) != nil }
        return (host.store.installedVoices().map(\.voice) + halves).map(\.title)
    }

    private func speakers(of name: String) -> [String] {
        let plugins = host.plugins()
        let wish = VoiceWish(
            name: name.isEmpty ? nil : name, preferredEngine: configuration.engine, remembered: configuration.voices,
            localeLanguage: configuration.language ?? LocaleLanguage.tag(environment: environment))
        return (try? host.voice(wish, among: plugins))?.choice.voice.speakers ?? []
    }

    private func values(of key: String) -> [String] {
        switch key {
        case "engine": return names(of: .engines)
        case "language": return names(of: .languages)
        case "device": return ALSADevice.list().map(\.name)
        case "autoDownload": return ["true", "false"]
        default:
            guard key.hasPrefix("voices.") else { return [] }
            return known(host.plugins()).filter { "voices.\($0.engine)" == key }.map(\.title)
        }
    }
}
