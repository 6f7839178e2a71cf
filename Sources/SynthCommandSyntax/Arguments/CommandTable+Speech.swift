extension CommandTable {
    static let read = CommandDescription(
        word: "read", otherWords: ["reader", "open", "follow"],
        summary: "read text or a book aloud, with keyboard controls", name: .read,
        examples: [
            "synthhost read novel.epub": "continue a book from where you left off",
            "synthhost read notes.md -v Heart": "read with the Heart voice",
            "man bash | synthhost read": "read the output of another program",
            "synthhost read --selection": "read the text selected on the desktop",
            "synthhost read --plain letter.txt": "print each sentence as it is played, for a screen reader",
        ],
        positionals: [
            Positional(
                name: "FILE", help: "a text, Markdown, HTML, EPUB, PDF, DOCX or FB2 file; - is standard input",
                isRequired: false)
        ],
        options: described(
            Options.selection, Options.clipboard, Options.chapters, Options.skip, Options.skipFrontMatter,
            Options.notes)
            + voiceOptions + textOptions + described(Options.device, Options.yes, Options.quiet),
        rules: [
            .excludesArguments(Options.selection), .excludesArguments(Options.clipboard),
            .excludes(Options.selection, [Options.clipboard]),
        ],
        notes: [
            "Keys: Space pauses; Left and Right move by a sentence, Up and Down by ten seconds, PgUp and PgDn by a "
                + "paragraph; [ and ] change the tempo; t shows the table of contents, / searches, v shows the "
                + "voices, ? shows all keys, q quits.",
            "The position, bookmarks, tempo and chosen voice of each text are stored in your state folder, keyed by "
                + "the text's content.",
            "With --plain, which is the default if standard output is not a terminal, each sentence is printed as it is played. The "
                + "keys are the same, and the command exits at the end of the text.",
            "--selection and --clipboard need wl-paste (package wl-clipboard) on Wayland, and xclip on X11.",
        ])

    static let stop = CommandDescription(
        word: "stop", otherWords: ["quiet", "silence", "shut"],
        summary: "stop all playback started by the read, speak and play commands",
        name: .stop,
        examples: [
            "synthhost stop": "stop all playback",
            "synthhost stop --quiet || synthhost read --selection":
                "stop playback or, if nothing is playing, read the selected text",
        ],
        options: described(Options.quiet),
        exitCodes: [.done, .failure, .usage],
        notes: [
            "Only commands that you started yourself are stopped, as if you had pressed Ctrl-C. The exit code is 1 "
                + "if nothing is playing."
        ])

    package static let play = CommandDescription(
        word: "play", summary: "play scripts, texts and audio files", name: .play,
        examples: [
            "synthhost play chime.wav news.txt": "play a chime, then speak a text file",
            "synthhost play intro.mp3 chapter.txt outro.mp3 -o chapter.opus": "write music and speech to one file",
            "date | synthhost play chime.wav - -v Heart": "play a chime, then the output of another program",
            "synthhost play dialogue.txt --clips sounds": "play a script with clips from the folder sounds",
            "synthhost play music.flac --gain -12dB": "play an audio file more quietly",
        ],
        positionals: [
            Positional(
                name: "FILE", help: "a text file, or an audio file in any common format; - is text from standard input",
                isRepeatable: true)
        ],
        options: described(
            Options.output, Options.format, Options.quality, Options.title, Options.author, Options.clips, Options.gain)
            + textOptions + voiceOptions
            + described(Options.device, Options.yes, Options.json, Options.quiet, Options.verbose),
        rules: outputRules,
        notes: [
            "A text may contain tokens: [voice:Heart] (until the next [voice:…] or [voice:]), [pause:0.5s], [[ipa]], [sfx:chime gain=-6dB] "
                + "for a clip, and [sfx:rain channel=bed] for a clip that plays in parallel with the speech. \\[ is a literal bracket. Markdown "
                + "files end in .md and are read without their markup; SSML files end in .ssml or .xml.",
            "A clip is specified by the name of a file in the --clips folder, by a name that `synthhost config set "
                + "clips.chime chime.wav` defines, or by a path inside the text's folder.",
            "A file with an audio format's extension is played as audio, and any other file is read as text. All audio "
                + "is mixed to 48000 Hz stereo, and the files are played back to back.",
            "--rate, --pitch and --volume apply to speech, and --gain applies to audio files. A limiter prevents clipping.",
            "An audio file may be up to two hours long.", fallbackNote,
        ])

    package static let serve = CommandDescription(
        word: "serve", summary: "keep voices loaded, and provide speech to other programs", name: .serve,
        examples: [
            "synthhost serve": "run a service so that the speak and play commands start immediately",
            "synthhost serve --status": "show the status of the running service",
            "synthhost serve --wyoming tcp://127.0.0.1:10200": "provide speech to Wyoming clients on this machine",
            "synthhost serve --wyoming tcp://0.0.0.0:10200":
                "provide speech to Home Assistant and other Wyoming clients on any machine",
            "synthhost serve --http 127.0.0.1:8880":
                "provide the web page and an OpenAI-compatible API on this machine",
        ],
        options: described(
            Options.wyoming, Options.listAll, Options.http, Options.httpTokenFile, Options.httpName, Options.httpOrigin,
            Options.drain, Options.status, Options.json, Options.quiet),
        notes: [
            "A voice is loaded on its first use and stays loaded for ten minutes after its last use. The service handles many clients in "
                + "parallel and switches between them after each utterance.",
            "The service listens on a socket in XDG_RUNTIME_DIR that only you can access. Your speak and play commands use it "
                + "automatically if its version, engines and engine settings match theirs. With --verbose, the commands "
                + "show whether they use it.",
            "On SIGHUP, the service reloads its configuration. On SIGTERM and Ctrl-C, it stops accepting clients, "
                + "finishes the current speech within the --drain time limit, and exits.",
            "The Wyoming protocol has no authentication: any client that can reach the address can request speech "
                + "and transcripts and list your voices. The service prints a warning for an address that other "
                + "machines can reach. Clients see the installed voices and the recommended voices for each "
                + "language, which are downloaded on first use if autoDownload is on; with --list-all, they see all "
                + "voices. Clients can also use voices that are not in the list.",
            "When the client limit is reached, the service disconnects the client that has been idle longest; if all "
                + "clients are waiting for speech, a new client gets an error and should retry later. HTTP clients "
                + "that present the token are always served, as are requests for /health.",
            "Over HTTP on a loopback address, speech, transcription and the list of voices require no token. All other "
                + "requests require one, as do all requests to an address that other machines can reach. The token is "
                + "read from SYNTHHOST_HTTP_TOKEN or the --http-token-file, or created on the first start; the printed "
                + "link contains it. If the service is behind a proxy, pass the proxy's name with --http-name.",
        ])
}
