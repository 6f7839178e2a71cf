package import SynthListening

extension CommandTable {
    static let transcribe = CommandDescription(
        word: "transcribe", otherWords: ["dictate", "stt", "subtitle", "caption", "recognize"],
        summary: "transcribe audio files", name: .transcribe,
        examples: [
            "synthhost transcribe talk.mp3": "print the transcript",
            "synthhost transcribe talk.mp3 -o talk.srt": "write the transcript as subtitles",
            "synthhost transcribe *.m4a -o Transcripts": "write one text file per recording to a folder",
            "synthhost transcribe talk.opus -o talk.json": "write the transcript and word timings as JSON",
            "synthhost speak \"Hello\" -o - | synthhost transcribe -": "transcribe the output of another command",
        ],
        positionals: [Positional(name: "FILE", help: "an audio file; - is standard input", isRepeatable: true)],
        options: described(
            Options.transcriptOutput, Options.transcriptFormat, Options.recognizer, Options.recognizerModel,
            Options.spokenLanguage, Options.translate, Options.prompt, Options.spokenWords, Options.vocabulary,
            Options.channels, Options.yes, Options.json, Options.quiet, Options.verbose),
        rules: [.excludes(Options.quiet, [Options.verbose])],
        notes: [
            "To continue after Ctrl-C, a crash or a full disk, run the same command again. This requires -o: until the "
                + "transcript is complete, the partial transcript is stored next to the output file.",
            "The recording may be in any format that libsndfile reads and, if ffmpeg is installed, any format that ffmpeg reads, including "
                + "video. It may last up to 24 hours. It is split at pauses, and several segments are transcribed in parallel.",
            "With --channels split, each channel is transcribed separately, which suits a call with one person per "
                + "channel. The transcripts are merged by time and labeled with their channels.",
        ])

    static let listen = CommandDescription(
        word: "listen", otherWords: ["hear", "ask", "microphone"],
        summary: "transcribe speech from a microphone", name: .listen,
        examples: [
            "synthhost listen": "transcribe until you stop speaking, then print the text",
            "synthhost listen --number --timeout 8": "wait for a spoken number and print it in digits",
            "synthhost listen --names Anna,Ben,Clara": "wait for one of these names and print it",
            "synthhost listen --record said.wav": "print the text, and save the recording as said.wav",
            "synthhost listen --continuous >> notes.txt": "append text to notes.txt until you press Ctrl-C",
        ],
        options: described(
            Options.continuous, Options.listenTimeout, Options.listenSilence, Options.record, Options.number,
            Options.names, Options.microphone, Options.recognizer, Options.recognizerModel, Options.spokenLanguage,
            Options.prompt, Options.spokenWords, Options.vocabulary, Options.yes, Options.json, Options.quiet,
            Options.verbose),
        rules: [
            .excludes(Options.quiet, [Options.verbose]), .excludes(Options.number, [Options.names]),
            .excludes(Options.continuous, [Options.number, Options.names, Options.record]),
        ],
        notes: [
            "With --continuous, text is printed about a second after each pause. Listening continues until you press "
                + "Ctrl-C or the --timeout or --silence limit is reached. Speech up to that point is still transcribed "
                + "and printed.",
            "The microphone records only between the messages \"Listening\" and \"Transcribing\". Before that, it is "
                + "opened briefly to check that it exists. Audio is saved only with --record. Pass -d to select a "
                + "microphone other than ALSA's default.",
            "The exit code is 66 if no speech was recognized, or if the speech does not match --number or --names.",
        ])

    static let mcp = CommandDescription(
        word: "mcp", otherWords: ["assistant", "agent", "tools"],
        summary: "let a language model speak and listen", name: .mcp,
        examples: [
            "synthhost mcp": "provide the speak, transcribe, listen and voices tools over standard input and output"
        ],
        options: described(Options.device, Options.assistantMicrophone, Options.recognizer, Options.recognizerModel),
        notes: [
            "The command uses the Model Context Protocol: one JSON-RPC message per line, and nothing else on standard output. In an MCP client, "
                + "set the command to synthhost and its argument to mcp.",
            "The microphone is open only while the listen tool is running. Its audio is not saved. The speak tool never "
                + "overwrites files.",
        ])

    static let recognizers = CommandDescription(
        word: "recognizers", otherWords: ["recognisers", "listeners"],
        summary: "list the recognizers and their models", name: .recognizers,
        examples: [
            "synthhost recognizers": "list the installed recognizers, and the models that can be downloaded",
            "synthhost models pull whisper-base": "download a recognizer model",
        ],
        options: described(Options.json, Options.rescan),
        exitCodes: [.done, .failure, .usage, .unavailable, .cannotWriteOutput, .configuration])
}

/// Options shared by commands that transcribe speech.
extension Options {
    package static let transcriptOutput = Option<String>(
        "output", short: "o", "OUT", "the output file (.txt, .srt, .vtt or .json) or folder; - is standard output")
    package static let transcriptFormat = Option<TranscriptFormat>(
        "format", "FORM", "the format, if the file name has no extension: txt, srt, vtt or json; the default is txt",
        expecting: "txt, srt, vtt or json"
    ) { TranscriptFormat(rawValue: $0.lowercased()) }
    package static let recognizer = Option<String>("recognizer", "ID", "the recognizer to use, by ID")
    package static let recognizerModel = Option<String>(
        "model", short: "m", "MODEL", "the recognizer model to use, by ID")
    package static let spokenLanguage = Option<String>(
        "language", short: "l", "LANG",
        "the spoken language, such as de; without it, the recognizer detects the language")
    package static let prompt = Option<String>(
        "prompt", "TEXT",
        "the text that precedes the recording, or a sentence with the names and style that you expect"
    )
    package static let spokenWords = Option<[String]>(
        "words", "WORDS", "names and terms that may occur in the audio, separated by commas",
        expecting: "words separated by commas, such as Siobhan,nginx"
    ) { listed($0) }
    package static let vocabulary = Option<String>(
        "vocabulary", "FILE", "a file with names and terms that may occur in the audio, one per line")
    package static let microphone = Option<String>("device", short: "d", "DEVICE", "the ALSA device to record from")
    package static let assistantMicrophone = Option<String>(
        "microphone", "DEVICE", "the ALSA device to record from; only the listen tool opens it")
    package static let continuous = Flag(
        "continuous", "continue listening after pauses, and print the text after each pause")
    package static let listenTimeout = Option<Double>(
        "timeout", "SECONDS", "the time limit for listening; the default is 30, or no limit with --continuous",
        seconds(upTo: 3600))
    package static let listenSilence = Option<Double>(
        "silence", "SECONDS",
        "the length of silence that ends listening; the default is 2, or no limit with --continuous",
        seconds(upTo: 60))
    package static let record = Option<String>(
        "record", "OUT.wav",
        "save the recording, without leading and trailing silence; if the file is new, only you can read it")
    package static let setupListening = Flag("listen", "download a recognizer model instead of a voice")
    package static let number = Flag("number", "expect a number and print it in digits")
    package static let names = Option<[String]>(
        "names", "NAMES", "expect one of these names, separated by commas, and print it",
        expecting: "names separated by commas, such as Anna,Ben,Clara"
    ) { listed($0) }

    private static func listed(_ text: String) -> [String]? {
        let names = text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }.filter {
            !$0.isEmpty
        }
        return (1...1000).contains(names.count) ? names : nil
    }

    private static func seconds(upTo most: Double) -> OptionValue<Double> {
        OptionValue(expectation: "a number of seconds up to \(Int(most))") { text in
            Double(text).flatMap { $0 > 0 && $0 <= most ? $0 : nil }
        }
    }

    package static let channels = Option<Bool>(
        "channels", "HOW",
        "mix transcribes all channels together, split transcribes each separately; the default is mix",
        expecting: "mix or split"
    ) { ["mix": false, "split": true][$0.lowercased()] }
    package static let translate = Flag("translate", "translate the transcript into English")
}
