import Engines
import EngineWire
import ModelStore
import SynthHost
import System

/// What `speak` does about a voice that is not downloaded.
struct MissingVoice {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let host: LocalHost
    private let configuration: Configuration
    private let cancellation: Cancellation

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ host: LocalHost, _ configuration: Configuration,
        _ cancellation: Cancellation
    ) {
        self.context = context
        self.arguments = arguments
        self.host = host
        self.configuration = configuration
        self.cancellation = cancellation
    }

    /// The same where all its voices are here; else downloads them, or what the person at the terminal takes in their
    /// place.
    func complete(
        _ found: (plugin: PluginFile, choice: VoiceChoice)
    ) throws(CommandFailure) -> (plugin: PluginFile, choice: VoiceChoice) {
        // Nothing but this stands between an installed voice and its first sound.
        let missing = found.choice.shares.map(\.voice).filter { voice in
            found.plugin.engine?.speaksWithoutFiles(voice) != true
                && host.store.installedVoice(id: voice.id, engine: voice.engine) == nil
        }
        if missing.isEmpty { return found }
        let stock = try VoiceStock(context, configuration, host)
        for voice in missing {
            guard let taken = try VoiceAcquisition(context, arguments, stock, cancellation).acquire(voice) else {
                throw CommandFailure(
                    .unavailable, "The voice \(voice.title) was not downloaded, so nothing was spoken.",
                    "Another voice speaks with -v; `synthhost voices` lists them.")
            }
            if found.choice.shares.count == 1 { offer(taken, stock) }
            if taken.folder == voice.folder { continue }
            guard let plugin = stock.plugins.first(where: { $0.engine?.id == taken.engine }) else {
                throw CommandFailure(VoiceError.noEngine)
            }
            return (plugin, VoiceChoice(voice: taken))
        }
        return found
    }

    /// The configuration in force may name an engine that was asked for this once.
    private var isNobodyChosen: Bool { (try? context.configurationFile(arguments).load())?.engine == nil }

    /// Says how to keep a voice, to somebody who has chosen none yet.
    private func offer(_ voice: Voice, _ stock: VoiceStock) {
        guard isNobodyChosen, !arguments[Options.quiet], !arguments[Options.json] else { return }
        let word = ShellWord.quoted(stock.word(for: voice))
        context.say("To have \(voice.title) speak from now on, type: synthhost voices choose \(word)")
    }
}
