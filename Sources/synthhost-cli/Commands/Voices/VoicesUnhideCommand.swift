import CommandSyntax
import SynthHost

/// `synthhost voices unhide`: shows hidden voices again.
struct VoicesUnhideCommand: Command {
    private let listing: VoiceListing

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .hidden)
    }

    func run() throws(CommandFailure) { try listing.remove("is shown again.") }
}
