extension CommandTable {
    package static let voices = CommandDescription(
        word: "voices", summary: "list the voices, or show one in detail", name: .voices,
        examples: [
            "synthhost voices": "the installed voices, and recommended ones to start with",
            "synthhost voices Heart": "the details of one voice, with its speakers",
            "synthhost voices choose Heart": "make Heart the default voice",
            "synthhost voices --all --language en-GB": "all British voices, downloaded or not",
        ],
        positionals: [
            Positional(
                name: "VOICE", help: "the voice to show, by name or id", isRequired: false,
                completion: .listed(.known))
        ],
        options: described(Options.all, Options.inLanguage, Options.ofEngine, Options.json, Options.ids),
        subcommands: [
            CommandDescription(
                word: "choose", summary: "choose the default voice", name: .voicesChoose,
                examples: [
                    "synthhost voices choose Heart": "make Heart the default voice",
                    "synthhost voices choose": "listen to voices in a full-screen view, tune one and save it",
                    "synthhost voices choose --plain": "choose with numbered questions instead",
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "the voice, by name or id", isRequired: false, completion: .listed(.known))
                ],
                options: described(Options.ofEngine, Options.yes, Options.quiet),
                exitCodes: [
                    .done, .usage, .unavailable, .cannotWriteOutput, .audioOrDisk, .tryAgain, .configuration,
                    .interrupted,
                ]),
            listing(
                "favourite", "mark voices as favourites, which are listed first", .voicesFavourite, .known,
                "list Heart first, marked with +"),
            listing(
                "unfavourite", "remove voices from the favourites", .voicesUnfavourite, .favourites,
                "stop listing Heart first"),
            listing(
                "hide", "hide voices from lists; you can still use them by name", .voicesHide, .known,
                "hide Heart"),
            listing(
                "unhide", "show hidden voices again", .voicesUnhide, .hidden, "show Heart again"),
        ],
        exitCodes: [.done, .usage, .unavailable, .configuration],
        notes: ["In the list, * marks the default voice, + marks a favourite, and - marks a hidden voice (with --all)."]
    )

    private static func listing(
        _ word: String, _ summary: String, _ name: CommandName, _ voices: CompletionSubject, _ meaning: String
    ) -> CommandDescription {
        CommandDescription(
            word: word, summary: summary, name: name,
            examples: ["synthhost voices \(word) Heart": meaning],
            positionals: [.voices(voices)],
            options: described(Options.quiet),
            exitCodes: [.done, .usage, .unavailable, .cannotWriteOutput, .configuration])
    }
}
