import CommandParts
import CommandSyntax
import SynthHost
import System
import Terminal
import VoiceCatalogue

/// Puts voices on a list of the configuration, or takes them off.
struct VoiceListing {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let list: VoiceList

    init(_ context: CommandContext, _ arguments: ParsedArguments, _ list: VoiceList) {
        self.context = context
        self.arguments = arguments
        self.list = list
    }

    /// - Parameter words: what a voice is then, to follow its title.
    func add(_ words: String) throws(CommandFailure) {
        let library = try context.library(arguments)
        // All names are looked up before anything is written.
        var voices: [Voice] = []
        for name in arguments.positionals {
            voices.append(try CommandFailure.attempt { () throws(LibraryProblem) in try library.known(name) })
        }
        for voice in voices {
            let isNew = try access.attempt { file throws(ConfigurationError) in try file.add(voice, to: list) }
            say("\(voice.title) \(isNew ? words : "was already \(noun).")")
        }
    }

    /// - Parameter words: what a voice is then, to follow its title.
    func remove(_ words: String) throws(CommandFailure) {
        let library = try context.library(arguments)
        let listed = list == .favourites ? library.configuration.favourites : library.configuration.hidden
        var steps: [(title: String, take: (ConfigurationFile) throws(ConfigurationError) -> Bool)] = []
        for name in arguments.positionals {
            do {
                let voice = try CommandFailure.attempt { () throws(LibraryProblem) in
                    try library.known(name, suggestsHidden: true)
                }
                steps.append(
                    (voice.title, { [list] file throws(ConfigurationError) in try file.remove(voice, from: list) }))
            } catch {
                // What is no voice any more, or means several.
                guard listed.contains(name) else { throw error }
                steps.append((name, { [list] file throws(ConfigurationError) in try file.remove(name, from: list) }))
            }
        }
        for step in steps {
            let wasThere = try access.attempt(step.take)
            say("\(step.title) \(wasThere ? words : "was not \(noun).")")
        }
    }

    private var noun: String {
        switch list {
        case .favourites: "a favourite"
        case .hidden: "hidden"
        }
    }

    private var access: ConfigurationAccess { ConfigurationAccess(context, arguments) }

    private func say(_ line: String) {
        if !arguments[Options.quiet] { context.say(line) }
    }
}
