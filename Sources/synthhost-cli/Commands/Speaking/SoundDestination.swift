import Glibc
import SynthAudio
import SynthHost
import System
import Terminal

/// The destination of the sound of `speak` and `play`: a file, standard output, or a device.
struct SoundDestination {
    let sink: any AudioSink
    /// The file that is written; nil = none.
    let file: String?
    let isDevice: Bool
    /// Whether standard output carries sound, so that nothing else may be written to it.
    let usesOutput: Bool
    let isRaw: Bool
    /// nil = a device, or samples without a header.
    let format: SoundFileFormat?

    /// - Parameters:
    ///   - inputs: the files that sound, which their sound must not overwrite.
    ///   - word: the command.
    ///   - words: those of the command line that say what sounds.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, device: String?, inputs: [RegularFile],
        word: String, words: [String]
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
            throw other.failure(words: [word] + voice + words)
        }
        let written = usesOutput ? RegularFile(descriptor: context.soundOutput) : file.flatMap { RegularFile(path: $0) }
        if let written, inputs.contains(written) {
            let what = word == "speak" ? "the text itself" : "one of the files itself"
            throw CommandFailure(
                .usage, "\(file ?? "Standard output") is \(what), which the sound would overwrite.",
                "Name another file with -o.")
        }
        if isDevice {
            format = nil
            sink = context.devices.sink(device ?? "default")
        } else if isRaw {
            format = nil
            sink = file.map { RawSink(path: $0) } ?? RawSink(descriptor: context.soundOutput)
        } else {
            do throws(AudioError) {
                let options = try Self.options(file, arguments)
                format = options.format
                if let file {
                    sink = try options.sink(path: file)
                } else {
                    sink = try options.sink(descriptor: context.soundOutput)
                }
            } catch {
                throw CommandFailure(error)
            }
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
