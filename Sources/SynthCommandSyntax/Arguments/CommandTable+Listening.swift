package import SynthListening

extension CommandTable {
    static let transcribe = CommandDescription(
        word: "transcribe", otherWords: ["dictate", "stt", "subtitle", "caption", "recognize"],
        summary: "write down what is said in sound files", name: .transcribe,
        examples: [
            .init("synthhost transcribe talk.mp3", "print what is said"),
            .init("synthhost transcribe talk.mp3 -o talk.srt", "write subtitles"),
            .init("synthhost transcribe *.m4a -o Transcripts", "write a text for each file into a folder"),
            .init("synthhost transcribe talk.opus -o talk.json", "write texts and words with their times"),
            .init("synthhost speak \"Hello\" -o - | synthhost transcribe -", "hear what was spoken"),
        ],
        positionals: [Positional(name: "FILE", help: "a sound file; - is standard input", isRepeatable: true)],
        options: [
            Options.transcriptOutput.description, Options.transcriptFormat.description,
            Options.recognizer.description, Options.recognizerModel.description,
            Options.spokenLanguage.description, Options.translate.description, Options.prompt.description,
            Options.spokenWords.description, Options.vocabulary.description, Options.channels.description,
            Options.yes.description,
            Options.json.description, Options.quiet.description, Options.verbose.description,
        ],
        rules: [.excludes(.of(Options.quiet), .of(Options.verbose))],
        exitCodes: ExitCode.allCases,
        notes: [
            "With -o, the same command goes on after Ctrl-C, a crash or a full disk: what was understood is kept beside the output until "
                + "that is whole.",
            "The recording may have any format that libsndfile reads and, if ffmpeg is installed, any that ffmpeg reads, also video with "
                + "sound. It may last up to 24 hours. It is cut in pauses; several pieces are understood at once.",
            "With --channels split, each channel is transcribed by itself, as of a call with one person on each: the texts are in order "
                + "of time, each with its channel.",
        ])

    static let listen = CommandDescription(
        word: "listen", otherWords: ["hear", "ask", "microphone"],
        summary: "write down what is said into a microphone", name: .listen,
        examples: [
            .init("synthhost listen", "print what is said, once nobody speaks any more"),
            .init("synthhost listen --number --timeout 8", "wait for a number, and print it in digits"),
            .init("synthhost listen --names Anna,Ben,Clara", "print the one that was said"),
            .init("synthhost listen --record said.wav", "also keep the sound"),
            .init("synthhost listen --continuous >> notes.txt", "write notes until Ctrl-C ends it"),
        ],
        options: [
            Options.continuous.description, Options.listenTimeout.description, Options.listenSilence.description,
            Options.record.description, Options.number.description, Options.names.description,
            Options.microphone.description,
            Options.recognizer.description, Options.recognizerModel.description,
            Options.spokenLanguage.description, Options.prompt.description, Options.spokenWords.description,
            Options.vocabulary.description, Options.yes.description, Options.json.description,
            Options.quiet.description, Options.verbose.description,
        ],
        rules: [
            .excludes(.of(Options.quiet), .of(Options.verbose)), .excludes(.of(Options.number), .of(Options.names)),
            .excludes(.of(Options.continuous), .of(Options.number)),
            .excludes(.of(Options.continuous), .of(Options.names)),
            .excludes(.of(Options.continuous), .of(Options.record)),
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "With --continuous, each text is printed as soon as it is understood, about a second after a pause. Listening continues until "
                + "Ctrl-C, or until a limit that --timeout or --silence sets. Words from before that moment are still written.",
            "The microphone records from \"Listening\" to \"Understanding\" only; before a model is loaded it is opened for a moment, "
                + "to see that it exists. Nothing is kept without --record. -d names another "
                + "microphone than ALSA's default.",
            "It ends with 66 if nobody spoke, or if what was said is no number or none of the names.",
        ])

    static let mcp = CommandDescription(
        word: "mcp", otherWords: ["assistant", "agent", "tools"],
        summary: "speak and listen for a language model", name: .mcp,
        examples: [
            .init(
                "synthhost mcp", "serve the tools speak, transcribe, listen and voices over standard input and output")
        ],
        options: [
            Options.device.description, Options.assistantMicrophone.description, Options.recognizer.description,
            Options.recognizerModel.description,
        ],
        exitCodes: ExitCode.allCases,
        notes: [
            "It speaks the Model Context Protocol: a message of JSON-RPC on each line, and nothing else on standard output. A program that "
                + "starts such servers is told the command synthhost and the argument mcp.",
            "The microphone is open while the tool listen runs, and never else. Nothing is recorded. The tool speak writes new files only.",
        ])

    static let recognizers = CommandDescription(
        word: "recognizers", otherWords: ["recognisers", "listeners"],
        summary: "list what understands speech, with its models", name: .recognizers,
        examples: [
            .init("synthhost recognizers", "those that are here, and the models that can be had"),
            .init("synthhost models pull whisper-base", "get a model"),
        ],
        options: [Options.json.description, Options.rescan.description],
        exitCodes: [.done, .failure, .usage, .unavailable, .cannotWriteOutput, .configuration])
}

/// Those of the commands that listen.
extension Options {
    package static let transcriptOutput = Option<String>(
        "output", short: "o", "OUT", "write a file: .txt, .srt, .vtt or .json; or a folder; - is standard output")
    package static let transcriptFormat = Option<TranscriptFormat>(
        "format", "FORM", "the form, if no ending says it: txt, srt, vtt or json; txt is the default",
        expecting: "txt, srt, vtt or json"
    ) { TranscriptFormat(rawValue: $0.lowercased()) }
    package static let recognizer = Option<String>("recognizer", "ID", "the recognizer that listens")
    package static let recognizerModel = Option<String>("model", short: "m", "MODEL", "the model that it uses")
    package static let spokenLanguage = Option<String>(
        "language", short: "l", "LANG", "what is spoken, such as de; without it the recognizer finds out")
    package static let prompt = Option<String>(
        "prompt", "TEXT", "the text before this sound, or a sentence in its style and with its names")
    package static let spokenWords = Option<[String]>(
        "words", "WORDS", "names and terms that may be said, with commas between them",
        expecting: "words with commas between them, such as Siobhan,nginx"
    ) { listed($0) }
    package static let vocabulary = Option<String>(
        "vocabulary", "FILE", "the same from a file: one word or phrase in each line")
    package static let microphone = Option<String>("device", short: "d", "DEVICE", "the ALSA device that hears")
    package static let assistantMicrophone = Option<String>(
        "microphone", "DEVICE", "the ALSA device that hears; it is opened by the tool listen alone")
    package static let continuous = Flag(
        "continuous", "continue after pauses, and print each text when it is understood")
    package static let listenTimeout = Option<Double>(
        "timeout", "SECONDS", "how long to listen at most; 30 is the default", seconds(upTo: 3600))
    package static let listenSilence = Option<Double>(
        "silence", "SECONDS", "the silence after which nobody speaks any more; 2 is the default",
        seconds(upTo: 60))
    package static let record = Option<String>(
        "record", "OUT.wav", "keep what was said, without the silence around it; a new file is for you alone")
    package static let setupListening = Flag("listen", "get a model that listens, instead of a voice")
    package static let number = Flag("number", "expect a number, and print it in digits")
    package static let names = Option<[String]>(
        "names", "NAMES", "expect one of these, with commas between them",
        expecting: "names with commas between them, such as Anna,Ben,Clara"
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
        "channels", "HOW", "mix the channels, or split them: each is transcribed by itself; mix is the default",
        expecting: "mix or split"
    ) { ["mix": false, "split": true][$0.lowercased()] }
    package static let translate = Flag("translate", "write it down in English, whatever is spoken")
}
