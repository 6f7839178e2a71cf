import SynthHost

/// All commands, their options, arguments, examples and exit codes. Both the parser and the help use it.
package enum CommandTable {
    /// Accepted with every command, before and after its name.
    package static let globalOptions: [OptionDescription] = [
        Options.pluginsDirectory.description, Options.config.description, Options.offline.description,
        Options.plain.description, Options.help.description, Options.version.description,
    ]

    package static let root = CommandDescription(
        word: "synthhost", summary: "speaks text with any engine",
        examples: [
            .init("synthhost speak \"Hello, world\"", "say a sentence"),
            .init("synthhost setup", "get a natural voice"),
            .init("synthhost read novel.epub", "read a book aloud, and steer it with keys"),
            .init("synthhost voices", "list the voices"),
            .init("synthhost doctor", "find out why nothing is heard"),
        ],
        subcommands: [
            speak, read, stop, play, book, batch, listen, transcribe, recognizers, serve, mcp, setup, voices, models,
            engines,
            config,
            doctor,
            help,
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "Guides: \(Guide.allCases.map(\.rawValue).joined(separator: ", ")). `synthhost help GUIDE` shows one."
        ])

    private static let speak = CommandDescription(
        word: "speak", otherWords: ["say", "talk", "tell", "tts", "speech", "utter"],
        summary: "speak text, or write it to a sound file", name: .speak,
        examples: [
            .init("synthhost speak \"Hello, world\"", "say a sentence"),
            .init("synthhost speak -f letter.txt -v Heart", "read a file with the voice Heart"),
            .init("synthhost speak \"Hello\" -v \"Heart*0.7+Emma*0.3\"", "speak with a blend of two voices"),
            .init(
                "synthhost speak -v Heart --tokens \"[[ɡˈɪf]], not [[dʒˈɪf]]\"", "say words as they are written in IPA"),
            .init(
                "synthhost speak --tokens \"Wait. [pause:2s] [voice:Alan] Go.\"", "pause, and go on with another voice"),
            .init("synthhost speak -f notes.md", "read Markdown without its marks"),
            .init("synthhost speak -f page.ssml -o page.mp3", "write what SSML says to a file"),
            .init("synthhost speak --show-text \"Dr. Wu paid $3.50 on 3 May.\"", "see what would be said"),
            .init("date | synthhost speak -r 1.25", "say what another program prints, a little faster"),
            .init("synthhost speak \"Hello\" -o hello.wav", "write a file"),
            .init("synthhost speak -f letter.txt -o letter.opus --title Letter", "write a small file with a title"),
            .init("synthhost speak -f letter.txt -o letter.mp3 --timings letter.srt", "write subtitles, too"),
            .init("synthhost speak -f novel.epub --chapters 3-5", "read a book, or a page of HTML"),
            .init("synthhost speak \"Hello\" --raw | aplay -f S16_LE -r 22050", "hand the samples on"),
            .init("synthhost speak \"Hello\" -o - | aplay", "hand the sound to another program"),
            .init("synthhost speak \"Hello\" -o - --format flac | ffplay -", "hand it on in another format"),
        ],
        positionals: [
            Positional(name: "TEXT", help: "what to say, joined by spaces", isRequired: false, isRepeatable: true)
        ],
        options: [
            Options.file.description, Options.chapters.description, Options.skip.description,
            Options.skipFrontMatter.description, Options.notes.description,
            Options.output.description,
            Options.format.description,
            Options.quality.description, Options.title.description, Options.author.description,
            Options.timings.description, Options.raw.description, Options.engine.description,
            Options.voice.description, Options.speaker.description, Options.language.description,
            Options.rate.description, Options.pitch.description, Options.whisper.description,
            Options.variation.description, Options.volume.description, Options.pause.description,
            Options.ssml.description, Options.markdown.description, Options.tokens.description,
            Options.lexicon.description, Options.clips.description, Options.verbatim.description,
            Options.keepVoice.description,
            Options.showText.description, Options.showPhonemes.description,
            Options.device.description, Options.yes.description, Options.json.description,
            Options.quiet.description,
            Options.verbose.description,
        ],
        rules: [
            .excludesArguments(.of(Options.file)),
            .requires(.of(Options.chapters), .of(Options.file)),
            .requires(.of(Options.skip), .of(Options.file)),
            .requires(.of(Options.notes), .of(Options.file)),
            .requires(.of(Options.skipFrontMatter), .of(Options.file)),
            .excludes(.of(Options.ssml), .of(Options.markdown)),
            .excludes(.of(Options.ssml), .of(Options.tokens)),
            .excludes(.of(Options.raw), .of(Options.device)),
            .excludes(.of(Options.raw), .of(Options.format)),
            .excludes(.of(Options.raw), .of(Options.quality)),
            .excludes(.of(Options.raw), .of(Options.title)),
            .excludes(.of(Options.raw), .of(Options.author)),
        ]
            + [Options.showText, Options.showPhonemes].flatMap { shown -> [UsageRule] in
                [
                    .excludes(.of(shown), .of(Options.output)), .excludes(.of(shown), .of(Options.device)),
                    .excludes(.of(shown), .of(Options.raw)), .excludes(.of(shown), .of(Options.timings)),
                ]
            } + outputRules,
        exitCodes: ExitCode.allCases,
        notes: [
            "Without TEXT and without --file, the text is read from standard input.",
            "For one channel of speech, --quality 5 is about 32 kb/s with opus, and 70 kb/s with mp3 and ogg, which is "
                + "Vorbis. wav and flac keep every sample, whatever --quality says.",
            "Each format can go to a pipe; mp3 then has up to a tenth of a second more of silence. A file of another format "
                + "than wav gets its name when it is complete.",
            "--timings counts from the beginning of the sound, at the rate at which it is spoken. JSON says the place of each "
                + "word in the text, in bytes and in characters (Unicode scalars). An engine that does not know when words "
                + "sound gives the times of sentences; .vtt and .json say so. The file gets its name when the speech ends.",
            "--rate, --pitch and --volume take the place of what is configured, for all voices and for this one.",
            "A file whose name ends in .md is read as Markdown, one that ends in .ssml as SSML. Both, and a text with tokens, "
                + "are read whole before anything is spoken; all voices that they name must be here.",
            "With --tokens: [pause:0.5s], [voice:NAME] until the next or [voice:], [sfx:CLIP gain=-6dB], [mark:NAME], [[ipa]], and \\[ for a bracket. "
                + "Any other bracket is text.",
            "The words in lexicon.txt beside the configuration are said as it says, those of --lexicon before them. A line is "
                + "gif = jif, or Siobhan = /ʃɪvˈɔːn/; with en: in front it counts for English only.",
            fallbackNote,
            "An engine is handed how much --variation differs from the usual: -1 for 0, 0 for 1, 1 for 2.",
        ])

    package static let fallbackNote =
        "If an engine fails while a device plays, the next voice of the language speaks on, and the exit code is 70; "
        + "`synthhost config set fallback VOICE,…` names such voices, and none switches it off. A file is whole or an error."

    /// Of the commands whose sound goes to a device or a file.
    package static let outputRules: [UsageRule] = [
        .excludes(.of(Options.output), .of(Options.device)),
        .excludes(.of(Options.quiet), .of(Options.verbose)),
        .requires(.of(Options.format), .of(Options.output)),
        .requires(.of(Options.quality), .of(Options.output)),
        .requires(.of(Options.title), .of(Options.output)),
        .requires(.of(Options.author), .of(Options.output)),
    ]

    private static let engines = CommandDescription(
        word: "engines", summary: "look after the engines",
        examples: [.init("synthhost engines list", "the engines that were found, and where")],
        subcommands: [
            CommandDescription(
                word: "list", summary: "list the engines with a verdict on each", name: .enginesList,
                examples: [
                    .init("synthhost engines list", "the engines that were found, and where"),
                    .init("synthhost engines list --rescan", "look again after an engine was repaired"),
                ],
                options: [Options.rescan.description, Options.json.description],
                exitCodes: [.done, .usage, .unavailable, .configuration]),
            CommandDescription(
                word: "show", summary: "show an engine with what it asks for and may do", name: .enginesShow,
                examples: [.init("synthhost engines show espeak-ng", "what it is, and what it asks for")],
                positionals: [enginePositional], options: [Options.json.description],
                exitCodes: [.done, .usage, .unavailable, .configuration, .engineCrashed]),
            permission(
                "allow", "let an engine do what it asks for", .enginesAllow, "what it asks for, as network",
                isRequired: true),
            permission(
                "deny", "take back what an engine was allowed", .enginesDeny,
                "what it may do no longer; all of it if none is named",
                isRequired: false),
            enginesValidate,
        ])

    private static let enginePositional = Positional(
        name: "ENGINE", help: "the engine or recognizer, by its id; engine:ID or recognizer:ID if both have that id")

    private static func permission(
        _ word: String, _ summary: String, _ name: CommandName, _ help: String, isRequired: Bool
    ) -> CommandDescription {
        CommandDescription(
            word: word, summary: summary, name: name,
            examples: [.init("synthhost engines \(word) cloudy network", "its connections to other machines")],
            positionals: [
                enginePositional,
                Positional(
                    name: "NEED", help: help, isRequired: isRequired, isRepeatable: true,
                    completion: .words(PluginRequests.Need.names + ["variable:"])),
            ],
            options: [Options.quiet.description],
            exitCodes: [.done, .usage, .unavailable, .cannotWriteOutput, .configuration, .engineCrashed],
            notes: [
                "It counts for the engine's file as it is now, and is kept in allowed.json beside the configuration.",
                "Needs are network, executable-memory, device and folder. A variable of the environment that an engine requests is named "
                    + "with \"variable:\" in front, as in variable:CLOUDY_REGION.",
            ])
    }

    private static let enginesValidate = CommandDescription(
        word: "validate", summary: "check whether an engine or a recognizer is right, for its author",
        name: .enginesValidate,
        examples: [
            .init("synthhost engines validate libTone.so", "ask everything, each in a process of its own"),
            .init("synthhost engines validate libTone.so --include cancel", "only what is about cancelling"),
            .init("synthhost engines validate libPiper.so --file model=amy.onnx", "with a file for a role"),
            .init("synthhost engines validate hark.so --voice small", "a recognizer, with its model \"small\""),
            .init("synthhost engines validate libTone.so --fuzz --duration 1m", "speak random texts for a minute"),
            .init("synthhost engines validate libTone.so --reproduce 17", "run the chunk of a seed again"),
            .init("synthhost engines validate --list", "what is checked"),
        ],
        positionals: [
            Positional(name: "FILE", help: "the .so file of an engine, of a recognizer, or of both", isRequired: false)
        ],
        options: ValidateOptions.all, rules: ValidateOptions.rules,
        exitCodes: [.done, .failure, .usage, .inputMissing, .unavailable, .engineCrashed, .interrupted],
        notes: [
            "A check ends as passed, warning, failed, crashed (or hung) or skipped. The code is 70 if one crashed, "
                + "1 if one failed, and 0 otherwise.",
            "A file that exports synth_engine_entry is checked as an engine, one that exports synth_recognizer_entry as a "
                + "recognizer, and one that exports both as one and then as the other. The sounds that a recognizer hears are "
                + "made of tones and noise; it need not understand a word of them.",
        ])

    private static let config = CommandDescription(
        word: "config", summary: "read and change the configuration",
        examples: [
            .init("synthhost config show", "all keys with their values"),
            .init("synthhost config set engine piper", "let another engine speak"),
            .init("synthhost config unset rate", "return to the default"),
        ],
        subcommands: [
            CommandDescription(
                word: "get", summary: "print the value of a key", name: .configGet,
                examples: [.init("synthhost config get rate", "the rate in force")],
                positionals: [key], exitCodes: configCodes + [.unavailable]),
            CommandDescription(
                word: "set", summary: "set a key", name: .configSet,
                examples: [
                    .init("synthhost config set engine piper", "let another engine speak"),
                    .init("synthhost config set voices.piper Amy", "choose the voice of an engine"),
                    .init("synthhost config set rate +20%", "always speak a little faster"),
                    .init("synthhost config set profiles.Heart.rate 1.1", "let one voice speak faster than the others"),
                    .init("synthhost config set limits.loadSeconds 300", "give slow models more time"),
                ],
                positionals: [
                    key,
                    Positional(
                        name: "VALUE",
                        help: "a text, a number, true or false; rate, pitch and volume as `speak` takes them"),
                ],
                exitCodes: configCodes + [.unavailable], notes: tuning),
            CommandDescription(
                word: "unset", summary: "return a key to its default", name: .configUnset,
                examples: [.init("synthhost config unset rate", "speak at the usual rate again")],
                positionals: [key], exitCodes: configCodes),
            CommandDescription(
                word: "path", summary: "print the path of the configuration file", name: .configPath,
                examples: [.init("synthhost config path", "the file in force")],
                exitCodes: [.done, .usage]),
            CommandDescription(
                word: "show", summary: "print all keys with their values", name: .configShow,
                examples: [.init("synthhost config show", "the values in force")], exitCodes: configCodes),
        ],
        exitCodes: configCodes, notes: tuning)

    private static let tuning = [
        "The rate, pitch and volume of a profile multiply those of all voices, and the product stays within the range of the "
            + "factor. An option of `speak` or a variable takes the place of the product. A blend has the profile of its "
            + "heaviest voice.",
        "A voice of profiles, favourites and hidden may be named in any way; what is written is its engine and its id, such as "
            + "kokoro/af_heart.",
    ]

    private static let doctor = CommandDescription(
        word: "doctor", summary: "check whether speaking would work, and what to type if not", name: .doctor,
        examples: [.init("synthhost doctor", "one screen with everything that speaking needs")],
        options: [Options.json.description],
        exitCodes: [.done, .failure, .usage, .configuration])

    private static let help = CommandDescription(
        word: "help", summary: "show the help of a command, or a guide", name: .help,
        examples: [
            .init("synthhost help scripts | less", "read the guide to scripts"),
            .init("synthhost help speak", "how to speak"),
            .init("synthhost help --man speak | man -l -", "the same as a manual page"),
            .init("synthhost help --completions fish | source", "let this fish complete command lines"),
        ],
        positionals: [
            Positional(name: "COMMAND", help: "the command, or the guide", isRequired: false, isRepeatable: true)
        ],
        options: [Options.manual.description, Options.completions.description],
        rules: [
            .excludes(.of(Options.manual), .of(Options.completions)), .excludesArguments(.of(Options.completions)),
        ],
        exitCodes: [.done, .failure, .usage],
        notes: ["The guides:"] + Guide.allCases.map { "\($0.rawValue): \($0.summary)." })

    private static let key = Positional(name: "KEY", help: "a key, such as rate or limits.loadSeconds")
    private static let configCodes: [ExitCode] = [.done, .usage, .cannotWriteOutput, .configuration]
}
