import Glibc
import SynthAudio
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The audio destination of `speak` and `play`: a file, standard output, or a device.
struct SoundDestination {
    let sink: any AudioSink
    /// The output file, or nil if there is none.
    let file: String?
    let isDevice: Bool
    /// Whether audio is written to standard output. If so, nothing else may be written there.
    let usesOutput: Bool
    let isRaw: Bool
    /// The file format, or nil for a device or for samples without a header.
    let format: SoundFileFormat?
    /// The device, or nil for other destinations.
    private let device: String?
    /// Makes this process visible to `synthhost stop` during playback.
    private let playing: PlayingMark?

    /// - Parameters:
    ///   - word: the name of the command.
    ///   - words: the command-line arguments that select the content.
    init(_ context: CommandContext, device: String?, word: String, words: [String]) throws {
        let output = context.arguments[Options.output]
        isRaw = context.arguments[Options.raw]
        usesOutput = output == "-" || isRaw && output == nil
        isDevice = output == nil && !isRaw
        file = usesOutput ? nil : output
        if usesOutput, context.output.style.isTerminal {
            throw CommandFailure(
                .usage, "Audio cannot be written to a terminal.",
                "Pass a file with -o, or pipe the audio into another program.")
        }
        if usesOutput, fcntl(context.soundOutput, F_GETFL) & O_ACCMODE == O_RDONLY {
            throw CommandFailure(TerminalError.failed(code: EBADF))
        }
        if !isRaw, let file, let other = UnsupportedFormat(path: file) {
            let voice = context.arguments[Options.voice].map { ["-v", $0] } ?? []
            throw other.failure(words: [word] + voice + words)
        }
        if let lexicon = context.arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        if usesOutput, let use = RegularFile(descriptor: context.soundOutput).flatMap(context.inUse.use(of:)) {
            throw CommandFailure(
                .cannotWriteOutput, "Standard output is \(use.words).", "Pass a different file with -o.")
        }
        self.device = isDevice ? device ?? "default" : nil
        playing = isDevice ? PlayingMark(context, word) : nil
        if let file {
            try OutputPath.check(file, sparing: context.inUse)
        }
        if isDevice {
            format = nil
            sink = context.devices.sink(device ?? "default")
        } else if isRaw {
            format = nil
            sink =
                file.map { SoundFileSink.raw(path: $0, sparing: context.inUse) }
                ?? SoundFileSink.raw(descriptor: context.soundOutput)
        } else {
            let options = try Self.options(file, context.arguments)
            format = options.format
            if let file {
                sink = try options.sink(path: file, sparing: context.inUse)
            } else {
                sink = try options.sink(descriptor: context.soundOutput)
            }
        }
    }

    /// Checks that the device can be opened. Does nothing for other destinations.
    func probe(_ context: CommandContext) throws {
        guard let device else { return }
        try context.devices.probe(device)
    }

    /// Prints a result as JSON, to standard error if audio is written to standard output.
    func print(_ result: JSONMembers, _ context: CommandContext) throws {
        if usesOutput { context.printMessage(try JSONText.line(of: result)) } else { try context.print(json: result) }
    }

    /// The file that contains the audio: the requested file, or a temporary file next to it.
    var storedFile: String? {
        guard let file, let stored = sink.storedPath else { return file }
        return areOneFile(stored, file) ? file : stored
    }

    /// Whether a regular file with the requested name exists.
    var isThere: Bool { file.flatMap { RegularFile(path: $0) } != nil }

    /// A clause about the file with incomplete audio, or nil if the message needs no such clause.
    func fileClause(after failure: SpeechError) -> String? {
        guard let file, let stored = storedFile else { return nil }
        if stored != file {
            return (isThere ? "\(file) is unchanged, and " : "") + "\(stored) contains the audio so far"
        }
        // A pipe or another special file.
        if sink.storedPath != nil { return "\(file) contains the audio so far" }
        guard failure.code != .timingsNotWritten else { return nil }
        switch failure.cause as? AudioError {
        case .outputNotWritten, .encodingFailed:
            return isThere ? "\(file) is unchanged" : nil
        default: return nil
        }
    }

    private static func options(
        _ file: String?, _ arguments: ParsedArguments
    ) throws(AudioError) -> SoundFileOptions {
        let asked = arguments[Options.format]
        let named = try file.map { path throws(AudioError) in try SoundFileFormat.of(path: path, asked: asked) }
        return SoundFileOptions(
            named ?? asked ?? .wav, quality: arguments[Options.quality] ?? SoundFileOptions.usualQuality,
            tags: try SoundFileTags(title: arguments[Options.title], author: arguments[Options.author]))
    }
}

/// The timings file of `speak --timings`.
struct SpeakTimings {
    let file: TimingsFile

    /// Returns nil if no timings are requested.
    init?(_ context: CommandContext, _ destination: SoundDestination) throws {
        guard let path = context.arguments[Options.timings] else { return nil }
        file = try TimingsFile(path: path, sparing: context.inUse)
        do { try OutputPath.check(path, sparing: context.inUse) } catch {
            throw CommandFailure(SpeechError(timings: error))
        }
        let output = destination.usesOutput ? RegularFile(descriptor: context.soundOutput) : nil
        let isSound =
            destination.file.map { areOneFile(path, $0) } ?? (output != nil && output == RegularFile(path: path))
        if isSound {
            throw CommandFailure(
                .usage, "The audio and its timings cannot both be written to \(path).",
                "Pass a different file with --timings.")
        }
    }

    /// The file that contains the timings: the requested file, or a temporary file next to it.
    func storedFile(_ summary: SpeechSummary) -> String {
        summary.timingsPath.flatMap { areOneFile($0, file.path) ? nil : $0 } ?? file.path
    }

    /// A notice that the file contains only sentence timings, or nil if the timings are complete or the file itself says so.
    func note(_ summary: SpeechSummary, engine: String) -> String? {
        guard file.format == .srt, summary.timing == .sentences else { return nil }
        return "\(file.path) contains sentence timings, because \(engine) does not report word timings."
    }
}

/// An output path with the extension of an audio format that cannot be written.
struct UnsupportedFormat {
    let path: String
    /// The common name of the format.
    let format: String

    private static let formats = [
        "m4a": "AAC", "m4b": "AAC", "aac": "AAC", "mp4": "MP4", "wma": "WMA", "aif": "AIFF", "aiff": "AIFF",
        "au": "AU", "caf": "CAF", "w64": "Wave64",
        "amr": "AMR", "ac3": "AC-3", "mka": "Matroska", "webm": "WebM",
    ]

    /// Returns nil if the format can be written or the extension is unknown.
    init?(path: String) {
        guard let ending = SoundFileFormat.ending(of: path), let format = Self.formats[ending.lowercased()] else {
            return nil
        }
        self.path = path
        self.format = format
    }

    private static let written = SoundFileFormat.allCases.map(\.title)

    /// - Parameter words: the command-line arguments for the command, the voice and the text.
    func failure(words: [String]) -> CommandFailure {
        let words = (["synthhost"] + words.map(ShellWord.quoted)).joined(separator: " ")
        // ffmpeg would treat a name with a leading dash as an option.
        let file = ShellWord.quoted(path.hasPrefix("-") ? "./\(path)" : path)
        return CommandFailure(
            .usage, "\(path) has the extension of \(format), but synthhost writes only \(Wording.all(Self.written)).",
            "ffmpeg can write this format: \(words) -o - | ffmpeg -i - \(file)")
    }
}
