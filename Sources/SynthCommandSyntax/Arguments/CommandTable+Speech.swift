extension CommandTable {
    static let read = CommandDescription(
        word: "read", otherWords: ["reader", "open", "follow"],
        summary: "read a text or a book aloud, with keys to steer it", name: .read,
        examples: [
            .init("synthhost read novel.epub", "read a book, from where it was left"),
            .init("synthhost read notes.md -v Heart", "read with the voice Heart"),
            .init("man bash | synthhost read", "read what another program prints"),
            .init("synthhost read --selection", "read the text that is selected on the desktop"),
            .init("synthhost read --plain letter.txt", "print sentence by sentence, for a screen reader"),
        ],
        positionals: [
            Positional(
                name: "FILE", help: "a text, Markdown, HTML, EPUB, PDF, DOCX or FB2 file; - is standard input",
                isRequired: false)
        ],
        options: [
            Options.selection.description, Options.clipboard.description, Options.chapters.description,
            Options.skip.description, Options.skipFrontMatter.description, Options.notes.description,
            Options.engine.description, Options.voice.description, Options.speaker.description,
            Options.language.description, Options.rate.description, Options.pitch.description,
            Options.whisper.description, Options.volume.description, Options.pause.description,
            Options.lexicon.description, Options.verbatim.description, Options.keepVoice.description,
            Options.device.description, Options.yes.description, Options.quiet.description,
        ],
        rules: [
            .excludesArguments(.of(Options.selection)), .excludesArguments(.of(Options.clipboard)),
            .excludes(.of(Options.selection), .of(Options.clipboard)),
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "Keys: Space pauses; Left and Right go by sentences, Up and Down by ten seconds, PgUp and PgDn by paragraphs; [ and ] change "
                + "the tempo; t shows the contents, / searches, v shows the voices, ? shows all keys, q quits.",
            "The place, the bookmarks and the tempo are remembered for each text by its content, in the user's state folder.",
            "--plain prints each sentence when it sounds, and takes the same keys. It is the default if standard output is not a "
                + "terminal, and it ends with the text.",
            "--selection and --clipboard need wl-paste (package wl-clipboard) with Wayland, and xclip with X11.",
        ])

    static let stop = CommandDescription(
        word: "stop", otherWords: ["quiet", "silence", "shut"], summary: "end what read, speak and play are playing",
        name: .stop,
        examples: [
            .init("synthhost stop", "silence"),
            .init("synthhost stop --quiet || synthhost read --selection", "one key that begins and ends"),
        ],
        options: [Options.quiet.description],
        exitCodes: [.done, .failure, .usage],
        notes: ["Only this user's commands are ended, each as if by Ctrl-C. The code is 1 if nothing is playing."])

    package static let play = CommandDescription(
        word: "play", summary: "play scripts, texts and recorded sounds", name: .play,
        examples: [
            .init("synthhost play chime.wav news.txt", "hear a chime, then a text"),
            .init("synthhost play intro.mp3 chapter.txt outro.mp3 -o chapter.opus", "write all of it to one file"),
            .init("date | synthhost play chime.wav - -v Heart", "let a chime come before what another program prints"),
            .init("synthhost play dialogue.txt --clips sounds", "play a script that names voices and sounds"),
            .init("synthhost play music.flac --gain -12dB", "hear a recorded sound more softly"),
        ],
        positionals: [
            Positional(
                name: "FILE", help: "a text, or a sound in any usual format; - is a text from standard input",
                isRepeatable: true)
        ],
        options: [
            Options.output.description, Options.format.description, Options.quality.description,
            Options.title.description, Options.author.description, Options.clips.description, Options.gain.description,
            Options.lexicon.description, Options.verbatim.description, Options.keepVoice.description,
            Options.engine.description,
            Options.voice.description,
            Options.speaker.description,
            Options.language.description, Options.rate.description, Options.pitch.description,
            Options.whisper.description, Options.volume.description, Options.device.description,
            Options.yes.description, Options.json.description,
            Options.quiet.description, Options.verbose.description,
        ],
        rules: outputRules,
        exitCodes: ExitCode.allCases,
        notes: [
            "A text may hold tokens: [voice:Heart] until the next one or [voice:], [pause:0.5s], [[ipa]], [sfx:chime gain=-6dB] for "
                + "a sound, and [sfx:rain channel=bed] for one beside the speech. \\[ is a bracket. Markdown (.md) is read without "
                + "its marks, SSML is a file that ends in .ssml or .xml.",
            "A name of a sound is one of the folder of --clips, one of the configuration (`config set clips.chime chime.wav`), or "
                + "a path below the text's own folder.",
            "A file is a sound if the ending of its name says so, and a text otherwise. All sounds become one of 48000 Hz "
                + "with two channels. One file follows the other without a gap.",
            "--rate, --pitch and --volume are of speech, --gain of recorded sounds. Nothing clips, however loud it is.",
            "A sound may be up to two hours long.", fallbackNote,
        ])

    package static let serve = CommandDescription(
        word: "serve", summary: "keep voices loaded, and speak and listen for other programs", name: .serve,
        examples: [
            .init("synthhost serve", "speak for synthhost speak and play, which begin at once then"),
            .init("synthhost serve --status", "tell what the service that runs does"),
            .init("synthhost serve --wyoming tcp://127.0.0.1:10200", "speak for programs that know Wyoming"),
            .init(
                "synthhost serve --wyoming tcp://0.0.0.0:10200", "speak for a home assistant on another machine, too"),
            .init(
                "synthhost serve --http 127.0.0.1:8880", "show a page, and speak for programs that know OpenAI's calls"),
        ],
        options: [
            Options.wyoming.description, Options.listAll.description, Options.http.description,
            Options.httpTokenFile.description,
            Options.httpName.description, Options.httpOrigin.description, Options.drain.description,
            Options.status.description,
            Options.json.description, Options.quiet.description,
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "A voice is loaded when it is first asked for, and stays loaded for ten minutes after its last speech. Many clients "
                + "are served at once, in turns of one utterance.",
            "It listens at a socket that only you can reach, in the folder of XDG_RUNTIME_DIR. Your speak and play use it by "
                + "themselves as long as it would speak as they do: the same version, engines and settings of engines. "
                + "With --verbose they tell who speaks.",
            "SIGHUP has the configuration read again. SIGTERM and Ctrl-C let no new client in, wait until what is asked for was spoken, at most the time of --drain, "
                + "and end.",
            "Wyoming knows no password: who reaches the address can have anything spoken or understood, and read the names of your voices. "
                + "An address that other machines reach is announced on standard error. Programs are told of the voices that are here, "
                + "and of those that are recommended for each language, which speak if autoDownload is on; or of all with "
                + "--list-all. A voice that is not in the list can be named as well.",
            "When all places for clients are taken, the one goes that has taken or sent nothing for longest; who comes while all wait "
                + "for their speech is told to come later. Over HTTP who has the token, and /health, are answered all the same.",
            "Over HTTP, who reaches an address of this machine alone can have text spoken and recordings understood, and see the list of voices. All else needs "
                + "a token, and so does everything at an address that other machines reach. It is that of SYNTHHOST_HTTP_TOKEN, "
                + "of the file of --http-token-file, or one that is made at the first start and kept; the link that is printed "
                + "has it. Behind a proxy, give its name with --http-name.",
        ])
}
