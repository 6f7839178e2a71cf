import CommandParts
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

/// `synthhost voices unfavourite`: lists voices like the others again.
struct VoicesUnfavouriteCommand: Command {
    private let listing: VoiceListing

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .favourites)
    }

    func run() throws(CommandFailure) { try listing.remove("is no favourite any more.") }
}

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

/// `synthhost voices unhide`: shows hidden voices again.
struct VoicesUnhideCommand: Command {
    private let listing: VoiceListing

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .hidden)
    }

    func run() throws(CommandFailure) { try listing.remove("is shown again.") }
}
