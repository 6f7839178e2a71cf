import SynthHost

/// All commands, with their options, arguments, examples and exit codes, for the parser and the help.
package enum CommandTable {
    /// Options that every command accepts, before or after its name.
    package static let globalOptions: [OptionDescription] = described(
        Options.pluginsDirectory, Options.config, Options.offline, Options.plain, Options.help, Options.version)

    package static let root = CommandDescription(
        word: "synthhost", summary: "speak text with any engine",
        examples: [
            "synthhost speak \"Hello, world\"": "speak a sentence",
            "synthhost setup": "choose and download a natural voice",
            "synthhost read novel.epub": "read a book aloud, with keyboard controls",
            "synthhost voices": "list the voices",
            "synthhost doctor": "find out why you cannot hear anything",
        ],
        subcommands: [
            speak, read, stop, play, book, batch, listen, transcribe, recognizers, serve, mcp, setup, voices, models,
            engines, config, doctor, help,
        ])

    private static let speak = CommandDescription(
        word: "speak", otherWords: ["say", "talk", "tell", "tts", "speech", "utter"],
        summary: "speak text, or write it to an audio file", name: .speak,
        examples: [
            "synthhost speak \"Hello, world\"": "speak a sentence",
            "synthhost speak -f letter.txt -v Heart": "speak a file with the Heart voice",
            "synthhost speak \"Hello\" -v \"Heart*0.7+Emma*0.3\"": "speak with a blend of two voices",
            "synthhost speak -v Heart --tokens \"[[ɡˈɪf]], not [[dʒˈɪf]]\"": "pronounce words as written in IPA",
            "synthhost speak --tokens \"Wait. [pause:2s] [voice:Alan] Go.\"": "pause, then switch to another voice",
            "synthhost speak -f notes.md": "speak Markdown without its markup",
            "synthhost speak -f page.ssml -o page.mp3": "convert an SSML file to an MP3 file",
            "synthhost speak --show-text \"Dr. Wu paid $3.50 on 3 May.\"": "show the text as it would be spoken",
            "date | synthhost speak -r 1.25": "speak the output of another program 25% faster",
            "synthhost speak \"Hello\" -o hello.wav": "write the audio to a file",
            "synthhost speak -f letter.txt -o letter.opus --title Letter": "write a compressed file with a title",
            "synthhost speak -f letter.txt -o letter.mp3 --timings letter.srt": "write an audio file and its subtitles",
            "synthhost speak -f novel.epub --chapters 3-5": "speak chapters 3 to 5 of a book",
            "synthhost speak \"Hello\" --raw | aplay -f S16_LE -r 22050": "pipe raw samples to another program",
            "synthhost speak \"Hello\" -o - | aplay": "pipe the audio as WAV to another program",
            "synthhost speak \"Hello\" -o - --format flac | ffplay -": "pipe the audio as FLAC to another program",
        ],
        positionals: [
            Positional(
                name: "TEXT", help: "the text to speak; multiple arguments are joined with spaces", isRequired: false,
                isRepeatable: true)
        ],
        options: described(
            Options.file, Options.chapters, Options.skip, Options.skipFrontMatter, Options.notes, Options.output,
            Options.format, Options.quality, Options.title, Options.author, Options.timings, Options.raw)
            + voiceOptions + described(Options.ssml, Options.markdown, Options.tokens, Options.clips) + textOptions
            + described(
                Options.showText, Options.showPhonemes, Options.device, Options.yes, Options.json, Options.quiet,
                Options.verbose),
        rules: [
            .excludesArguments(Options.file),
            .requires([Options.chapters, Options.skip, Options.notes, Options.skipFrontMatter], Options.file),
            .excludes(Options.ssml, [Options.markdown, Options.tokens]),
            .excludes(Options.raw, [Options.device, Options.format, Options.quality, Options.title, Options.author]),
            .excludes(Options.showText, [Options.output, Options.device, Options.raw, Options.timings]),
            .excludes(Options.showPhonemes, [Options.output, Options.device, Options.raw, Options.timings]),
        ] + outputRules,
        notes: [
            "If neither TEXT nor --file is given, the text is read from standard input.",
            "For mono speech, --quality 5 produces about 32 kb/s with opus and 70 kb/s with mp3 and ogg (Vorbis). The "
                + "wav and flac formats are lossless and ignore --quality.",
            "All formats can be written to a pipe, but mp3 output then contains up to a tenth of a second of extra "
                + "silence. A file gets its final name only when it is complete.",
            "Times in the --timings file are relative to the start of the audio at its final speed. A JSON file "
                + "contains the position of each word in the text, in bytes and in characters (Unicode scalars). If "
                + "an engine does not report word timings, the file contains sentence timings, which .vtt and .json "
                + "files state. The file gets its final name when the speech ends.",
            "--rate, --pitch and --volume override the configuration, including the profile of the voice.",
            "Files that end in .md are read as Markdown, and files that end in .ssml as SSML. These files, and text with tokens, are read "
                + "completely before speech starts, and all voices that they use must be installed.",
            "With --tokens, the text may contain [pause:0.5s], [voice:NAME] (until the next [voice:…] or [voice:]), "
                + "[sfx:CLIP gain=-6dB], [mark:NAME], [[ipa]], and \\[ for a bracket. Any other bracket is treated as text.",
            "A lexicon.txt file next to the configuration file changes how words are pronounced; the --lexicon file "
                + "takes precedence. A line has the form gif = jif or Siobhan = /ʃɪvˈɔːn/; a line that begins with en: "
                + "applies only to English.",
            fallbackNote,
            "The engine receives the value of --variation minus 1, so an engine receives 0 by default.",
        ])

    /// The options that select a voice and change how it speaks, for all commands that speak text.
    static let voiceOptions = described(
        Options.engine, Options.voice, Options.speaker, Options.language, Options.rate, Options.pitch,
        Options.intonation, Options.whisper, Options.variation, Options.volume, Options.pause)
    /// The options that change how text is pronounced, for all commands that speak text.
    static let textOptions = described(Options.lexicon, Options.verbatim, Options.keepVoice)

    package static let fallbackNote =
        "If an engine fails during playback, the next fallback voice for the language takes over, and the exit code "
        + "is 70. `synthhost config set fallback VOICE,…` sets the fallback voices, and the value none disables "
        + "them. If an engine fails while a file is being written, the command fails."

    /// Rules for commands that play audio or write it to a file.
    package static let outputRules: [UsageRule] = [
        .excludes(Options.output, [Options.device]),
        .excludes(Options.quiet, [Options.verbose]),
        .requires([Options.format, Options.quality, Options.title, Options.author], Options.output),
    ]

    private static let engines = CommandDescription(
        word: "engines", summary: "manage the engines",
        examples: ["synthhost engines list": "list the engines found, with their folders"],
        subcommands: [
            CommandDescription(
                word: "list", summary: "list the engines and their states", name: .enginesList,
                examples: [
                    "synthhost engines list": "list the engines found, with their folders",
                    "synthhost engines list --rescan": "scan all engines again, for example after you repair one",
                ],
                options: described(Options.rescan, Options.json),
                exitCodes: [.done, .usage, .unavailable, .configuration]),
            CommandDescription(
                word: "show", summary: "show an engine and its permissions", name: .enginesShow,
                examples: [
                    "synthhost engines show espeak-ng":
                        "show the details of an engine and the permissions that it requests"
                ],
                positionals: [enginePositional], options: described(Options.json),
                exitCodes: [.done, .usage, .unavailable, .configuration, .engineCrashed]),
            permission(
                "allow", "grant permissions that an engine requests", .enginesAllow,
                "a permission to grant, such as network",
                isRequired: true),
            permission(
                "deny", "revoke permissions of an engine", .enginesDeny,
                "a permission to revoke, such as network; without one, all permissions",
                isRequired: false),
            enginesValidate,
        ], exitCodes: [])

    private static let enginePositional = Positional(
        name: "ENGINE",
        help: "the engine or recognizer, by ID; use engine:ID or recognizer:ID if the ID is ambiguous")

    private static func permission(
        _ word: String, _ summary: String, _ name: CommandName, _ help: String, isRequired: Bool
    ) -> CommandDescription {
        CommandDescription(
            word: word, summary: summary, name: name,
            examples: ["synthhost engines \(word) cloudy network": "\(word) the cloudy engine access to the network"],
            positionals: [
                enginePositional,
                Positional(
                    name: "NEED", help: help, isRequired: isRequired, isRepeatable: true,
                    completion: .words(PluginRequests.Need.names + ["variable:"])),
            ],
            options: described(Options.quiet),
            exitCodes: [.done, .usage, .unavailable, .cannotWriteOutput, .configuration, .engineCrashed],
            notes: [
                "Permissions apply only to the current version of the engine's file. They are stored in allowed.json "
                    + "next to the configuration file.",
                "NEED is network, executable-memory, device, folder or, for an environment variable that an engine "
                    + "requests, variable:NAME, as in variable:CLOUDY_REGION.",
            ])
    }

    private static let enginesValidate = CommandDescription(
        word: "validate", summary: "check your own engine or recognizer",
        name: .enginesValidate,
        examples: [
            "synthhost engines validate libTone.so": "run all checks, each in a separate process",
            "synthhost engines validate libTone.so --include cancel":
                "run only the checks whose names match \"cancel\"",
            "synthhost engines validate libPiper.so --file model=amy.onnx": "use amy.onnx as the engine's model",
            "synthhost engines validate hark.so --voice small": "check a recognizer with its \"small\" model",
            "synthhost engines validate libTone.so --fuzz --duration 1m": "speak random text for a minute",
            "synthhost engines validate libTone.so --reproduce 17":
                "rerun the chunk that had seed 17 in an earlier --fuzz run",
            "synthhost engines validate --list": "list the checks",
        ],
        positionals: [
            Positional(name: "FILE", help: "the .so file of an engine, a recognizer, or both", isRequired: false)
        ],
        options: ValidateOptions.all, rules: ValidateOptions.rules,
        exitCodes: [.done, .failure, .usage, .inputMissing, .unavailable, .engineCrashed, .interrupted],
        notes: [
            "Each check has one of these results: passed, warning, failed, crashed (which includes hanging) or skipped. The exit code is "
                + "70 if a check crashed, 1 if a check failed, and 0 otherwise.",
            "A file that exports synth_engine_entry is checked as an engine, a file that exports "
                + "synth_recognizer_entry as a recognizer, and a file that exports both is checked as an engine and then "
                + "as a recognizer. Recognizers are tested with tones and noise, in which they need not recognize any "
                + "words.",
        ])

    private static let config = CommandDescription(
        word: "config", summary: "read and change the configuration",
        examples: [
            "synthhost config show": "print all keys with their values",
            "synthhost config set engine piper": "use the piper engine by default",
            "synthhost config unset rate": "reset a key to its default",
        ],
        subcommands: [
            CommandDescription(
                word: "get", summary: "print the value of a key", name: .configGet,
                examples: ["synthhost config get rate": "print the current rate"],
                positionals: [key], exitCodes: configCodes + [.unavailable]),
            CommandDescription(
                word: "set", summary: "set a key", name: .configSet,
                examples: [
                    "synthhost config set engine piper": "use the piper engine by default",
                    "synthhost config set voices.piper Amy": "use the Amy voice with the piper engine",
                    "synthhost config set rate +20%": "always speak 20% faster",
                    "synthhost config set profiles.Heart.rate 1.1": "make one voice faster than the others",
                    "synthhost config set limits.loadSeconds 300": "give slow models 300 seconds to load",
                ],
                positionals: [
                    key,
                    Positional(
                        name: "VALUE",
                        help: "text, a number, true or false; rate, pitch and volume as in the options of `speak`"
                    ),
                ],
                exitCodes: configCodes + [.unavailable], notes: tuning),
            CommandDescription(
                word: "unset", summary: "reset a key to its default", name: .configUnset,
                examples: ["synthhost config unset rate": "speak at the default rate again"],
                positionals: [key], exitCodes: configCodes),
            CommandDescription(
                word: "path", summary: "print the path of the configuration file", name: .configPath,
                examples: ["synthhost config path": "print the path of the file in use"],
                exitCodes: [.done, .usage]),
            CommandDescription(
                word: "show", summary: "print all keys with their values", name: .configShow,
                examples: ["synthhost config show": "print the current values"], exitCodes: configCodes),
        ],
        exitCodes: configCodes, notes: tuning)

    private static let tuning = [
        "A profile's rate, pitch and volume are multiplied by the values for all voices, and each product is limited "
            + "to the setting's range. An option of `speak` or an environment variable overrides the product. A "
            + "blend uses the profile of the voice with the largest weight.",
        "In the keys profiles, favorites and hidden, a voice can be given by any of its names; the file stores the "
            + "voice's engine and ID, such as kokoro/af_heart.",
    ]

    private static let doctor = CommandDescription(
        word: "doctor", summary: "check that speech works, and show how to fix problems", name: .doctor,
        examples: ["synthhost doctor": "check everything that speech output needs"],
        options: described(Options.json),
        exitCodes: [.done, .failure, .usage, .configuration])

    private static let help = CommandDescription(
        word: "help", summary: "show a guide or the help for a command", name: .help,
        examples: [
            "synthhost help pronunciation | less": "read the pronunciation guide",
            "synthhost help speak": "show the help for the speak command",
            "synthhost help --man speak | man -l -": "show the manual page of the speak command",
            "synthhost help --completions fish | source": "turn on completion in the current fish shell",
        ],
        positionals: [
            Positional(name: "COMMAND", help: "the command or guide", isRequired: false, isRepeatable: true)
        ],
        options: described(Options.manual, Options.completions, Options.complete),
        rules: [
            .excludes(Options.manual, [Options.completions]), .excludesArguments(Options.completions),
            .excludes(Options.complete, [Options.completions, Options.manual]),
        ],
        exitCodes: [.done, .failure, .usage],
        notes: ["For any other word, such as `synthhost help phone`, the guides that contain the word are listed."])

    private static let key = Positional(name: "KEY", help: "a key, such as rate or limits.loadSeconds")
    private static let configCodes: [ExitCode] = [.done, .usage, .cannotWriteOutput, .configuration]
}
