import EngineWire
import Engines
import ModelStore
import SynthHost

/// What `speak` does about a voice that is not downloaded.
struct MissingVoice {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let host: SpeechHost
    private let configuration: Configuration
    private let cancellation: Cancellation

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ host: SpeechHost, _ configuration: Configuration,
        _ cancellation: Cancellation
    ) {
        self.context = context
        self.arguments = arguments
        self.host = host
        self.configuration = configuration
        self.cancellation = cancellation
    }

    /// The configuration in force may name an engine that was asked for this once.
    private var isNobodyChosen: Bool { (try? context.configurationFile(arguments).load())?.engine == nil }

    /// The same where the voice is here; else downloads it, or what the person at the terminal takes in its place.
    func complete(
        _ found: (plugin: PluginFile, choice: VoiceChoice)
    ) throws(CommandFailure) -> (plugin: PluginFile, choice: VoiceChoice) {
        let voice = found.choice.voice
        // Nothing but this stands between an installed voice and its first sound.
        if found.plugin.engine?.speaksWithoutFiles(voice) == true { return found }
        if host.store.installedVoice(id: voice.id, engine: voice.engine) != nil { return found }
        let stock = try VoiceStock(context, configuration, host)
        guard let taken = try VoiceAcquisition(context, arguments, stock, cancellation).acquire(voice) else {
            throw CommandFailure(
                .unavailable, "The voice \(voice.title) was not downloaded, so nothing was spoken.",
                "Another voice speaks with -v; `synthhost voices` lists them.")
        }
        if isNobodyChosen, !arguments[Options.quiet], !arguments[Options.json] {
            let word = ShellWord.quoted(stock.word(for: taken))
            context.say("To have \(taken.title) speak from now on, type: synthhost voices choose \(word)")
        }
        if taken.folder == voice.folder { return found }
        guard let plugin = stock.plugins.first(where: { $0.engine?.id == taken.engine }) else {
            throw CommandFailure(VoiceError.noEngine)
        }
        return (plugin, VoiceChoice(voice: taken))
    }
}
