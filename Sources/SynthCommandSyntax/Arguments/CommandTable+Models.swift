extension CommandTable {
    package static let setup = CommandDescription(
        word: "setup", summary: "choose and download a natural voice", name: .setup,
        examples: [
            "synthhost setup": "choose a voice by answering one question",
            "synthhost setup --yes": "download the recommended voice",
            "synthhost setup --precision fp16": "choose a voice, and download its fp16 model, which is half the size",
            "synthhost setup --listen": "download a recognizer model",
        ],
        options: described(Options.setupListening, Options.precision, Options.yes, Options.quiet),
        rules: [.excludes(Options.setupListening, [Options.precision])])

    package static let models = CommandDescription(
        word: "models", summary: "manage voice files",
        examples: [
            "synthhost models list": "list the downloaded voices, with their sizes on disk",
            "synthhost models pull Heart": "download a voice",
            "synthhost models remove Heart": "remove a voice to free disk space",
        ],
        subcommands: [
            CommandDescription(
                word: "list", summary: "list the downloaded voices", name: .modelsList,
                examples: [
                    "synthhost models list": "list the voices by language",
                    "synthhost models list --sort size": "list the largest voices first",
                    "synthhost models list --all": "also list voices that are hidden or not downloaded",
                ],
                options: described(Options.all, Options.sort, Options.ids, Options.json),
                exitCodes: [.done, .usage, .configuration]),
            CommandDescription(
                word: "pull", summary: "download voices, or resume a download", name: .modelsPull,
                examples: [
                    "synthhost models pull Heart": "download a voice",
                    "synthhost models pull Heart \"Emma (British)\"":
                        "download two voices; shared files are downloaded once",
                    "synthhost models pull Heart --precision fp16": "download a voice with a smaller model",
                ],
                positionals: [.voices(.downloads)],
                options: described(Options.precision, Options.json, Options.quiet),
                exitCodes: downloadCodes, notes: RegistryGuide.network),
            CommandDescription(
                word: "remove", summary: "remove downloaded voices", name: .modelsRemove,
                examples: [
                    "synthhost models remove Heart": "remove a voice and any files that no other voice needs"
                ],
                positionals: [.voices(.stored)],
                options: described(Options.quiet),
                exitCodes: [.done, .usage, .unavailable, .cannotWriteOutput, .audioOrDisk, .tryAgain, .configuration]),
            CommandDescription(
                word: "verify", summary: "verify the checksums of the downloaded files", name: .modelsVerify,
                examples: [
                    "synthhost models verify": "verify all files",
                    "synthhost models verify Heart --repair": "verify one voice, and download damaged files again",
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "voices, by name or ID; without one, all voices", isRequired: false,
                        isRepeatable: true, completion: .listed(.stored))
                ],
                options: described(Options.repair, Options.json, Options.quiet),
                exitCodes: downloadCodes),
            CommandDescription(
                word: "prune", summary: "remove files that no voice needs", name: .modelsPrune,
                examples: [
                    "synthhost models prune --dry-run": "list the files that would be removed",
                    "synthhost models prune": "remove the files",
                ],
                options: described(Options.dryRun, Options.unknown, Options.json),
                exitCodes: [.done, .usage, .audioOrDisk, .tryAgain, .configuration, .interrupted],
                notes: [
                    "The command also removes incomplete files that killed processes left in engine caches, and the caches and logs of engines "
                        + "that are not installed."
                ]),
            CommandDescription(
                word: "add", summary: "add your own voice or recognizer model", name: .modelsAdd,
                examples: [
                    "synthhost models add en_GB-mine-medium.onnx":
                        "add a voice whose .onnx.json file is in the same folder",
                    "synthhost models add mine.tar.bz2 --language en-GB --engine piper": "add the voice in an archive",
                    "synthhost models add kokoro-v1.0.int8.onnx voices-v1.0.bin":
                        "add all voices of a model in kokoro-onnx's format",
                    "synthhost models add model.onnx nell.bin tom.bin --language en": "add a model with two voices",
                    "synthhost models add whisper-mine --engine whisper": "add a recognizer model",
                ],
                positionals: [
                    Positional(
                        name: "PATH",
                        help: "a file, folder or archive with a voice or recognizer model, or a model and its voices",
                        isRepeatable: true)
                ],
                options: described(
                    Options.addedName, Options.addedID, Options.addedLanguage, Options.addedEngine, Options.quiet),
                exitCodes: [
                    .done, .usage, .inputMissing, .unavailable, .engineCrashed, .audioOrDisk, .tryAgain,
                    .configuration, .interrupted,
                ]),
            CommandDescription(
                word: "path", summary: "print the path of the folder with all voices, or with one voice",
                name: .modelsPath,
                examples: [
                    "synthhost models path": "print the path of the folder with all voices",
                    "synthhost models path Heart": "print the path of the folder with one voice",
                ],
                positionals: [
                    Positional(
                        name: "VOICE", help: "the voice, by name or ID", isRequired: false, completion: .listed(.stored)
                    )
                ],
                exitCodes: [.done, .usage, .unavailable, .configuration]),
            CommandDescription(
                word: "registry", summary: "show the registries, the mirror and the proxy",
                name: .modelsRegistry,
                examples: [
                    "synthhost models registry": "show the merged registries, and the mirror and proxy in use",
                    "synthhost models registry --json": "print the same information as JSON",
                ],
                options: described(Options.json), exitCodes: [.done, .usage, .configuration],
                notes: RegistryGuide.notes + RegistryGuide.network, sample: RegistryGuide.example),
        ], exitCodes: [])

    private static let downloadCodes: [ExitCode] = [
        .done, .usage, .unavailable, .audioOrDisk, .tryAgain, .configuration, .interrupted,
    ]
}

/// The section of the help and the manual about hosting voices on your own server.
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
        "The built-in registry lists the voices that can be downloaded. Your own registry, "
            + "~/.local/share/synthhost/models.json (or $XDG_DATA_HOME/synthhost/models.json), is merged into it: a "
            + "source, model or voice with the ID of a built-in entry replaces that entry, and any other entry is "
            + "added. The registry is a JSON file; the example below is complete.",
        "A source is a base URL for file paths; a file may have its own \"url\" instead of a \"path\". URLs must use "
            + "https; http is allowed only for servers on this machine. Each file has a role that its engine defines "
            + "(Piper: model, config; Kokoro: model, style), its size in bytes (stat -c %s FILE) and its checksum "
            + "(sha256sum FILE, or md5sum as \"md5\"). An archive lists its members by role: \"roles\": {\"model\": "
            + "\"mine/mine.onnx\"}.",
        "A voice may also have these keys: accent, gender (female, male), quality, license, card (the URL of a page "
            + "about the voice), aliases, speakers, gain (in decibels; used until the loudness is measured), and "
            + "\"model\", the ID of an entry in \"models\" (id, engine, source, files) whose files several voices "
            + "share.",
        "An entry in \"engines\", keyed by the ID of an engine, may have these keys: absent (what to do if the "
            + "engine is not installed); first (true makes the engine the default until the user chooses another "
            + "one); fallback (a number: other engines replace a failed engine in ascending order of it); gain "
            + "(in decibels, for built-in voices) and gains (for individual voices, as in {\"fr\": -1.5}); endings "
            + "(the usual file name ending for each role, as in {\"model\": \".onnx\"}); signs (text that every file "
            + "of a role contains, which identifies the file regardless of its name); voices (the usual file name "
            + "endings of voices that share a model); origins (where users can get the file of a role); "
            + "archivePrefix (the prefix of the engine's archive names); and description (the keys in the JSON file "
            + "next to a model that contain the name, language and speakers, as in {\"language\": "
            + "[\"language.code\"]}; of several language keys, the first that exists is used).",
        "After a change, `synthhost models registry` shows the merged registries, and `synthhost models pull NAME` downloads a voice.",
    ]

    package static let network = [
        "With SYNTHHOST_MIRROR=https://mirror.example.org/voices, files are requested from that address first. The "
            + "mirror has a folder for each server: the file /piper/a.onnx of the server voices.example.org is at "
            + "/voices/voices.example.org/piper/a.onnx. Files that the mirror lacks are downloaded from the original "
            + "server. Checksums are verified in both cases.",
        "SYNTHHOST_OFFLINE=1 disables all downloads, as --offline does for one command. https_proxy (or all_proxy) "
            + "sets a proxy, as in https_proxy=http://proxy.example.org:3128, and no_proxy lists the hosts that are "
            + "contacted without the proxy. `synthhost models registry` shows the settings in use.",
    ]
}
