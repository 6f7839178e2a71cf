extension CommandTable {
    package static let setup = CommandDescription(
        word: "setup", summary: "get a natural voice: one question, one download", name: .setup,
        examples: [
            .init("synthhost setup", "answer one question"),
            .init("synthhost setup --yes", "take the recommended voice"),
            .init("synthhost setup --precision fp16", "the same with half of the download"),
            .init("synthhost setup --listen", "get a model that listens"),
        ],
        options: [
            Options.setupListening.description, Options.precision.description, Options.yes.description,
            Options.quiet.description,
        ],
        rules: [.excludes(.of(Options.setupListening), .of(Options.precision))], exitCodes: ExitCode.allCases)

    package static let models = CommandDescription(
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
                exitCodes: [.done, .usage, .audioOrDisk, .tryAgain, .configuration, .interrupted],
                notes: [
                    "It also removes what killed processes left half prepared in the caches of engines, and the caches and logs of "
                        + "engines that are not installed."
                ]),
            CommandDescription(
                word: "add", summary: "add a voice or a recognizer's model of your own", name: .modelsAdd,
                examples: [
                    .init("synthhost models add en_GB-mine-medium.onnx", "add a voice; its .onnx.json lies beside it"),
                    .init("synthhost models add mine.tar.bz2 --language en-GB --engine piper", "add an archive"),
                    .init(
                        "synthhost models add kokoro-v1.0.int8.onnx voices-v1.0.bin",
                        "add all voices of a model, as kokoro-onnx publishes them"),
                    .init(
                        "synthhost models add model.onnx nell.bin tom.bin --language en",
                        "add several voices of one model"),
                    .init("synthhost models add whisper-mine --engine whisper", "add a model that listens"),
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

/// How users add voices from their own server, for the help and the manual.
package enum RegistryGuide {
    /// A complete registry with one voice.
    package static let example = """
        {
          "sources": {
            "mine": { "url": "https://voices.example.org/piper/" }
          },
          "voices": [
            {
              "id": "en_GB-mine-medium", "engine": "piper", "source": "mine",
              "name": "Mine", "language": "en-GB",
              "files": [
                {
                  "role": "model", "path": "en_GB-mine-medium.onnx", "size": 63201294,
                  "sha256":
            "b11c2e6a27e5d9c4f3a1080f4de6b7c59e2d71f0a3c8459b6e17d2f0c4a98b35"
                },
                {
                  "role": "config", "path": "en_GB-mine-medium.onnx.json", "size": 4885,
                  "sha256":
            "0c5e97a1b8d34f26e1907ab35c6d82f49b7e02c61da53f8897e4b0d1c26fa743"
                }
              ]
            }
          ]
        }
        """

    package static let notes = [
        "Voices come from the registry that came along; your own, if there is one, is merged over it: a source, model or "
            + "voice with an id that is known replaces that one, any other is added. It is JSON in "
            + "~/.local/share/synthhost/models.json (below $XDG_DATA_HOME, if that is set). The example below is whole.",
        "A source is an address that the paths of files are relative to; a file may have a \"url\" of its own instead of "
            + "a \"path\". Only https is asked, and http on this machine itself. Each file has a role that its engine "
            + "knows (Piper: model, config; Kokoro: model, style), its size in bytes (stat -c %s FILE) and its digest "
            + "(sha256sum FILE, or md5sum as \"md5\"). An archive says the members for its roles: "
            + "\"roles\": {\"model\": \"mine/mine.onnx\"}.",
        "A voice may also have: accent, gender (female, male), quality, licence, card (the address of a page about it), "
            + "aliases, speakers, gain (in decibels, until its loudness is measured), and \"model\", the id of an entry of \"models\" (id, engine, source, "
            + "files) whose files several voices share.",
        "An entry of \"engines\", under the id of an engine, may have: absent (what to do if the engine is not installed), first (true: the "
            + "default until the user chooses another), fallback (a number: the order in which engines replace one that fails, "
            + "the lowest first), gain (in decibels, for built-in voices) and gains "
            + "(for single voices, as in {\"fr\": -1.5}), endings (the usual file names of its roles, as in "
            + "{\"model\": \".onnx\"}), signs (a text that every file of a role contains, which identifies a file with any "
            + "name), voices (the usual endings of files of voices that share a model), origins (where people get the file of a "
            + "role), archivePrefix (the beginning of the names of its archives) and description: the "
            + "keys in the JSON beside a model for name, language (a list; the first key that exists counts) and "
            + "speakers, as in \"language\": [\"language.code\"].",
        "After a change, `synthhost models registry` shows what is merged, and `synthhost models pull NAME` downloads.",
    ]

    package static let network = [
        "SYNTHHOST_MIRROR=https://mirror.example.org/voices asks that address first, which has a folder for each server: "
            + "a file of https://voices.example.org/piper/a.onnx lies at "
            + "https://mirror.example.org/voices/voices.example.org/piper/a.onnx. What the mirror lacks comes from the "
            + "server itself. Digests are checked wherever a file comes from.",
        "SYNTHHOST_OFFLINE=1 forbids every download, as --offline does for one command. https_proxy (or all_proxy) names "
            + "a proxy, as in https_proxy=http://proxy.example.org:3128, and no_proxy the hosts that are asked without it. "
            + "`synthhost models registry` shows what is in force.",
    ]
}
