extension CommandTable {
    static let setup = CommandDescription(
        word: "setup", summary: "get a natural voice: one question, one download", name: .setup,
        examples: [
            .init("synthhost setup", "answer one question"),
            .init("synthhost setup --yes", "take the recommended voice"),
            .init("synthhost setup --precision fp16", "the same with half of the download"),
        ],
        options: [Options.precision.description, Options.yes.description, Options.quiet.description],
        exitCodes: ExitCode.allCases)

    static let models = CommandDescription(
        word: "models", summary: "look after the files of the voices",
        examples: [
            .init("synthhost models list", "what is downloaded, and how much room it takes"),
            .init("synthhost models pull Heart", "download a voice"),
            .init("synthhost models remove Heart", "make room"),
        ],
        subcommands: [
            CommandDescription(
                word: "list", summary: "list the voices that are downloaded", name: .modelsList,
                examples: [
                    .init("synthhost models list", "by language"),
                    .init("synthhost models list --sort size", "the largest first"),
                    .init("synthhost models list --all", "also those that are hidden or not downloaded"),
                ],
                options: [
                    Options.all.description, Options.sort.description, Options.ids.description,
                    Options.json.description,
                ],
                exitCodes: [.done, .usage, .configuration]),
            CommandDescription(
                word: "pull", summary: "download voices, or go on where a download stopped", name: .modelsPull,
                examples: [
                    .init("synthhost models pull Heart", "download a voice"),
                    .init("synthhost models pull Heart \"Emma (British)\"", "download two; what they share, once"),
                    .init("synthhost models pull Heart --precision fp16", "with a model half as large"),
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "voices, by name or id", isRepeatable: true,
                        completion: .listed(.downloads))
                ],
                options: [Options.precision.description, Options.json.description, Options.quiet.description],
                exitCodes: downloadCodes, notes: RegistryGuide.network),
            CommandDescription(
                word: "remove", summary: "remove downloaded voices", name: .modelsRemove,
                examples: [.init("synthhost models remove Heart", "remove a voice, and what only it needs")],
                positionals: [
                    Positional(
                        name: "VOICE", help: "voices, by name or id", isRepeatable: true, completion: .listed(.stored))
                ],
                options: [Options.quiet.description],
                exitCodes: [.done, .usage, .unavailable, .cannotWriteOutput, .audioOrDisk, .tryAgain, .configuration]),
            CommandDescription(
                word: "verify", summary: "check the downloaded files, byte by byte", name: .modelsVerify,
                examples: [
                    .init("synthhost models verify", "check everything"),
                    .init("synthhost models verify Heart --repair", "check one voice, and download what is damaged"),
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "voices, by name or id; all without one", isRequired: false,
                        isRepeatable: true, completion: .listed(.stored))
                ],
                options: [Options.repair.description, Options.json.description, Options.quiet.description],
                exitCodes: downloadCodes),
            CommandDescription(
                word: "prune", summary: "remove what no voice needs", name: .modelsPrune,
                examples: [
                    .init("synthhost models prune --dry-run", "see what would go"),
                    .init("synthhost models prune", "remove it"),
                ],
                options: [Options.dryRun.description, Options.unknown.description, Options.json.description],
                exitCodes: [.done, .usage, .audioOrDisk, .tryAgain, .configuration, .interrupted]),
            CommandDescription(
                word: "add", summary: "add a voice of your own", name: .modelsAdd,
                examples: [
                    .init("synthhost models add en_GB-mine-medium.onnx", "add a voice; its .onnx.json lies beside it"),
                    .init("synthhost models add mine.tar.bz2 --language en-GB --engine piper", "add an archive"),
                    .init(
                        "synthhost models add model.onnx nell.bin tom.bin --language en",
                        "add several voices of one model"),
                ],
                positionals: [
                    Positional(
                        name: "PATH", help: "a file, a folder or an archive with one voice; or a model and its voices",
                        isRepeatable: true)
                ],
                options: [
                    Options.addedName.description, Options.addedID.description, Options.addedLanguage.description,
                    Options.addedEngine.description, Options.quiet.description,
                ],
                exitCodes: [
                    .done, .usage, .inputMissing, .unavailable, .engineCrashed, .audioOrDisk, .tryAgain,
                    .configuration, .interrupted,
                ]),
            CommandDescription(
                word: "path", summary: "print the folder of the voices, or of one", name: .modelsPath,
                examples: [
                    .init("synthhost models path", "where the voices are"),
                    .init("synthhost models path Heart", "where one is"),
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "the voice, by name or id", isRequired: false, completion: .listed(.stored)
                    )
                ],
                exitCodes: [.done, .usage, .unavailable, .configuration]),
            CommandDescription(
                word: "registry", summary: "show where voices are known from, and what downloads go through",
                name: .modelsRegistry,
                examples: [
                    .init("synthhost models registry", "what is merged, the mirror and the proxy in force"),
                    .init("synthhost models registry --json", "the same for a program"),
                ],
                options: [Options.json.description], exitCodes: [.done, .usage, .configuration],
                notes: RegistryGuide.notes + RegistryGuide.network, sample: RegistryGuide.example),
        ])

    private static let downloadCodes: [ExitCode] = [
        .done, .usage, .unavailable, .audioOrDisk, .tryAgain, .configuration, .interrupted,
    ]
}
