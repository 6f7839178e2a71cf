import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The messages of `play` on standard error, and its result with `--json`.
final class PlayReport {
    /// Prints all messages, so that they do not interfere with the live line.
    let reporter: ProgressReporter
    let replaced: ReplacedVoices
    private let context: CommandContext
    private let destination: SoundDestination
    private let ticker: ProgressTicker
    private let isQuiet: Bool
    private let wantsJSON: Bool
    /// The number of items in the queue, for the progress.
    var itemCount = 0
    private var ended = 0
    private var hasBegun = false
    private var hasBuffered = false

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ destination: SoundDestination
    ) {
        self.context = context
        self.destination = destination
        isQuiet = arguments[Options.quiet]
        wantsJSON = arguments[Options.json]
        reporter = context.reporter(json: wantsJSON, quiet: isQuiet)
        replaced = ReplacedVoices(context, reporter)
        ticker = ProgressTicker(reporter)
    }

    deinit { ticker.stop() }

    /// Called on the mixing thread.
    func take(_ events: [SpeechQueue.Event]) {
        for event in events {
            switch event.kind {
            case .began:
                if !hasBegun {
                    if let file = destination.file { reporter.begin("Writing \(file)") } else { reporter.end() }
                }
                hasBegun = true
            case .late:
                guard destination.isDevice, !hasBuffered else { continue }
                hasBuffered = true
                reporter.print("Buffering: the engine is slower than playback.")
            case .ended:
                ended += 1
                guard destination.file != nil else { continue }
                reporter.report(.fraction(min(1, Double(ended) / Double(max(1, itemCount)))))
            default: break
            }
        }
    }

    /// Clears the progress line.
    func end() { reporter.end() }

    /// - Throws: an error if nothing was played.
    func conclude(_ summary: QueueSummary, _ choice: VoiceChoice?, files: [String]) throws {
        if summary.frames == 0, !summary.wasCancelled {
            throw CommandFailure(
                .inputMissing, "The files contain nothing to play.",
                "Pass audio files, or text files that contain words."
            )
            .adding(destination.file.map { "\($0) was not written" })
        }
        if wantsJSON {
            let line = try JSONText.line(of: PlayResult(summary, choice, destination, files: files, replaced))
            if destination.usesOutput { context.printMessage(line) } else { try context.print(line) }
        } else if !isQuiet {
            for sentence in sentences(summary) { context.printMessage(sentence) }
        }
    }

    private func sentences(_ summary: QueueSummary) -> [String] {
        if summary.frames == 0 { return ["Stopped before playback started."] }
        guard let file = destination.file, let stored = destination.storedFile else { return [] }
        let length = HumanReadable.duration(summary.duration)
        if !summary.wasCancelled { return ["Wrote \(file): \(length) of audio."] }
        return ["Stopped. \(stored) contains the audio so far: \(length)."]
            + (stored == file || !destination.isThere ? [] : ["\(file) is unchanged."])
    }
}

/// The result of `play --json`.
struct PlayResult: Encodable {
    let files: [String]
    /// The engine and the voice, or nil if nothing was spoken.
    let engine: String?
    let voice: String?
    let output: String?
    /// The format of the file or stream, or nil for a device.
    let format: String?
    let seconds: Double
    let frames: Int
    /// The sample rate of the mix. The sample rate of the file is different if its format does not support this rate.
    let sampleRate: Int
    let channels: Int
    let cancelled: Bool
    /// The replacements for voices whose engines failed, if any.
    let replaced: [ReplacedVoice]?

    init(
        _ summary: QueueSummary, _ choice: VoiceChoice?, _ destination: SoundDestination, files: [String],
        _ replaced: ReplacedVoices
    ) {
        self.replaced = replaced.results
        self.files = files
        engine = choice?.voice.engine
        voice = choice?.voice.id
        output = destination.storedFile
        format = destination.format?.rawValue
        seconds = summary.duration.seconds
        frames = summary.frames
        sampleRate = summary.format.sampleRate
        channels = summary.format.channels
        cancelled = summary.wasCancelled
    }
}
