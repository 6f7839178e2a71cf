import Glibc
import SynthAudio
import Terminal

/// Where the sound of `speak` goes: a file, standard output, or a device.
struct SpeakDestination {
    let sink: any AudioSink
    /// The file that is written; nil = none.
    let file: String?
    let isDevice: Bool
    /// Standard output carries sound, so nothing else may go there.
    let usesOutput: Bool
    let isRaw: Bool

    init(_ context: CommandContext, _ arguments: ParsedArguments, device: String?) throws(CommandFailure) {
        let output = arguments[Options.output]
        isRaw = arguments[Options.raw]
        usesOutput = output == "-" || isRaw && output == nil
        isDevice = output == nil && !isRaw
        file = usesOutput ? nil : output
        if usesOutput, context.output.style.isTerminal {
            throw CommandFailure(
                .usage, "Sound is not written to a terminal.", "Name a file with -o, or pipe it into another program.")
        }
        if isDevice {
            sink = ALSASink(device: device ?? "default")
        } else if isRaw {
            sink = file.map { RawSink(path: $0) } ?? RawSink(descriptor: STDOUT_FILENO)
        } else {
            sink = file.map { WAVFileSink(path: $0) } ?? WAVFileSink(descriptor: STDOUT_FILENO)
        }
    }
}
