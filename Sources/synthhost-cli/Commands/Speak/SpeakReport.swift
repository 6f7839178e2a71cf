import SynthAudio
import SynthHost
import Terminal
import VoiceCatalogue

/// The messages of `speak` on stderr; with `--json` its result.
final class SpeakReport {
    /// All messages go through it, so that none disturbs the live line.
    let reporter: ProgressReporter
    let replaced: ReplacedVoices
    private let context: CommandContext
    private let destination: SoundDestination
    private let timings: SpeakTimings?
    private let byteCount: Int?
    private let wantsJSON: Bool
    private let isQuiet: Bool
    private let ticker: ProgressTicker
    private var hasBuffered = false

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ destination: SoundDestination,
        _ timings: SpeakTimings?, source: any TextSource
    ) {
        self.context = context
        self.destination = destination
        self.timings = timings
        byteCount = source.byteCount
        wantsJSON = arguments[Options.json]
        isQuiet = arguments[Options.quiet]
        reporter = ProgressReporter(
            form: ProgressForm(for: context.errors.style, json: wantsJSON, quiet: isQuiet), output: context.errors)
        replaced = ReplacedVoices(context, reporter)
        ticker = ProgressTicker(reporter)
    }

    deinit { ticker.stop() }

    /// Called on the playing thread.
    func progress(_ progress: SpeechProgress) {
        switch progress {
        case .began(let format):
            if let file = destination.file { reporter.begin("Writing \(file)") } else { reporter.end() }
            if destination.isRaw, !isQuiet {
                reporter.print("Raw sound: s16le, \(format.sampleRate) Hz, channels: \(format.channels)")
            }
        case .reached(let textBytes, _):
            guard destination.file != nil else { return }
            let share = byteCount.map { Double(textBytes) / Double(max(1, $0)) }
            reporter.report(share.map { .fraction(min(1, $0)) } ?? .unknown)
        case .buffering:
            guard destination.isDevice, !hasBuffered else { return }
            hasBuffered = true
            reporter.print("Buffering: the engine is slower than its speech.")
        }
    }

    /// Clears the line of progress.
    func end() { reporter.end() }

    func conclude(_ summary: SpeechSummary, _ choice: VoiceChoice) throws(CommandFailure) {
        if wantsJSON {
            let result = SpeakResult(summary, choice, destination, timings, replaced)
            let line = try JSONText.line(of: result)
            if destination.usesOutput {
                context.say(line)
            } else {
                try context.print(line)
            }
        } else if !isQuiet {
            if let sentence = sentence(summary) { context.say(sentence) }
            for notice in summary.notices where !replaced.tells(notice) { context.say(notice.sentence) }
            if let note = timings?.note(summary, engine: choice.voice.engine) { context.say(note) }
        }
    }

    private func sentence(_ summary: SpeechSummary) -> String? {
        if summary.wasCancelled {
            if summary.format == nil { return "Stopped before anything was spoken." }
            return destination.file.map {
                "Stopped. \($0) holds what was spoken so far: \(Readable.duration(summary.duration))."
            }
        }
        if summary.format == nil { return "The text holds nothing to say." }
        return destination.file.map { "Wrote \($0): \(Readable.duration(summary.duration)) of speech." }
    }
}
