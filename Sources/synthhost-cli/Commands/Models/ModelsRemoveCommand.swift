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
            do throws(VoiceRemoval.Failure) {
                tell(try library.inventory.remove(voice), of: voice)
            } catch {
                switch error {
                case .registry(let error): throw CommandFailure(error)
                case .store(let error): throw CommandFailure(error)
                case .configuration(let error): throw CommandFailure(error)
                }
            }
        }
    }

    private func tell(_ removal: VoiceRemoval, of voice: Voice) {
        say("Removed \(voice.title): \(ByteCount.words(removal.freed)) are free again.")
        for path in removal.foreign { say("\(path) stays: \(PruneCandidate.Reason.notOurs.words).") }
        guard removal.wasChosen else { return }
        say("It was the chosen voice of \(voice.engine); no voice of \(voice.engine) is chosen any more.")
        if removal.lostEngine {
            say("\(voice.engine) has no other voice, so it is not the chosen engine any more either.")
        }
    }

    private func say(_ line: String) {
        if !arguments[Options.quiet] { context.say(line) }
    }
}
