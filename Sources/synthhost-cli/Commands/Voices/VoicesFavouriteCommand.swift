import CommandSyntax
import SynthHost

/// `synthhost voices favourite`: lists voices before the others.
struct VoicesFavouriteCommand: Command {
    private let listing: VoiceListing

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .favourites)
    }

    func run() throws(CommandFailure) { try listing.add("is a favourite: lists begin with it.") }
}
