extension CommandTable {
    package static let voices = CommandDescription(
        word: "voices", summary: "list the voices, or tell all about one", name: .voices,
        examples: [
            .init("synthhost voices", "the voices that are here, and some to begin with"),
            .init("synthhost voices Heart", "all about one voice, with the names of its speakers"),
            .init("synthhost voices choose Heart", "let Heart speak from now on"),
            .init("synthhost voices --all --language en-GB", "all British voices, downloaded or not"),
        ],
        positionals: [
            Positional(
                name: "VOICE", help: "the voice to tell about, by name or id", isRequired: false,
                completion: .listed(.known))
        ],
        options: [
            Options.all.description, Options.inLanguage.description, Options.ofEngine.description,
            Options.json.description, Options.ids.description,
        ],
        subcommands: [
            CommandDescription(
                word: "choose", summary: "choose the voice that speaks from now on", name: .voicesChoose,
                examples: [
                    .init("synthhost voices choose Heart", "let Heart speak from now on"),
                    .init("synthhost voices choose", "choose from a list"),
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "the voice, by name or id", isRequired: false, completion: .listed(.known))
                ],
                options: [Options.ofEngine.description, Options.yes.description, Options.quiet.description],
                exitCodes: [
                    .done, .usage, .unavailable, .cannotWriteOutput, .audioOrDisk, .tryAgain, .configuration,
                    .interrupted,
                ]),
            listing(
                "favourite", "list voices before all others", .voicesFavourite, .known,
                "list Heart first, marked with +"),
            listing(
                "unfavourite", "list favourites like all others again", .voicesUnfavourite, .favourites,
                "list Heart in its usual place"),
            listing(
                "hide", "leave voices out of lists; they speak when they are named", .voicesHide, .known,
                "never offer Heart"),
            listing(
                "unhide", "show hidden voices again", .voicesUnhide, .hidden, "list Heart again"),
        ],
        exitCodes: [.done, .usage, .unavailable, .configuration],
        notes: ["In the list * marks the voice that speaks, + a favourite, and - a hidden voice, which --all shows."])

    private static func listing(
        _ word: String, _ summary: String, _ name: CommandName, _ voices: CompletionSubject, _ meaning: String
    ) -> CommandDescription {
        CommandDescription(
            word: word, summary: summary, name: name,
            examples: [.init("synthhost voices \(word) Heart", meaning)],
            positionals: [
                Positional(
                    name: "VOICE", help: "voices, by name or id", isRepeatable: true, completion: .listed(voices))
            ],
            options: [Options.quiet.description],
            exitCodes: [.done, .usage, .unavailable, .cannotWriteOutput, .configuration])
    }
}
