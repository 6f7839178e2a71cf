import SynthBooks
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The messages of `batch`, during and after processing.
final class BatchReport {
    /// A line of `--json` output.
    private struct Line: Encodable {
        let id: String
        /// The path of the audio file, or nil if the text contains nothing to speak.
        let file: String?
        let seconds: Double
        /// Whether the file was written by an earlier run.
        let kept: Bool
    }

    let display: BookProgressDisplay
    private let context: CommandContext
    private let begun = ContinuousClock.now
    private var total = 0
    private var (count, keptCount, seconds, spoken) = (0, 0, 0.0, 0.0)
    /// Items that contain nothing to speak.
    private var silent: [BatchItem] = []

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        display = BookProgressDisplay(context, arguments)
    }

    func begin(_ count: Int) {
        total = count
        display.reporter.begin("Speaking \(count) \(count == 1 ? "text" : "texts")")
    }

    func made(_ made: BatchMaker.FinishedItem) {
        count += 1
        seconds += made.seconds
        if made.isKept { keptCount += 1 } else { spoken += made.seconds }
        if made.file == nil { silent.append(made.item) }
        if display.wantsJSON {
            let line = Line(
                id: made.item.id, file: made.file, seconds: (made.seconds * 1000).rounded() / 1000, kept: made.isKept)
            display.print(line)
        }
        display.reporter.report(.fraction(Double(count) / Double(max(1, total))))
    }

    func conclude(
        _ target: BatchMaker.Target, manifest: String?, wasCancelled: Bool
    ) throws {
        try display.check()
        if wasCancelled {
            throw CommandFailure(
                .interrupted, display.isQuiet ? nil : "Stopped; finished files are kept.",
                "Run the same command again to continue.")
        }
        if !display.wantsJSON, !display.isQuiet {
            var words = [
                "\(count) \(count == 1 ? "text" : "texts"), \(HumanReadable.duration(.seconds(seconds))) of speech"
            ]
            words[0] += " in \(target.folder)"
            if keptCount > 0 {
                words.append(keptCount == count ? "all from an earlier run" : "\(keptCount) from an earlier run")
            }
            if let speed = MadeSpeed.words(spoken, since: begun) { words.append(speed) }
            context.printMessage(words.joined(separator: ", ") + ".")
            if let manifest {
                context.printMessage("\(manifest) describes each file.")
            } else if let shard = target.shard {
                context.printMessage(
                    "Share \(shard.number) of \(shard.count) is complete. When all shares are complete, run the same command with --join instead of --shard."
                )
            }
        }
        if let first = silent.first {
            throw CommandFailure(
                .inputMissing,
                silent.count == 1
                    ? "Line \(first.line) of the list contains nothing to speak (\(first.id))."
                    : "\(silent.count) lines of the list contain nothing to speak, the first of them line \(first.line) (\(first.id)).",
                "The other files are complete.")
        }
    }
}
