import SynthAudio
import SynthHost
import System

/// The file of `speak --timings`.
struct SpeakTimings {
    let file: TimingsFile

    /// nil = none is wanted.
    init?(
        _ context: CommandContext, _ arguments: ParsedArguments, _ destination: SoundDestination
    ) throws(CommandFailure) {
        guard let path = arguments[Options.timings] else { return nil }
        file = try CommandFailure.attempt { () throws(SpeechFailure) in
            try TimingsFile(path: path, sparing: context.inUse)
        }
        if let use = context.inUse.use(ofPath: path) {
            throw CommandFailure(SpeechFailure.timings(.outputInUse(path: path, use, kept: nil)))
        }
        let output = destination.usesOutput ? RegularFile(descriptor: context.soundOutput) : nil
        let isSound =
            destination.file.map { areOneFile(path, $0) } ?? (output != nil && output == RegularFile(path: path))
        if isSound {
            throw CommandFailure(
                .usage, "The sound and its times cannot be one file, \(path).", "Name another file with --timings.")
        }
    }

    /// The file that holds the times, as it was asked for, or beside it.
    func storedFile(_ summary: SpeechSummary) -> String {
        summary.timingsPath.flatMap { areOneFile($0, file.path) ? nil : $0 } ?? file.path
    }

    /// What the file itself cannot say; nil = nothing.
    func note(_ summary: SpeechSummary, engine: String) -> String? {
        guard file.format == .srt, summary.timing == .sentences else { return nil }
        return "\(file.path) holds the times of sentences: \(engine) does not say when words sound."
    }
}
