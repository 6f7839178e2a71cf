import SynthHost

/// `synthhost voices unhide`: shows hidden voices again.
struct VoicesUnhideCommand: Command {
    private let listing: VoiceListing

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        listing = VoiceListing(context, arguments, .hidden)
    }

    func run() throws(CommandFailure) { try listing.remove("is shown again.") }
}
