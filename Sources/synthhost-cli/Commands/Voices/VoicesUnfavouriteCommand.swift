import CommandSyntax
import SynthHost

/// `synthhost voices unfavourite`: lists voices like the others again.
struct VoicesUnfavouriteCommand: Command {
    private let listing: VoiceListing

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .favourites)
    }

    func run() throws(CommandFailure) { try listing.remove("is no favourite any more.") }
}
