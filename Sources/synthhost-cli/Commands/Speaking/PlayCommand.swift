import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost play`: plays text and audio files as one stream.
struct PlayCommand: Command {
    let context: CommandContext

    func run() throws {
        // Before playback starts, there is no audio to save, so a signal ends the program immediately.
        let cancellation = context.cancellation(leavesAtOnce: true)
        let configuration = try context.configuration()
        let clips = try context.clips(configuration)
        let inputs = try inputs()
        for input in inputs { context.inUse.add(input.file, as: input.isText ? .text : .sound) }
        let use = ServiceUse()
        let host = try use.host(context, configuration, isAwaited: arguments[Options.output] == nil)
        let destination = try SoundDestination(
            context, device: configuration.device, word: "play", words: arguments.positionals)
        let inventory = host.snapshot()
        let voice = RequestedVoice(context: context, inventory: inventory, configuration: configuration)
        let report = PlayReport(context, destination)
        defer { report.end() }
        let fallsBack = destination.isDevice && configuration.fallback != []
        // Check the options before downloading a voice.
        let settings = try SpokenSettings(
            arguments, configuration, inventory, fallsBack: fallsBack, onNotice: report.replaced.take)
        let needsPhonemes = inputs.contains(where: \.hasBarePhonemes)
        let found =
            try inputs.contains(where: \.isText)
            ? voice.find(
                cancellation, fallsBack ? report.replaced : nil, needsPhonemes: needsPhonemes, for: destination) : nil
        let choice = found?.choice
        // Stop the engines without waiting for them, because the engine that speaks an unfinished item may be unresponsive.
        defer { host.abandonEngines() }
        context.leave(host, at: cancellation, report.reporter)

        var onLog: (@Sendable (String) -> Void)?
        if arguments[Options.verbose] { onLog = { [reporter = report.reporter] line in reporter.print(line) } }
        use.tell(onLog)
        var session: SpeechSession?
        if let choice {
            let made = try voice.session(choice, needsPhonemes: needsPhonemes, onLog: onLog)
            report.reporter.begin("Loading \(choice.title) from \(made.engine.name)")
            // Do not load the voice yet if it has fallback voices: if loading fails later, one of them takes over.
            if !fallsBack { try made.load() }
            session = made
        }
        let items = PlayItems(
            session: session, cast: session?.cast(), settings: settings, clips: clips,
            gain: arguments[Options.gain].map { .factor($0) } ?? .unchanged)
        let queue = SpeechQueue(host, clips: clips)
        for input in inputs {
            let made = try items.items(of: input)
            for item in made { queue.append(item) }
            report.itemCount += made.count
        }
        cancellation.set { queue.stop() }
        let summary: QueueSummary
        do {
            summary = try queue.deliver(to: destination.sink) { events, _ in report.take(events) }
        } catch {
            throw CommandFailure(error).adding(destination.fileClause(after: error))
        }
        report.end()
        try report.conclude(summary, choice, files: arguments.positionals)
        if summary.wasCancelled { throw CommandFailure(.interrupted, nil) }
        try report.replaced.check()
        if let found {
            SetupHint(context: context, inventory: inventory, configuration: configuration)
                .show(after: found.choice)
            LoudnessCheck(context: context, inventory: inventory, cancellation: cancellation)
                .measure(found.downloaded)
        }
    }

    private func inputs() throws -> [PlayInput] {
        if arguments.positionals.count(where: { $0 == "-" }) > 1 {
            throw CommandFailure(.usage, "Standard input can be read only once.", "Pass - only once.")
        }
        var inputs: [PlayInput] = []
        for name in arguments.positionals { inputs.append(try PlayInput(name, context)) }
        return inputs
    }
}

/// Creates the queue items for the files that `play` plays.
struct PlayItems {
    /// The session that speaks text, or nil if the files contain none.
    let session: SpeechSession?
    let cast: ScriptCast?
    let settings: SpokenSettings
    let clips: ClipLibrary
    /// The gain for audio files.
    let gain: SoundLevel

    /// - Throws: an error if the text refers to a missing clip or voice.
    func items(of input: PlayInput) throws(SpeechError) -> [SpeechQueue.Item] {
        switch input.content {
        case .sound(let file): return [.clip(input.name, file, gain: gain)]
        case .script(let script, let scope):
            guard let session, let cast else { return [] }
            try cast.add(voicesOf: script)
            return try ScriptItems(clips: clips.with(scope), gain: gain) { [settings] parts in
                .speech(making: { () throws(SpeechError) in
                    let stretch = try ScriptSource(script.stretch(parts))
                    return settings.speech(of: stretch, by: session, cast)
                })
            }.items(of: try script.parts())
        }
    }
}

/// An input of `play`, with the format derived from its name.
struct PlayInput {
    enum Content {
        case sound(ClipFile)
        /// A script, with the scope of its clip names.
        case script(SpokenScript, ClipScope)
    }

    /// The name as typed by the user.
    let name: String
    let content: Content
    /// The file, which the output must not overwrite, or nil for a pipe.
    let file: RegularFile?

    /// Whether the text contains phonemes without alternative words.
    var hasBarePhonemes: Bool { if case .script(let script, _) = content { script.hasBarePhonemes } else { false } }

    var isText: Bool { if case .script = content { true } else { false } }

    /// Reads the entire file, so that errors are reported before playback starts.
    ///
    /// - Parameter name: the path, or "-" for standard input.
    init(_ name: String, _ context: CommandContext) throws {
        self.name = name
        if name == "-" {
            let input = try rethrowing(context.standardInput()) { SpeechError.notReadable("Standard input", $0) }
            file = RegularFile(descriptor: input.raw)
            content = try Self.script(input, name: "Standard input", .tokens, .names)
            return
        }
        file = RegularFile(path: name)
        if ClipEnding.isOne(name) {
            content = .sound(try Self.sound(name, context.media))
            return
        }
        let input = try rethrowing(Descriptor.open(name, O_RDONLY)) {
            CommandFailure(
                .inputMissing, SpeechError.notReadable(name, $0).message, "Check the file name and permissions.")
        }
        content = try Self.script(input, name: name, Self.form(of: name), .below(LinkTarget.folder(of: name)))
    }

    /// Returns the format for a path. All formats except SSML may contain tokens.
    private static func form(of path: String) -> SpeechForm {
        switch SpeechForm(path: path) {
        case .ssml?: .ssml
        case .markdown?: .markdownWithTokens
        default: path.lowercased().hasSuffix(".xml") ? .ssml : .tokens
        }
    }

    private static func script(
        _ input: borrowing Descriptor, name: String, _ form: SpeechForm, _ scope: ClipScope
    ) throws -> Content {
        do {
            return .script(try SpokenScript(try ScriptFile.read(input, name: name), as: form), scope)
        } catch {
            guard error.code == .fileNotReadable else { throw CommandFailure(error) }
            throw CommandFailure(.inputMissing, error.message, "Check the file name and permissions.")
        }
    }

    private static func sound(_ path: String, _ media: MediaProgram?) throws -> ClipFile {
        let clip = ClipFile(path: path).decoded(by: media)
        _ = try rethrowing(ClipReader(clip, as: AudioFormat(sampleRate: 48_000, channels: 2))) { (error: AudioError) in
            SpeechError(error)
        }
        return clip
    }
}

/// The messages of `play` and, with `--json`, its result.
final class PlayReport: SoundReport {
    /// The number of items in the queue, for the progress display.
    var itemCount = 0
    private var ended = 0
    private var hasBegun = false

    /// Called on the mixing thread.
    func take(_ events: [SpeechQueue.Event]) {
        for event in events {
            switch event.kind {
            case .began:
                if !hasBegun { begin() }
                hasBegun = true
            case .late: buffer()
            case .ended:
                ended += 1
                guard destination.file != nil else { continue }
                reporter.report(.fraction(min(1, Double(ended) / Double(max(1, itemCount)))))
            default: break
            }
        }
    }

    /// - Throws: an error if nothing was played.
    func conclude(_ summary: QueueSummary, _ choice: VoiceChoice?, files: [String]) throws {
        if summary.frames == 0, !summary.wasCancelled {
            throw CommandFailure(
                .inputMissing, "The files contain nothing to play.",
                "Pass audio files, or text files that contain words."
            )
            .adding(destination.file.map { "\($0) was not written" })
        }
        if arguments[Options.json] {
            let result: JSONMembers = [
                "files": files, "engine": choice?.voice.engine, "voice": choice?.voice.id,
                "output": destination.storedFile, "format": destination.format?.rawValue,
                "seconds": summary.duration.seconds, "frames": summary.frames,
                // The sample rate of the mix. The file has a different rate if its format does not support this one.
                "sampleRate": summary.format.sampleRate, "channels": summary.format.channels,
                "cancelled": summary.wasCancelled, "replaced": replaced.results,
            ]
            try destination.print(result, context)
        } else if !arguments[Options.quiet] {
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
