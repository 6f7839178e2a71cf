import SynthDocuments

extension CommandTable {
    static let batch = CommandDescription(
        word: "batch", otherWords: ["list", "dataset", "bulk"],
        summary: "create an audio file from each text in a list",
        name: .batch,
        examples: [
            "synthhost batch prompts.jsonl -o Prompts":
                "write a WAV file for each line of the list, and Prompts/manifest.jsonl",
            "synthhost batch prompts.jsonl -o Prompts --format opus -v Heart":
                "write Opus files with the Heart voice, unless a line specifies another voice",
            "synthhost batch prompts.jsonl -o Prompts --shard 2/8": "process the second of eight shards of the list",
        ],
        positionals: [Positional(name: "LIST", help: "a file in JSON Lines format; - is standard input")],
        options: described(
            Options.batchOutput, Options.format, Options.quality, Options.shard, Options.join)
            + voiceOptions + textOptions
            + described(Options.yes, Options.json, Options.quiet, Options.verbose),
        rules: [
            .excludes(Options.shard, [Options.join]),
            .excludes(Options.quiet, [Options.verbose]),
        ],
        notes: [
            "Each line is an object such as {\"id\": \"0001\", \"text\": \"Hello\", \"voice\": \"Heart\", \"rate\": 1.2}. The ID becomes "
                + "the file name. The keys voice, speaker, language, engine, rate, pitch, volume and variation "
                + "override the options.",
            "For each line, the manifest lists the ID, the text, the file and the duration in seconds. After runs "
                + "with --shard, --join writes the manifest. Without --shard, a job array's task number selects the "
                + "shard: SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, or JOB_COMPLETION_INDEX with "
                + "JOB_COMPLETION_COUNT.",
            "After Ctrl-C, a crash or a full disk, run the same command again to continue. Only lines that have "
                + "changed or that have no finished file are spoken. Finished files are recorded in the hidden "
                + "folder .synthhost-batch in the output folder.",
        ])
    static let book = CommandDescription(
        word: "book", otherWords: ["audiobook", "novel"],
        summary: "show a book's chapters, or create an audiobook",
        name: .book,
        examples: [
            "synthhost book novel.epub": "list the chapters, with word counts and reading times",
            "synthhost book novel.epub --json": "print the chapters as JSON",
            "synthhost book novel.epub -o Novel": "create an audiobook: one file per chapter in the folder Novel",
            "synthhost book novel.epub --cast cast.json": "write a list of the speakers for you to assign voices to",
            "synthhost book novel.epub -o Novel --voices cast.json":
                "create an audiobook with a voice for each speaker",
            "synthhost book novel.epub -o novel.opus -v Heart":
                "create one file with chapter marks, read by the Heart voice",
            "synthhost book novel.epub -o Novel --shard 2/8": "process the second of eight shards of the book",
        ],
        positionals: [
            Positional(name: "FILE", help: "an EPUB, PDF, DOCX, FB2, HTML, Markdown or text file")
        ],
        options: described(
            Options.chapters, Options.skip, Options.skipFrontMatter, Options.notes, Options.bookOutput,
            Options.bookFormat, Options.quality, Options.loudness, Options.title, Options.author, Options.subtitles,
            Options.cast, Options.castVoices, Options.shard, Options.join)
            + voiceOptions + textOptions
            + described(Options.yes, Options.json, Options.quiet, Options.verbose),
        rules: [
            .excludes(Options.shard, [Options.join]),
            .excludes(Options.quiet, [Options.verbose]),
            .excludes(Options.cast, [Options.bookOutput]),
            .requires(
                [
                    Options.castVoices, Options.bookFormat, Options.quality, Options.loudness, Options.title,
                    Options.author, Options.subtitles, Options.shard, Options.join,
                ], Options.bookOutput),
            .requires(voiceOptions + textOptions, Options.bookOutput),
        ],
        notes: [
            "After Ctrl-C, a crash or a full disk, run the same command again to continue. Only parts that are missing "
                + "or have changed are spoken. The hidden folder .synthhost-book stores speech until the output file "
                + "is complete, and keeps small records permanently.",
            "In a cast file, the text of a speaker without a voice is read by the chapter's voice or, if the chapter "
                + "has none, by the narrator. The key \"others\" sets the voice for speech whose speaker is unknown. "
                + "A speaker is identified by a name or pronoun next to a verb such as \"said\"; this works in "
                + "\(LanguageWords.languages). In a dialogue, two speakers are assumed to alternate.",
            "A voice for the book's language reads the book, unless -v or -l selects another one. "
                + "--skip-front-matter skips the copyright page, the dedication, the table of contents and licenses; "
                + "without it, a notice lists the front matter that was found.",
            "Files that end in .m4b are written by ffmpeg, which must be installed. Files that end in .epub contain text and audio: e-book readers "
                + "that support media overlays highlight each sentence during playback.",
            "Without --shard, a job array's task number selects the shard: SLURM_ARRAY_TASK_ID with SLURM_ARRAY_TASK_COUNT, or "
                + "JOB_COMPLETION_INDEX with JOB_COMPLETION_COUNT.",
            "The chapters are taken from the book's table of contents, the headings of a page, or text headings such as CHAPTER IV. "
                + "Page numbers are skipped, as are notes unless you pass --notes.",
            "In a --skip pattern, * matches any text, and ? matches any single character; case is ignored.",
            "The process that reads the document cannot open other files or network connections. PDFs need poppler-utils, whose programs "
                + "run under the same restrictions. The chapters of a PDF are its bookmarks or, without bookmarks, its headings; page "
                + "headers and footers are skipped.",
        ])
}
