import Glibc
import SynthAudio
import SynthHost
import System
import Terminal

/// The destination of the sound of `speak`: a file, standard output, or a device.
struct SpeakDestination {
    let sink: any AudioSink
    /// The file that is written; nil = none.
    let file: String?
    let isDevice: Bool
    /// Whether standard output carries sound, so that nothing else may be written to it.
    let usesOutput: Bool
    let isRaw: Bool

    /// - Parameter text: the spoken text, which the sound must not overwrite.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, device: String?, text: any TextSource
    ) throws(CommandFailure) {
        let output = arguments[Options.output]
        isRaw = arguments[Options.raw]
        usesOutput = output == "-" || isRaw && output == nil
        isDevice = output == nil && !isRaw
        file = usesOutput ? nil : output
        if usesOutput, context.output.style.isTerminal {
            throw CommandFailure(
                .usage, "Sound is not written to a terminal.", "Name a file with -o, or pipe it into another program.")
        }
        if usesOutput, fcntl(context.soundOutput, F_GETFL) & O_ACCMODE == O_RDONLY {
            throw CommandFailure(OutputError.failed(code: EBADF))
        }
        if !isRaw, let file, let other = UnsupportedFormat(path: file) {
            let voice = arguments[Options.voice].map { ["-v", $0] } ?? []
            let text = arguments[Options.file].map { ["-f", $0] } ?? arguments.positionals
            throw other.failure(words: voice + text)
        }
        let written = usesOutput ? RegularFile(descriptor: context.soundOutput) : file.flatMap { RegularFile(path: $0) }
        if let written, written == text.file {
            throw CommandFailure(
                .usage, "\(file ?? "Standard output") is the text itself, which the sound would overwrite.",
                "Name another file with -o.")
        }
        if isDevice {
            sink = context.devices.sink(device ?? "default")
        } else if isRaw {
            sink = file.map { RawSink(path: $0) } ?? RawSink(descriptor: context.soundOutput)
        } else {
            do throws(AudioError) {
                sink = try Self.sink(file, descriptor: context.soundOutput, arguments)
            } catch {
                throw CommandFailure(error)
            }
        }
    }

    /// - Parameter descriptor: what is written to without a file.
    private static func sink(
        _ file: String?, descriptor: Int32, _ arguments: ParsedArguments
    ) throws(AudioError) -> any AudioSink {
        let asked = arguments[Options.format]
        let named = try file.map { path throws(AudioError) in try SoundFileFormat.of(path: path, asked: asked) }
        let options = SoundFileOptions(
            named ?? asked ?? .wav,
            quality: arguments[Options.quality] ?? SoundFileOptions.usualQuality,
            tags: try SoundFileTags(title: arguments[Options.title], author: arguments[Options.author]))
        guard let file else { return try options.sink(descriptor: descriptor) }
        return try options.sink(path: file)
    }
}
