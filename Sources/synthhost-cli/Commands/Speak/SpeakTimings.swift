import SynthHost
import System

/// The file of `speak --timings`.
struct SpeakTimings {
    let file: TimingsFile

    /// nil = none is wanted.
    ///
    /// - Parameter text: the spoken text, which the times must not overwrite.
    init?(
        _ arguments: ParsedArguments, _ destination: SoundDestination, text: any TextSource
    ) throws(CommandFailure) {
        guard let path = arguments[Options.timings] else { return nil }
        file = try CommandFailure.attempt { () throws(SpeechFailure) in try TimingsFile(path: path) }
        let written = RegularFile(path: path)
        if let written, written == text.file {
            throw CommandFailure(
                .usage, "\(path) is the text itself, which the times would overwrite.",
                "Name another file with --timings.")
        }
        if path == destination.file || written != nil && written == destination.file.flatMap({ RegularFile(path: $0) })
        {
            throw CommandFailure(
                .usage, "The sound and its times cannot be one file, \(path).", "Name another file with --timings.")
        }
    }

    /// What the file itself cannot say; nil = nothing.
    func note(_ summary: SpeechSummary, engine: String) -> String? {
        guard file.format == .srt, summary.timing == .sentences else { return nil }
        return "\(file.path) holds the times of sentences: \(engine) does not say when words sound."
    }
}
