import CommandSyntax
import SynthHost

/// `synthhost voices hide`: leaves voices out of lists.
struct VoicesHideCommand: Command {
    private let listing: VoiceListing

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .hidden)
    }

    func run() throws(CommandFailure) {
        try listing.add("is hidden: lists leave it out, and it speaks when it is named.")
    }
}
