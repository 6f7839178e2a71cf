import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// What is done about a voice that is not downloaded.
struct MissingVoice {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let inventory: Inventory
    private let configuration: Configuration
    private let cancellation: Cancellation

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ inventory: Inventory, _ configuration: Configuration,
        _ cancellation: Cancellation
    ) {
        self.context = context
        self.arguments = arguments
        self.inventory = inventory
        self.configuration = configuration
        self.cancellation = cancellation
    }

    /// Returns the choice if all its voices are installed. Else downloads them, or what the user chooses instead.
    func complete(_ choice: VoiceChoice) throws(CommandFailure) -> FoundVoice {
        let missing = inventory.missing(of: choice)
        if missing.isEmpty { return FoundVoice(choice: choice) }
        let library = try VoiceLibrary(context, configuration, inventory)
        // The speech is waited for more than the loudness.
        let acquisition = VoiceAcquisition(context, arguments, library, cancellation, measures: false)
        for voice in missing {
            guard let taken = try acquisition.acquire(voice) else {
                throw CommandFailure(
                    .unavailable, "The voice \(voice.title) was not downloaded, so nothing was spoken.",
                    "Another voice speaks with -v; `synthhost voices` lists them.")
            }
            if choice.shares.count == 1 { offer(taken, library) }
            if taken.folder == voice.folder { continue }
            return FoundVoice(choice: VoiceChoice(voice: taken), downloaded: [taken])
        }
        return FoundVoice(choice: choice, downloaded: missing)
    }

    /// The file is read again, because the configuration in force may have an engine of this command line only.
    private var hasNoChosenEngine: Bool { (try? context.configurationFile(arguments).load())?.engine == nil }

    /// Says how to choose a voice for good, if no engine is chosen yet.
    private func offer(_ voice: Voice, _ library: VoiceLibrary) {
        guard hasNoChosenEngine, !arguments[Options.quiet], !arguments[Options.json] else { return }
        let word = ShellWord.quoted(library.word(for: voice))
        context.say("To have \(voice.title) speak from now on, type: synthhost voices choose \(word)")
    }
}
