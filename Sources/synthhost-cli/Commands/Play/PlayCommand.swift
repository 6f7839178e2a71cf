import SynthAudio
import SynthHost
import System
import Terminal
import VoiceCatalogue

/// `synthhost play`: files of text and of sound in, one sound out.
struct PlayCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        // Until something sounds there is nothing to keep.
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let configuration = try context.configuration(arguments)
        let clips = try clips(configuration)
        let inputs = try inputs()
        let host = try context.host(arguments, configuration)
        let destination = try SpeakDestination(
            context, arguments, device: configuration.device, inputs: inputs.compactMap(\.file), word: "play",
            words: arguments.positionals)
        let inventory = host.inventory()
        let choice = try inputs.contains(where: \.isText) ? choice(inventory, configuration, cancellation) : nil
        let report = PlayReport(context, arguments, destination)
        defer { report.end() }
        cancellation.setExitAction { host.abandonEngines() }
        // An item that is being made may still have an engine that does not respond.
        defer { host.abandonEngines() }
        cancellation.set { [reporter = report.reporter, interruption = context.interruption] in
            reporter.end()
            host.abandonEngines()
            interruption.leave()
        }

        var session: SpeechSession?
        if let choice { session = try self.session(choice, inventory, report) }
        if let engine = session?.engine, !engine.speaksPhonemes, inputs.contains(where: \.hasBarePhonemes) {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) cannot speak phonemes.",
                "Write words instead of [[ … ]], or name a voice of another engine with -v.")
        }
        let items = PlayItems(
            session: session, settings: try SpeakSettings(arguments, configuration, inventory), clips: clips,
            gain: arguments[Options.gain].map { .factor($0) } ?? .unchanged)
        let queue = SpeechQueue(SpeechHost(host), clips: clips)
        for input in inputs {
            let made = try CommandFailure.attempt { () throws(SpeechFailure) in try items.items(of: input) }
            for item in made { queue.append(item) }
            report.itemCount += made.count
        }
        cancellation.set { queue.stop() }
        let summary: QueueSummary
        do throws(ItemFailure) {
            summary = try queue.deliver(to: destination.sink) { events, _ in report.take(events) }
        } catch {
            throw CommandFailure(error)
        }
        report.end()
        try report.conclude(summary, choice, files: arguments.positionals)
        if summary.wasCancelled { throw CommandFailure(.interrupted, nil) }
        if let choice { SetupHint(context, arguments, inventory, configuration).show(after: choice) }
    }

    private func clips(_ configuration: Configuration) throws(CommandFailure) -> ClipLibrary {
        let known = ClipLibrary(configuration, from: context.configurationFile(arguments))
        guard let folder = arguments[Options.clips] else { return known }
        do throws(ClipNameError) {
            return try known.adding(folder: folder)
        } catch {
            throw CommandFailure(SpeechFailure.clip(folder, .name(error)))
        }
    }

    private func inputs() throws(CommandFailure) -> [PlayInput] {
        if arguments.positionals.count(where: { $0 == "-" }) > 1 {
            throw CommandFailure(.usage, "Standard input can be read once only.", "Name - once.")
        }
        var inputs: [PlayInput] = []
        for name in arguments.positionals { inputs.append(try PlayInput(name, context)) }
        return inputs
    }

    /// The voice of all texts, downloaded if need be.
    private func choice(
        _ inventory: Inventory, _ configuration: Configuration, _ cancellation: Cancellation
    ) throws(CommandFailure) -> VoiceChoice {
        let query = VoiceQuery(
            name: arguments[Options.voice], speaker: arguments[Options.speaker],
            language: arguments[Options.language], engine: arguments[Options.engine]?.lowercased(),
            preferredEngine: configuration.engine, remembered: configuration.voices,
            localeLanguage: configuration.language ?? LocaleLanguage.tag(environment: context.environment))
        let choice = try CommandFailure.attempt { () throws(SpeechFailure) in try inventory.choose(query) }
        return try MissingVoice(context, arguments, inventory, configuration, cancellation).complete(choice)
    }

    private func session(
        _ choice: VoiceChoice, _ inventory: Inventory, _ report: PlayReport
    ) throws(CommandFailure) -> SpeechSession {
        let isVerbose = arguments[Options.verbose]
        return try CommandFailure.attempt { () throws(SpeechFailure) in
            let session = try inventory.session(
                choice, onLog: { [reporter = report.reporter] _, line in if isVerbose { reporter.print(line) } })
            report.reporter.begin("Loading \(choice.title) of \(session.engine.name)")
            try session.load()
            return session
        }
    }
}
