import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost voices favourite`: marks voices as favorites, which are listed first.
struct VoicesFavouriteCommand: Command {
    private let listing: ListChange

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = ListChange(context, arguments, .favourites)
    }

    func run() throws { try listing.add("is now a favourite and is listed first.") }
}

/// `synthhost voices unfavourite`: removes voices from the favorites, so that they are listed in their normal positions
/// again.
struct VoicesUnfavouriteCommand: Command {
    private let listing: ListChange

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = ListChange(context, arguments, .favourites)
    }

    func run() throws { try listing.remove("is no longer a favourite.") }
}

/// `synthhost voices hide`: hides voices from lists.
struct VoicesHideCommand: Command {
    private let listing: ListChange

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = ListChange(context, arguments, .hidden)
    }

    func run() throws {
        try listing.add("is now hidden from lists. You can still speak with it by name.")
    }
}

/// `synthhost voices unhide`: shows hidden voices again.
struct VoicesUnhideCommand: Command {
    private let listing: ListChange

    init(context: CommandContext, arguments: ParsedArguments) {
        listing = ListChange(context, arguments, .hidden)
    }

    func run() throws { try listing.remove("is visible in lists again.") }
}

/// Adds voices to a list in the configuration, or removes voices from the list.
struct ListChange {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let list: VoiceList

    init(_ context: CommandContext, _ arguments: ParsedArguments, _ list: VoiceList) {
        self.context = context
        self.arguments = arguments
        self.list = list
    }

    /// - Parameter words: the new state of a voice, to follow its title.
    func add(_ words: String) throws {
        let library = try context.library(arguments)
        // All names are looked up before anything is written.
        var voices: [Voice] = []
        for name in arguments.positionals {
            voices.append(try library.known(name))
        }
        for voice in voices {
            let isNew = try access.file.add(voice, to: list)
            printMessage("\(voice.title) \(isNew ? words : "was already \(noun).")")
        }
    }

    /// - Parameter words: the new state of a voice, to follow its title.
    func remove(_ words: String) throws {
        let library = try context.library(arguments)
        let listed = list == .favourites ? library.configuration.favourites : library.configuration.hidden
        var steps: [(title: String, take: (ConfigurationFile) throws -> Bool)] = []
        for name in arguments.positionals {
            do {
                let voice = try library.known(name, suggestsHidden: true)
                steps.append((voice.title, { [list] file in try file.remove(voice, from: list) }))
            } catch {
                // The name no longer matches a voice, or it matches several.
                guard listed.contains(name) else { throw error }
                steps.append((name, { [list] file in try file.remove(name, from: list) }))
            }
        }
        for step in steps {
            let wasThere = try step.take(access.file)
            printMessage("\(step.title) \(wasThere ? words : "was not \(noun).")")
        }
    }

    private var noun: String {
        switch list {
        case .favourites: "a favourite"
        case .hidden: "hidden"
        }
    }

    private var access: ConfigurationAccess { ConfigurationAccess(context, arguments) }

    private func printMessage(_ line: String) {
        if !arguments[Options.quiet] { context.printMessage(line) }
    }
}
