extension CommandTable {
    package static let voices = CommandDescription(
        word: "voices", summary: "list the voices, or show one in detail", name: .voices,
        examples: [
            "synthhost voices": "list the installed voices, and some recommended voices",
            "synthhost voices Heart": "show the details of one voice, with its speakers",
            "synthhost voices choose Heart": "make Heart the default voice",
            "synthhost voices --all --language en-GB": "list all British English voices, downloaded or not",
        ],
        positionals: [
            Positional(
                name: "VOICE", help: "the voice to show, by name or ID", isRequired: false,
                completion: .listed(.known))
        ],
        options: described(Options.all, Options.inLanguage, Options.ofEngine, Options.json, Options.ids),
        subcommands: [
            CommandDescription(
                word: "choose", summary: "choose the default voice", name: .voicesChoose,
                examples: [
                    "synthhost voices choose Heart": "make Heart the default voice",
                    "synthhost voices choose": "choose in a full-screen view, where you can play and tune voices",
                    "synthhost voices choose --plain": "choose by answering numbered questions",
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "the voice, by name or ID", isRequired: false, completion: .listed(.known))
                ],
                options: described(Options.ofEngine, Options.yes, Options.quiet),
                exitCodes: [
                    .done, .usage, .unavailable, .cannotWriteOutput, .audioOrDisk, .tryAgain, .configuration,
                    .interrupted,
                ]),
            listing(
                "favorite", "mark voices as favorites, which are listed first", .voicesFavorite, .known,
                "list Heart first, marked with +"),
            listing(
                "unfavorite", "remove voices from the favorites", .voicesUnfavorite, .favorites,
                "stop listing Heart first"),
            listing(
                "hide", "hide voices from lists; you can still use them by name", .voicesHide, .known,
                "hide Heart"),
            listing(
                "unhide", "show hidden voices again", .voicesUnhide, .hidden, "show Heart again"),
        ],
        exitCodes: [.done, .usage, .unavailable, .configuration],
        notes: [
            "In the list, * marks the default voice, + marks a favorite, and - marks a hidden voice (listed only "
                + "with --all)."
        ])

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
