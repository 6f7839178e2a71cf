import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost voices favorite`: marks voices as favorites, which are listed first.
struct VoicesFavoriteCommand: Command {
    let context: CommandContext

    func run() throws {
        try ListChange(context: context, list: .favorites).add("is now a favorite and is listed first.")
    }
}

/// `synthhost voices unfavorite`: removes voices from the favorites, so that they return to their normal positions
/// in lists.
struct VoicesUnfavoriteCommand: Command {
    let context: CommandContext

    func run() throws { try ListChange(context: context, list: .favorites).remove("is no longer a favorite.") }
}

/// `synthhost voices hide`: hides voices from lists.
struct VoicesHideCommand: Command {
    let context: CommandContext

    func run() throws {
        try ListChange(context: context, list: .hidden)
            .add("is now hidden from lists. You can still use it by name.")
    }
}

/// `synthhost voices unhide`: shows hidden voices again.
struct VoicesUnhideCommand: Command {
    let context: CommandContext

    func run() throws { try ListChange(context: context, list: .hidden).remove("is visible in lists again.") }
}

/// Adds voices to a list in the configuration, or removes voices from the list.
struct ListChange: CommandPart {
    let context: CommandContext
    let list: VoiceList

    /// - Parameter words: the new state of a voice, worded to follow its title.
    func add(_ words: String) throws {
        let library = try context.library()
        // Look up all names before writing anything.
        var voices: [Voice] = []
        for name in arguments.positionals {
            voices.append(try library.known(name))
        }
        for voice in voices {
            let isNew = try context.changedConfiguration.add(voice, to: list)
            context.printNote("\(voice.title) \(isNew ? words : "was already \(noun).")")
        }
    }

    /// - Parameter words: the new state of a voice, worded to follow its title.
    func remove(_ words: String) throws {
        let library = try context.library()
        let listed = list == .favorites ? library.configuration.favorites : library.configuration.hidden
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
            let wasThere = try step.take(context.changedConfiguration)
            context.printNote("\(step.title) \(wasThere ? words : "was not \(noun).")")
        }
    }

    private var noun: String {
        switch list {
        case .favorites: "a favorite"
        case .hidden: "hidden"
        }
    }
}
