import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost speak`: speaks text.
struct SpeakCommand: Command {
    let context: CommandContext

    func run() throws {
        // Before speech starts, there is no audio to save, so a signal ends the program without waiting for an engine.
        let cancellation = context.cancellation(leavesAtOnce: true)
        let configuration = try context.configuration()
        let text = try SpeakSource(context, configuration).open(cancellation)
        let source = text.source
        context.inUse.add(source.file, as: .text)
        let use = ServiceUse()
        let host = try use.host(context, configuration, isAwaited: arguments[Options.output] == nil)
        let destination = try SoundDestination(
            context, device: configuration.device, word: "speak",
            words: arguments[Options.file].map { ["-f", $0] } ?? arguments.positionals)
        let timings = try SpeakTimings(context, destination)
        let inventory = host.snapshot()
        var voice = RequestedVoice(context: context, inventory: inventory, configuration: configuration)
        if let document = text.document { try voice.take(languagesOf: document) }
        let report = SpeakReport(context, destination, timings, source: source)
        defer { report.end() }
        // During playback, a fallback voice takes over if an engine fails, because the user is listening. A file must
        // contain exactly the requested speech, or must not be created.
        let fallsBack = destination.isDevice && configuration.fallback != []
        // Check the options before downloading a voice.
        let settings = try SpokenSettings(
            arguments, configuration, inventory, fallsBack: fallsBack, onNotice: report.replaced.take)
        let found = try voice.find(
            cancellation, fallsBack ? report.replaced : nil, needsPhonemes: text.needsPhonemes, for: destination)
        let choice = found.choice
        // Stop the engines without waiting for them, because an engine may be unresponsive.
        defer { host.abandonEngines() }
        context.leave(host, at: cancellation, report.reporter)

        let onLog = logged(by: report.reporter)
        use.tell(onLog)
        let session = try voice.session(choice, needsPhonemes: text.needsPhonemes, onLog: onLog)
        if arguments[Options.showText] || arguments[Options.showPhonemes] {
            return try ShownText(
                context: context, isJSON: arguments[Options.json], pronounces: arguments[Options.showPhonemes]
            ).print(text, session, settings)
        }
        report.reporter.begin("Loading \(choice.title) from \(session.engine.name)")
        let summary: SpeechSummary
        do {
            // Without fallback voices, fail now if the voice cannot be loaded. Otherwise, a fallback voice takes over
            // later.
            if !fallsBack { try session.load() }
            let speech = settings.speech(of: source, by: session)
            cancellation.set { speech.cancel() }
            onLog?("Speaking with \(choice.title) from \(session.engine.name).")
            if let gain = LoudnessWords.of(gain: session.gain.value) { onLog?("Its audio is \(gain).") }
            summary = try speech.deliver(to: destination.sink, timings: timings?.file, report.progress)
        } catch {
            throw CommandFailure(error).adding(destination.fileClause(after: error))
        }
        report.end()
        try report.conclude(summary, choice)
        if summary.wasCancelled { throw CommandFailure(.interrupted, nil) }
        try report.replaced.check()
        SetupHint(context: context, inventory: inventory, configuration: configuration)
            .show(after: choice)
        LoudnessCheck(context: context, inventory: inventory, cancellation: cancellation)
            .measure(found.downloaded)
    }

    /// Returns a function that prints log lines, or nil if no log is needed.
    private func logged(by reporter: ProgressReporter) -> (@Sendable (String) -> Void)? {
        guard arguments[Options.verbose] else { return nil }
        return { line in reporter.print(line) }
    }
}
