extension CommandTable {
    static let batch = CommandDescription(
        word: "batch", otherWords: ["list", "dataset", "bulk"], summary: "make a sound file of each text of a list",
        name: .batch,
        examples: [
            .init("synthhost batch prompts.jsonl -o Prompts", "a WAV file for each line, and Prompts/manifest.jsonl"),
            .init(
                "synthhost batch prompts.jsonl -o Prompts --format opus -v Heart",
                "read by Heart, unless a line names another voice"
            ),
            .init(
                "synthhost batch prompts.jsonl -o Prompts --shard 2/8", "the second of eight processes that share it"),
        ],
        positionals: [Positional(name: "LIST", help: "a file of JSON lines; - is standard input")],
        options: [
            Options.batchOutput.description, Options.format.description, Options.quality.description,
            Options.shard.description, Options.join.description, Options.engine.description, Options.voice.description,
            Options.speaker.description, Options.language.description, Options.rate.description,
            Options.pitch.description, Options.whisper.description, Options.variation.description,
            Options.volume.description, Options.pause.description, Options.lexicon.description,
            Options.verbatim.description,
            Options.keepVoice.description, Options.yes.description, Options.json.description,
            Options.quiet.description, Options.verbose.description,
        ],
        rules: [
            .excludes(.of(Options.shard), .of(Options.join)),
            .excludes(.of(Options.quiet), .of(Options.verbose)),
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "A line is an object such as {\"id\": \"0001\", \"text\": \"Hello\", \"voice\": \"Heart\", \"rate\": 1.2}. The id names the "
                + "file. voice, speaker, language, engine, rate, pitch, volume and variation take the place of the options.",
            "The manifest has the id, the file, its seconds and the text of each line. With --shard, --join writes it. Without --shard, "
                + "the numbers of an array of jobs count, as for a book.",
            "The same command goes on after Ctrl-C, a crash or a full disk, and makes anew only what changed; what is whole is kept "
                + "in a hidden folder, .synthhost-batch.",
        ])
    static let book = CommandDescription(
        word: "book", otherWords: ["audiobook", "novel"], summary: "show what is in a book, or make an audiobook of it",
        name: .book,
        examples: [
            .init("synthhost book novel.epub", "its chapters, with words and the time that they take"),
            .init("synthhost book novel.epub --json", "the same for a program"),
            .init("synthhost book novel.epub -o Novel", "an audiobook: a file for each chapter in the folder Novel"),
            .init("synthhost book novel.epub --cast cast.json", "who says something in it, to give them voices"),
            .init("synthhost book novel.epub -o Novel --voices cast.json", "each of them read by their own"),
            .init("synthhost book novel.epub -o novel.opus -v Heart", "one file with marks for the chapters"),
            .init(
                "synthhost book novel.epub -o Novel --shard 2/8", "the second of eight processes that speak it together"
            ),
        ],
        positionals: [
            Positional(name: "FILE", help: "an EPUB, PDF, DOCX or FB2 file, a page of HTML, Markdown, or a text")
        ],
        options: [
            Options.chapters.description, Options.skip.description, Options.skipFrontMatter.description,
            Options.notes.description,
            Options.bookOutput.description,
            Options.bookFormat.description,
            Options.quality.description, Options.loudness.description, Options.title.description,
            Options.author.description, Options.subtitles.description, Options.cast.description,
            Options.castVoices.description, Options.shard.description,
            Options.join.description,
            Options.engine.description, Options.voice.description, Options.speaker.description,
            Options.language.description, Options.rate.description, Options.pitch.description,
            Options.whisper.description, Options.variation.description, Options.volume.description,
            Options.pause.description,
            Options.lexicon.description,
            Options.verbatim.description, Options.keepVoice.description, Options.yes.description,
            Options.json.description, Options.quiet.description, Options.verbose.description,
        ],
        rules: [
            .excludes(.of(Options.shard), .of(Options.join)),
            .excludes(.of(Options.quiet), .of(Options.verbose)),
            .excludes(.of(Options.cast), .of(Options.bookOutput)),
            .requires(.of(Options.castVoices), .of(Options.bookOutput)),
            .requires(.of(Options.bookFormat), .of(Options.bookOutput)),
            .requires(.of(Options.quality), .of(Options.bookOutput)),
            .requires(.of(Options.loudness), .of(Options.bookOutput)),
            .requires(.of(Options.title), .of(Options.bookOutput)),
            .requires(.of(Options.author), .of(Options.bookOutput)),
            .requires(.of(Options.subtitles), .of(Options.bookOutput)),
            .requires(.of(Options.shard), .of(Options.bookOutput)),
            .requires(.of(Options.join), .of(Options.bookOutput)),
            .requires(.of(Options.voice), .of(Options.bookOutput)),
            .requires(.of(Options.engine), .of(Options.bookOutput)),
            .requires(.of(Options.speaker), .of(Options.bookOutput)),
            .requires(.of(Options.language), .of(Options.bookOutput)),
            .requires(.of(Options.rate), .of(Options.bookOutput)),
            .requires(.of(Options.pitch), .of(Options.bookOutput)),
            .requires(.of(Options.whisper), .of(Options.bookOutput)),
            .requires(.of(Options.variation), .of(Options.bookOutput)),
            .requires(.of(Options.volume), .of(Options.bookOutput)),
            .requires(.of(Options.lexicon), .of(Options.bookOutput)),
            .requires(.of(Options.pause), .of(Options.bookOutput)),
            .requires(.of(Options.verbatim), .of(Options.bookOutput)),
            .requires(.of(Options.keepVoice), .of(Options.bookOutput)),
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "The same command continues after Ctrl-C, a crash or a full disk, and remakes only what changed. Speech is kept in "
                + "a hidden folder, .synthhost-book, until its file is complete; small records stay in it.",
            "In a cast, a speaker who has no voice is read by the chapter's teller, else by the narrator; others is for speech without a "
                + "known speaker. A name or a pronoun beside a verb such as said tells who speaks, in English, German, French, "
                + "Spanish, Italian, Portuguese, Polish, Russian or Dutch; two people take turns.",
            "A voice of the book's language reads it, unless -v or -l says otherwise. --skip-front-matter leaves out the copyright page, "
                + "the dedication, the contents and licences; without it a notice says what was recognised.",
            "A name that ends in .m4b is made by ffmpeg, if it is installed. One that ends in .epub has text and sound together: each "
                + "sentence lights up as it sounds, in readers that know media overlays.",
            "Without --shard, the numbers of an array of jobs count: SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, or "
                + "JOB_COMPLETION_INDEX with JOB_COMPLETION_COUNT.",
            "Chapters are those of the book's contents, of a page's headings, or of a text's headings such as CHAPTER IV. Page numbers "
                + "are left out, and notes without --notes.",
            "Of a --skip, * is any text and ? any letter; capitals mean nothing.",
            "The process that reads the document opens no file and no connection. PDFs need poppler-utils, whose programs run with the "
                + "same limits. Chapters of a PDF are its bookmarks, else its headings; heads and feet of pages are left out.",
        ])
}
