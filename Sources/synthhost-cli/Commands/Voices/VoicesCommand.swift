import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost voices`: lists the voices.
struct VoicesCommand: Command {
    let context: CommandContext

    func run() throws {
        let library = try context.library()
        if let name = arguments.positionals.first { return try tell(name, library) }
        if let engine = arguments[Options.ofEngine] {
            _ = try library.directory.engine(VoiceQuery(engine: engine))
        }
        let known = library.directory.voices.filter { voice in
            let isOfEngine = arguments[Options.ofEngine].map { $0 == voice.engine } ?? true
            return isOfEngine && (arguments[Options.inLanguage].map(voice.speaks) ?? true)
        }
        let visible = arguments[Options.all] ? known : library.visible(known)
        let shown = arguments[Options.all] ? known : library.shown(of: visible, for: arguments[Options.inLanguage])
        let chosen = library.chosen
        let nearest = library.inventory.nearestFirst(shown)
        // List the default voice right after the favorites, because most users look for it.
        let voices = library.marks.favoritesFirst(
            nearest.filter { $0.folder == chosen?.folder } + nearest.filter { $0.folder != chosen?.folder })
        if arguments[Options.json] { return try printJSON(voices, chosen, library) }
        let more = visible.count - shown.count
        guard !voices.isEmpty else {
            throw CommandFailure(
                .unavailable,
                more > 0
                    ? "No matching voices are downloaded."
                    : known.isEmpty ? "No voices match." : "All matching voices are hidden.",
                "`\(known.isEmpty ? "synthhost voices --all" : wholeList)` lists all known voices.")
        }
        try context.print(text: table(voices, chosen: chosen, library).render(for: context.output))
        if let legend = ListMark.legend(voices, library.marks) { context.printMessage(legend) }
        if let note = ListMark.leftOut(known.count - visible.count, command: wholeList) { context.printMessage(note) }
        if more > 0 {
            context.printMessage(
                more == 1
                    ? "One more voice can be downloaded. To see it, type: \(wholeList)"
                    : "\(more) more voices can be downloaded. To see them, type: \(wholeList)")
        }
        if voices.contains(where: { $0.speakers.count > 1 }) {
            context.printMessage("To see the speakers of a voice, type: synthhost voices VOICE")
        }
    }

    /// The command for the complete list.
    private var wholeList: String {
        let language = arguments[Options.inLanguage].map { " --language \(ShellWord.quoted($0))" } ?? ""
        let engine = arguments[Options.ofEngine].map { " --engine \(ShellWord.quoted($0))" } ?? ""
        return "synthhost voices --all\(language)\(engine)"
    }

    /// Prints the details of a voice, or of the voices of a blend.
    private func tell(_ name: String, _ library: VoiceLibrary) throws {
        let query = VoiceQuery(
            name: name, language: arguments[Options.inLanguage], engine: arguments[Options.ofEngine],
            preferredEngine: library.configuration.engine)
        // The directory also contains voices that their engines do not support. These voices can be shown but not chosen.
        let choice: VoiceChoice
        if let known = try? library.directory.choose(query) {
            choice = known
        } else {
            choice = try library.choice(name, engine: query.engine)
        }
        let voices = choice.shares.map(\.voice)
        if arguments[Options.json] { return try printJSON(voices, library.chosen, library) }
        let wait = ShownWait(context, "Loading \(choice.title)")
        let paragraphs = voices.map { VoiceDetails(voice: $0, library: library).text(width: context.output.width) }
        wait.end()
        try context.print(text: paragraphs.joined(separator: "\n"))
    }

    private func printJSON(_ voices: [Voice], _ chosen: Voice?, _ library: VoiceLibrary) throws {
        let results = voices.map { voice -> JSONMembers in
            let state = library.state(of: voice)
            let (inventory, canSpeak) = (library.inventory, state == .ready)
            let profile = library.marks.profile(of: voice)
            let more: JSONMembers = [
                "gender": voice.gender?.rawValue, "speakers": voice.speakers,
                "state": canSpeak && library.isBuiltIn(voice) ? "builtIn" : state.word,
                // The loudness in LUFS without a gain, and the gain in decibels.
                "loudness": canSpeak ? inventory.loudness(of: voice)?.lufs : nil,
                "gain": canSpeak ? inventory.gain(of: voice) : nil, "profile": profile.isEmpty ? nil : profile.json,
            ]
            return voice.json(in: library, chosen: chosen) + more
        }
        try context.print(json: results)
    }

    private func table(_ voices: [Voice], chosen: Voice?, _ library: VoiceLibrary) -> Table {
        let showsIDs = arguments[Options.ids]
        var columns: [Table.Column] = [.init(""), .init("VOICE", priority: .name)]
        if showsIDs { columns.append(.init("ID", priority: .name)) }
        columns += [
            .init("LANGUAGE"), .init("GENDER", priority: .detail), .init("QUALITY"),
            .init("SPEAKERS", alignment: .trailing, priority: .detail), .init("SIZE", alignment: .trailing),
            .init("STATE", narrowest: VoiceLine.stateWidth), .init("ENGINE", narrowest: 9),
        ]
        var table = Table(columns: columns)
        for voice in voices {
            var row = [ListMark.text(voice, isChosen: voice.folder == chosen?.folder, library.marks), voice.title]
            if showsIDs { row.append(voice.id) }
            let speakers = voice.speakers.count
            row += [
                voice.language, voice.gender?.rawValue ?? "", VoiceLine.quality(voice) ?? "",
                speakers > 1 ? "\(speakers)" : "", VoiceLine.size(of: voice, library) ?? "",
                library.stateWords(of: voice), voice.engine,
            ]
            table.append(row)
        }
        return table
    }
}

extension VoiceProfile {
    fileprivate var json: JSONMembers { ["rate": rate, "pitch": pitch, "volume": volume, "pause": pause] }
}
