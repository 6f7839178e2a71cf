import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The messages that `speak` and `play` write to standard error.
class SoundReport: CommandPart {
    /// Prints all messages, so that none of them interferes with the progress line.
    let reporter: ProgressReporter
    let replaced: FallbackReports
    let context: CommandContext
    let destination: SoundDestination
    private let ticker: ProgressTicker
    private var hasBuffered = false

    init(_ context: CommandContext, _ destination: SoundDestination) {
        self.context = context
        self.destination = destination
        reporter = context.reporter()
        replaced = FallbackReports(context, reporter)
        ticker = ProgressTicker(reporter)
    }

    deinit { ticker.stop() }

    /// Shows that audio is being written or, if it is played instead, clears the progress line.
    func begin() { if let file = destination.file { reporter.begin("Writing \(file)") } else { reporter.end() } }

    /// Reports that playback is waiting for the engine. Later calls are no-ops.
    func buffer() {
        guard destination.isDevice, !hasBuffered else { return }
        hasBuffered = true
        reporter.print("Buffering: the engine is slower than playback.")
    }

    /// Clears the progress line.
    func end() { reporter.end() }
}

/// The messages of `speak` and, with `--json`, its result.
final class SpeakReport: SoundReport {
    private let timings: SpeakTimings?
    private let byteCount: Int?

    init(
        _ context: CommandContext, _ destination: SoundDestination, _ timings: SpeakTimings?, source: any TextSource
    ) {
        self.timings = timings
        byteCount = source.byteCount
        super.init(context, destination)
    }

    /// Called on the playback thread.
    func progress(_ progress: SpeechProgress) {
        switch progress {
        case .began(let format):
            begin()
            if destination.isRaw, !arguments[Options.quiet] {
                reporter.print("Raw audio: s16le, \(format.sampleRate) Hz, channels: \(format.channels)")
            }
        case .reached(let textBytes, _):
            guard destination.file != nil else { return }
            let share = byteCount.map { Double(textBytes) / Double(max(1, $0)) }
            reporter.report(share.map { .fraction(min(1, $0)) } ?? .unknown)
        case .buffering: buffer()
        }
    }

    /// - Throws: an error if nothing was spoken.
    func conclude(_ summary: SpeechSummary, _ choice: VoiceChoice) throws {
        let isEmpty = summary.frames == 0 && !summary.wasCancelled
        if arguments[Options.json] {
            if !isEmpty { try destination.print(json(summary, choice), context) }
        } else if !arguments[Options.quiet] {
            for sentence in sentences(summary) { context.printMessage(sentence) }
            for notice in summary.notices where !replaced.handles(notice) { context.printMessage(notice.sentence) }
            if let note = timings?.note(summary, engine: choice.voice.engine) { context.printMessage(note) }
        }
        guard isEmpty else { return }
        throw CommandFailure(
            .inputMissing, "The text contains nothing to speak.",
            "To see what would be spoken, type: synthhost speak --show-text TEXT"
        )
        .adding(destination.file.map { "\($0) was not written" })
    }

    /// The result of `speak --json`. `sampleRate` is the sample rate of the speech. The file has a different rate if
    /// its format does not support this one.
    private func json(_ summary: SpeechSummary, _ choice: VoiceChoice) -> JSONMembers {
        let blend = choice.shares.map { share -> JSONMembers in
            ["voice": share.voice.id, "speaker": share.speaker, "weight": share.weight]
        }
        return [
            "engine": choice.voice.engine, "voice": choice.voice.id, "speaker": choice.speaker,
            "blend": choice.isBlend ? blend : nil, "output": destination.storedFile,
            "format": destination.format?.rawValue, "seconds": summary.duration.seconds, "frames": summary.frames,
            "sampleRate": summary.format?.sampleRate, "channels": summary.format?.channels,
            "cancelled": summary.wasCancelled,
            "timings": summary.timing == nil ? nil : timings?.storedFile(summary),
            "timing": summary.timing?.rawValue, "replaced": replaced.results,
        ]
    }

    private func sentences(_ summary: SpeechSummary) -> [String] {
        guard let file = destination.file, let stored = destination.storedFile, summary.frames > 0 else {
            return summary.wasCancelled && summary.frames == 0 ? ["Stopped before speech started."] : []
        }
        let length = HumanReadable.duration(summary.duration)
        if !summary.wasCancelled { return ["Wrote \(file): \(length) of speech."] }
        var sentences = ["Stopped. \(stored) contains the speech so far: \(length)."]
        if stored != file, destination.isThere { sentences.append("\(file) is unchanged.") }
        if let timings, timings.storedFile(summary) != timings.file.path {
            let unchanged = RegularFile(path: timings.file.path) == nil ? "" : "\(timings.file.path) is unchanged; "
            sentences.append("\(unchanged)\(timings.storedFile(summary)) contains the timings so far.")
        }
        return sentences
    }
}
