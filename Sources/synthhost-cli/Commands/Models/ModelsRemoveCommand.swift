import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// `synthhost models remove`: removes downloaded voices.
struct ModelsRemoveCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let library = try VoiceLibrary(context, arguments)
        for voice in try library.stored(arguments.positionals, takesBest: false) {
            let wasRemembered = library.isRemembered(voice)
            let store = library.store
            let result = AsyncWork.run(context, Cancellation()) { () -> Result<Int64, StoreError> in
                do throws(StoreError) {
                    return .success(try await store.remove(voice))
                } catch {
                    return .failure(error)
                }
            }
            switch result {
            case .success(let freed): say("Removed \(voice.title): \(ByteCount.words(freed)) are free again.")
            case .failure(let error): throw CommandFailure(error)
            }
            if wasRemembered { try forget(voice, library) }
        }
    }

    /// Removes the voice from the configuration, so that the next `speak` does not ask for a deleted voice.
    private func forget(_ voice: Voice, _ library: VoiceLibrary) throws(CommandFailure) {
        let isLast = library.inventory.ready.voices.allSatisfy { $0.engine != voice.engine }
        let lostEngine = try VoicePreference(context, arguments).forget(engine: voice.engine, withEngine: isLast)
        say("It was the chosen voice of \(voice.engine); no voice of \(voice.engine) is chosen any more.")
        if lostEngine { say("\(voice.engine) has no other voice, so it is not the chosen engine any more either.") }
    }

    private func say(_ line: String) {
        if !arguments[Options.quiet] { context.say(line) }
    }
}
