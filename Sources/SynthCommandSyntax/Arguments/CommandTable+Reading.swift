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
}
