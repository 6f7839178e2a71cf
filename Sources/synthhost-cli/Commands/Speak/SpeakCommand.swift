import SynthAudio
import SynthHost
import Terminal
import VoiceCatalogue

/// `synthhost speak`: text in, sound out.
struct SpeakCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        // Until something is spoken there is nothing to keep, so the program exits without waiting for an engine.
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let configuration = try context.configuration(arguments)
        let text = try SpeakSource(context, arguments, configuration).open(cancellation)
        let source = text.source
        let host = try context.host(arguments, configuration)
        let destination = try SpeakDestination(
            context, arguments, device: configuration.device, inputs: [source.file].compactMap { $0 }, word: "speak",
            words: arguments[Options.file].map { ["-f", $0] } ?? arguments.positionals)
        let timings = try SpeakTimings(arguments, destination, text: source)
        let inventory = host.inventory()
        let missing = MissingVoice(context, arguments, inventory, configuration, cancellation)
        let choice = try missing.complete(try chosen(inventory, configuration))
        let report = SpeakReport(context, arguments, destination, timings, source: source)
        defer { report.end() }
        cancellation.setExitAction { host.abandonEngines() }
        // The speaking thread may still have an engine that does not respond.
        defer { host.abandonEngines() }
        cancellation.set { [reporter = report.reporter, interruption = context.interruption] in
            reporter.end()
            host.abandonEngines()
            interruption.leave()
        }

        let onLog = logged(by: report.reporter)
        let session = try CommandFailure.attempt { () throws(SpeechFailure) in
            try inventory.session(choice, onLog: { _, line in onLog?(line) })
        }
        try check(session.engine, inventory, text)
        let settings = try SpeakSettings(arguments, configuration, inventory)
        if arguments[Options.showText] {
            return try ShownText(context: context, isJSON: arguments[Options.json]).print(text, session, settings)
        }
        report.reporter.begin("Loading \(choice.title) of \(session.engine.name)")
        let summary = try CommandFailure.attempt { () throws(SpeechFailure) in
            try session.load()
            let speech = speech(text, session, settings)
            cancellation.set { speech.cancel() }
            onLog?("Speaking with \(choice.title) of \(session.engine.name).")
            return try speech.deliver(to: destination.sink, timings: timings?.file, report.progress)
        }
        report.end()
        try report.conclude(summary, choice)
        if summary.wasCancelled { throw CommandFailure(.interrupted, nil) }
        SetupHint(context, arguments, inventory, configuration).show(after: choice)
    }

    /// The requested voice, installed or not.
    private func chosen(
        _ inventory: Inventory, _ configuration: Configuration
    ) throws(CommandFailure) -> VoiceChoice {
        let query = VoiceQuery(
            name: arguments[Options.voice], speaker: arguments[Options.speaker],
            language: arguments[Options.language], engine: arguments[Options.engine]?.lowercased(),
            preferredEngine: configuration.engine, remembered: configuration.voices,
            localeLanguage: configuration.language ?? LocaleLanguage.tag(environment: context.environment))
        return try CommandFailure.attempt { () throws(SpeechFailure) in try inventory.choose(query) }
    }

    /// Whether the engine can do what the options ask for.
    private func check(
        _ engine: SpeechEngine, _ inventory: Inventory, _ text: SpeakText
    ) throws(CommandFailure) {
        func able(_ ability: (SpeechEngine) -> Bool) -> String {
            let others = inventory.listings.compactMap(\.engine).filter(ability).map(\.id)
            return others.isEmpty ? "" : ", or name a voice of \(others.joined(separator: " or ")) with -v"
        }
        if text.needsPhonemes, !engine.speaksPhonemes {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) cannot speak phonemes.",
                "Write words instead\(able(\.speaksPhonemes)).")
        }
        if arguments[Options.variation] != nil, !engine.variesReadings {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) reads a text in one way only.",
                "Leave --variation away\(able(\.variesReadings)).")
        }
    }

    private func speech(_ text: SpeakText, _ session: SpeechSession, _ settings: SpeakSettings) -> Speech {
        switch text {
        case .plain(let source): session.speak(source, settings.settings(of: session.voice))
        case .script(let script): settings.speech(of: script, by: session)
        }
    }

    /// nil = no log is wanted.
    private func logged(by reporter: ProgressReporter) -> (@Sendable (String) -> Void)? {
        guard arguments[Options.verbose] else { return nil }
        return { line in reporter.print(line) }
    }
}
