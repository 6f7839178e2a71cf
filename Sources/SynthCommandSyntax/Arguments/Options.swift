package import SynthAudio
package import SynthBooks
import SynthCatalogue
package import SynthDocuments
package import SynthEngineWire
package import SynthHost
import SynthHTTPServer
package import SynthSystem

/// All options and the types of their values. An option has the same meaning in all commands that share it.
package enum Options {
    package static let pluginsDirectory = Option<String>(
        "plugins-dir", "DIR", "search this folder for engines first", isRepeatable: true)
    package static let config = Option<String>("config", "FILE", "use this configuration file")

    package static let offline = Flag("offline", "use only installed files, never the network")

    package static let plain = Flag("plain", "print plain lines, without color or redrawing")

    package static let file = Option<String>("file", short: "f", "FILE", "speak this file; - is standard input")
    package static let selection = Flag("selection", "read the text selected on the desktop")
    package static let clipboard = Flag("clipboard", "read the text on the desktop's clipboard")
    package static let chapters = Option<ChapterChoice>(
        "chapters", "NUMBERS", "speak only these chapters of a book: 3, 3-7 or 1,4-",
        expecting: "numbers such as 3, 3-7 or 1,4-"
    ) { ChapterChoice($0) }
    package static let skip = Option<String>(
        "skip", "PATTERN", "skip paragraphs of a book that match this pattern: \"Page *\", \"*license*\"",
        isRepeatable: true)
    package static let skipFrontMatter = Flag(
        "skip-front-matter", "skip a book's copyright page, dedication, table of contents and licenses")
    package static let notes = Flag(
        "notes", "read the notes in a book or page, each after the paragraph it belongs to")
    package static let output = Option<String>(
        "output", short: "o", "OUT",
        "write the audio to a file instead of playing it: .wav, .flac, .mp3, .opus or .ogg; - is standard output")
    package static let bookOutput = Option<String>(
        "output", short: "o", "OUT",
        "create an audiobook: a folder with one file per chapter, or one file (.opus, .mp3, .flac, .ogg, .wav, .m4b or .epub)"
    )
    package static let batchOutput = Option<String>("output", short: "o", "FOLDER", "the folder to write the files to")
    package static let bookFormat = Option<SoundFileFormat>(
        "format", "FORMAT", "the format for files in a folder: \(Wording.either(formats)); the default is opus",
        format.value)
    package static let loudness = Option<BookLoudness>(
        "loudness", "LUFS",
        "the loudness of each chapter in LUFS (EBU R 128); the default is -19 for mono and -16 for stereo; off leaves "
            + "it unchanged",
        expecting: "a number from -40 to -10, or off"
    ) { BookLoudness($0) }
    package static let subtitles = Option<SubtitleFormat>(
        "timings", "FORMAT", "also write subtitles next to each file: srt or vtt",
        expecting: "srt or vtt"
    ) { SubtitleFormat(rawValue: $0.lowercased()) }
    package static let cast = Option<String>(
        "cast", "CAST.json", "write the book's speakers to a new file, in which you then assign their voices")
    package static let castVoices = Option<String>(
        "voices", "CAST.json", "read the speakers' voices from a file that --cast created and you edited")
    package static let shard = Option<BookShard>(
        "shard", "I/N",
        "speak only shard I of N, one of N processes with the same output; --join combines the shards",
        expecting: "a shard such as 2/8"
    ) { BookShard($0) }
    package static let join = Flag("join", "combine the output of all --shard processes, without speaking")
    package static let format = Option<SoundFileFormat>(
        "format", "FORMAT",
        "the format, if the file name has no extension: \(Wording.either(formats)); the default is wav",
        expecting: Wording.either(formats)
    ) { SoundFileFormat(rawValue: $0.lowercased()) }
    package static let quality = Option<Int>(
        "quality", "NUMBER",
        "the quality for mp3, opus and ogg: 0 produces the smallest file, 10 the best quality; the default is 5",
        expecting: "an integer from 0 to 10"
    ) { text in
        Int(text).flatMap { SoundFileOptions.qualities.contains($0) ? $0 : nil }
    }
    package static let title = Option<String>("title", "TITLE", "the title to store in the file")
    package static let author = Option<String>("author", "NAME", "the author to store in the file")
    package static let clips = Option<String>(
        "clips", "DIR", "a folder of audio files that a text plays by name, without the extension, as in [sfx:chime]")
    package static let gain = Option(
        "gain", "GAIN", "the volume of audio files: 0.5, 50% or -6dB", factor(.volume))
    package static let timings = Option<String>(
        "timings", "FILE", "also write word timings, as subtitles (.srt or .vtt) or JSON (.json)")
    package static let formats = SoundFileFormat.allCases.map(\.rawValue)
    package static let engine = Option<String>("engine", short: "e", "ENGINE", "the engine to use")
    package static let voice = Option<String>("voice", short: "v", "VOICE", "the voice to use, by name or ID")
    package static let speaker = Option<String>(
        "speaker", "SPEAKER", "the speaker to use, by name or number, if the voice has several")
    package static let language = Option<String>(
        "language", short: "l", "LANG", "the language of the text, such as en-GB")
    package static let device = Option<String>("device", short: "d", "DEVICE", "the ALSA device to play on")

    package static let ofEngine = Option<String>("engine", "ENGINE", "show only voices of this engine")
    package static let inLanguage = Option<String>("language", "LANG", "show only voices for this language")

    package static let addedName = Option("name", "NAME", "the voice's name", name)
    package static let addedID = Option("id", "ID", "the voice's ID", name)
    package static let addedLanguage = Option<String>("language", short: "l", "LANG", "the voice's language")
    package static let addedEngine = Option<String>("engine", short: "e", "ENGINE", "the voice's engine")
    package static let sort = Option<ModelOrder>(
        "sort", "ORDER", "sort by language or by size", expecting: "language or size"
    ) { ModelOrder(rawValue: $0) }

    package static let showPhonemes = Flag(
        "show-phonemes", "print each word with its phonemes, without speaking")
    package static let showText = Flag("show-text", "print the spoken form next to the written form, without speaking")
    package static let keepVoice = Flag("keep-voice", "use one voice, even for words in other languages and scripts")
    package static let verbatim = Flag(
        "verbatim", "pass numbers, dates, abbreviations and markup to the engine unchanged")
    package static let ssml = Flag("ssml", "read the text as SSML")
    package static let markdown = Flag("markdown", "read the text as Markdown")
    package static let tokens = Flag(
        "tokens", "interpret tokens in the text, such as [pause:0.5s], [voice:Heart] and [[ipa]]")
    package static let lexicon = Option<String>(
        "lexicon", "FILE", "pronounce words as defined in this file: one WORD = WORDS or WORD = /IPA/ per line")
    package static let rate = Option(
        "rate", short: "r", "RATE", "the speaking rate: 1.25, 125% or +25%", factor(.rate))
    package static let pitch = Option(
        "pitch", short: "p", "PITCH", "the pitch: a factor such as 1.1, or semitones such as +2st",
        factor(.pitch))
    package static let intonation = Option(
        "intonation", "FACTOR", "how much the pitch rises and falls, from 0 (monotone) to 2; the voice's default is 1",
        factor(.variation))
    package static let whisper = Flag("whisper", "whisper, if the engine supports it")
    package static let variation = Option(
        "variation", "FACTOR",
        "how much repeated readings vary, from 0 (not at all) to 2; the voice's default is 1",
        factor(.variation))
    package static let pause = Option<PauseChange>(
        "pause", "KIND=SECONDS",
        "the silence after a sentence, paragraph or heading, or before a chapter in "
            + "a single-file audiobook, such as paragraph=1.2",
        isRepeatable: true,
        expecting: "sentence, paragraph, heading or chapter with a number from 0 to 30, such as paragraph=1.2"
    ) { PauseChange($0) }
    package static let volume = Option(
        "volume", "GAIN", "the volume: 0.5, 50% or -6dB", factor(.volume))

    private static let name = OptionValue(expectation: UserChosenName.expectation) {
        UserChosenName.isAllowed($0) ? $0 : nil
    }

    private static func factor(_ factor: SpeechFactor) -> OptionValue<Double> {
        OptionValue(expectation: factor.expectation) { factor.value(of: $0) }
    }

    package static let wyoming = Option<SocketAddress>(
        "wyoming", "ADDRESS",
        "serve the Wyoming protocol at this address: tcp://127.0.0.1:10200, or unix:///run/user/1000/wyoming.sock",
        isRepeatable: true,
        expecting: "an address such as tcp://127.0.0.1:10200"
    ) { SocketAddress($0) }
    package static let listAll = Flag(
        "list-all", "show all voices to Wyoming clients, including test tones and voices that are not downloaded")
    package static let http = Option<SocketAddress>(
        "http", "ADDRESS", "serve the web page and an OpenAI-compatible API at this address: 127.0.0.1:8880",
        isRepeatable: true,
        expecting: "an address such as 127.0.0.1:8880"
    ) { text in
        SocketAddress("tcp://\(text.hasPrefix("http://") ? String(text.dropFirst(7)) : text)")
    }
    package static let httpTokenFile = Option<String>(
        "http-token-file", "FILE", "read the token for --http from this file")
    package static let httpName = Option<String>(
        "http-name", "NAME",
        "also accept HTTP requests for this host name, such as the name of a proxy: speech.example.org",
        isRepeatable: true,
        expecting: "a host name"
    ) { HTTPHosts.Authority($0) != nil ? $0 : nil }
    package static let httpOrigin = Option<String>(
        "http-origin", "ORIGIN", "allow requests from web pages on another server, such as https://example.org",
        isRepeatable: true,
        expecting: "an origin such as https://example.org"
    ) { HTTPHosts(port: 80, origins: [$0]) != nil ? $0 : nil }
    package static let status = Flag("status", "show the status of the running service and exit")
    package static let drain = Option<Double>(
        "drain", "SECONDS", "the time limit for finishing the current speech on exit; the default is 5",
        expecting: "a number from 0 to 3600"
    ) { text in Double(text).flatMap { (0...3600).contains($0) ? $0 : nil } }

    package static let help = Flag("help", short: "h", "show this help")
    package static let version = Flag(
        "version", "show the version; with --verbose, the versions of all components")

    package static let raw = Flag(
        "raw", "write raw samples (s16le, no WAV header) to standard output or the -o file")
    package static let quiet = Flag("quiet", short: "q", "show only errors")
    package static let verbose = Flag("verbose", "show details and the path of the engine's log")
    package static let json = Flag("json", "print results and progress as JSON")

    package static let completions = Option(
        "completions", "SHELL", "print the completion script for bash, zsh or fish",
        expecting: CompletionScript.allCases.map(\.rawValue).joined(separator: ", "),
        read: CompletionScript.init(rawValue:))
    package static let complete = Flag("complete", "print completions for the words after --, for completion scripts")
    package static let manual = Flag("man", "print the manual page, which man -l - can display")

    package static let all = Flag("all", "include voices that are hidden or not downloaded")
    package static let ids = Flag("ids", "include voice IDs")
    package static let yes = Flag("yes", short: "y", "download without asking")
    package static let precision = Option<String>(
        "precision", "PRECISION",
        "the precision of the model, such as fp32, fp16 or int8, if several are available")
    package static let repair = Flag("repair", "download damaged files again")
    package static let dryRun = Flag("dry-run", "show what would be removed, without removing it")
    package static let unknown = Flag("unknown", "also remove complete voices that no registry lists")
    package static let rescan = Flag("rescan", "scan each engine again instead of using cached results")
}

/// Options that only `engines validate` accepts.
package enum ValidateOptions {
    package static let list = Flag("list", "list the checks and exit")
    package static let onlyFailed = Flag("only-failed", "show only checks that did not pass")
    package static let include = Option(
        "include", "REGEX", "run only the checks whose names match this expression", pattern)
    package static let exclude = Option(
        "exclude", "REGEX", "skip the checks whose names match this expression", pattern)
    package static let voice = Option<String>(
        "voice", short: "v", "ID", "the ID of the voice or recognizer model to use in the checks")
    package static let file = Option<HandedFile>(
        "file", "ROLE=PATH", "the file to use for a role of the engine or recognizer", isRepeatable: true,
        expecting: "a role and a path, such as model=voice.onnx"
    ) { text in
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex, text.index(after: equals) < text.endIndex
        else { return nil }
        return HandedFile(role: String(text[..<equals]), path: String(text[text.index(after: equals)...]))
    }
    package static let limit = Option("limit", "TIME", "the time limit for each check: 60s, 2m", time)
    package static let fuzz = Flag(
        "fuzz", "instead of running the checks, speak random text or transcribe random audio in chunks")
    package static let seed = Option("seed", "N", "the seed of the first --fuzz chunk", number)
    package static let duration = Option("duration", "TIME", "how long --fuzz runs: 10s, 5m, 1h", time)
    package static let reproduce = Option(
        "reproduce", "N", "repeat the chunk with this seed of an earlier --fuzz run", number)

    package static let all: [OptionDescription] = described(
        list, onlyFailed, include, exclude, voice, file, limit, fuzz, seed, duration, reproduce, Options.json)

    package static let rules: [UsageRule] = [
        .requires([seed, duration], fuzz), .excludes(fuzz, [include, exclude, reproduce, list, onlyFailed]),
        .excludesArguments(list),
    ]

    private static let pattern = OptionValue(expectation: "a regular expression") { text in
        (try? Regex(text)) != nil ? text : nil
    }

    /// The largest integer that JSON numbers represent exactly.
    private static let largestSeed: UInt64 = 1 << 53

    private static let number = OptionValue(expectation: "an integer, at most \(largestSeed)") { text in
        UInt64(text).flatMap { $0 <= largestSeed ? $0 : nil }
    }

    private static let time = OptionValue<Duration>(expectation: "a time with its unit, such as 10s, 5m or 1h") {
        text in
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let count = Double(text.dropLast(unit.count)), count > 0, count * seconds <= 86_400 else { continue }
            return .seconds(count * seconds)
        }
        return nil
    }
}

/// The sort order for a list of downloaded voices.
package enum ModelOrder: String, Sendable {
    case language
    /// The largest voices first.
    case size
}

/// A pause setting from the command line, such as "paragraph=1.2".
package struct PauseChange: Sendable {
    private let keyPath: any WritableKeyPath<SpeechPauses, Duration> & Sendable
    private let length: Duration

    /// Returns nil if the text is not a pause setting.
    package init?(_ text: String) {
        let words = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard words.count == 2, let seconds = Double(words[1]), (0...30).contains(seconds) else { return nil }
        switch words[0] {
        case "sentence": keyPath = \.sentence
        case "paragraph": keyPath = \.paragraph
        case "heading": keyPath = \.heading
        case "chapter": keyPath = \.chapter
        default: return nil
        }
        length = .seconds(seconds)
    }

    package func apply(to pauses: inout SpeechPauses) { pauses[keyPath: keyPath] = length }
}
