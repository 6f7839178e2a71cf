import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost voices choose`: chooses the default voice.
struct VoicesChooseCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let cancellation = Cancellation()
        context.interruption.handle { cancellation.cancel() }
        // Here, --engine limits the voices. It does not override the configured engine.
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        let library = try context.library(of: host.inventory())
        let acquisition = VoiceAcquisition(context, arguments, library, cancellation)
        let wanted: Voice
        if let name = arguments.positionals.first {
            let choice = try library.choice(name, engine: arguments[Options.ofEngine])
            if choice.isBlend || choice.speaker != nil { return try choose(choice, as: name, acquisition) }
            wanted = choice.voice
        } else {
            guard let picked = try pick(library, acquisition) else { return }
            wanted = picked
        }
        guard let voice = try acquisition.acquire(wanted) else { return }
        try ConfigurationAccess(context, arguments).choose(library.lastingWord(for: voice), of: voice.engine)
        if !arguments[Options.quiet] { context.say("\(voice.title) is the default voice now.") }
    }

    /// A blend, or a voice with a speaker, is saved in the form that the user typed.
    private func choose(
        _ choice: VoiceChoice, as name: String, _ acquisition: VoiceAcquisition
    ) throws {
        for share in choice.shares {
            guard let voice = try acquisition.acquire(share.voice) else { return }
            guard voice.folder == share.voice.folder else {
                throw CommandFailure(
                    .unavailable, "The voice \(share.voice.title) was not downloaded, so nothing was chosen.",
                    "To choose the other voice, type: synthhost voices choose \(ShellWord.quoted(voice.id))")
            }
        }
        try ConfigurationAccess(context, arguments).choose(name, of: choice.voice.engine)
        if !arguments[Options.quiet] { context.say("\(choice.title) is the default voice now.") }
    }

    private func pick(_ library: VoiceLibrary, _ acquisition: VoiceAcquisition) throws -> Voice? {
        var seen: Set<String> = []
        let known = library.visible(library.inventory.shown(of: library.directory).voices) + library.fewOffers
        let voices = library.marks.favouritesFirst(
            library.inventory.builtInLast(known.filter { seen.insert($0.folder).inserted })
        )
        .filter { voice in
            if let engine = arguments[Options.ofEngine], engine != voice.engine { return false }
            // An engine may have a hundred built-in languages.
            return library.condition(of: voice) != .builtIn || voice.speaks(library.inventory.nearLanguage)
        }
        guard context.errors.style.isTerminal, !voices.isEmpty else {
            throw CommandFailure(
                .usage, "No voice was passed.",
                "Choose one from `synthhost voices`, and type: synthhost voices choose VOICE")
        }
        return try acquisition.pick("Which voice?", from: voices)
    }
}
