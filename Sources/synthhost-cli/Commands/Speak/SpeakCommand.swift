import Engines
import EngineWire
import Glibc
import ModelStore
import SpeechScript
import Synchronization
import SynthAudio
import SynthHost
import System
import Terminal

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
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.bidFarewell() })
        // Until something is spoken there is nothing to keep, and no engine is waited for.
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let configuration = try context.configuration(arguments)
        let source = try SpeakSource(context, arguments).open(cancellation)
        let host = try context.host(arguments, limits: configuration.limits)
        let destination = try SpeakDestination(context, arguments, device: configuration.device, text: source)
        // Reading a long text takes about as long as starting an engine.
        let check = TextCheck(source)
        let missing = MissingVoice(context, arguments, host, configuration, cancellation)
        let (plugin, choice) = try missing.complete(try voice(host, configuration))
        let report = SpeakReport(context, arguments, destination, source: source)
        defer { report.end() }
        guard let engine = host.engine(plugin, onLog: log(to: report.reporter)) else {
            throw CommandFailure(VoiceError.noEngine)
        }
        cancellation.setFarewell { engine.abandon() }
        // The thread that speaks may still hold it, with an engine that does not listen.
        defer { engine.abandon() }
        cancellation.set { [reporter = report.reporter, interruption = context.interruption] in
            reporter.end()
            engine.abandon()
            interruption.leave()
        }

        guard !arguments[Options.tokens] || engine.description.capabilities.contains(.phonemes) else {
            throw CommandFailure(
                .unavailable, "The engine \(engine.description.id) cannot speak phonemes.",
                "Leave --tokens away, or name a voice of piper or kokoro with -v.")
        }
        guard arguments[Options.variation] == nil || engine.description.capabilities.contains(.varies) else {
            throw CommandFailure(
                .unavailable, "The engine \(engine.description.id) reads a text in one way only.",
                "Leave --variation away, or name a voice of piper with -v.")
        }
        let voice = try prepare(choice, engine.description, host)
        report.reporter.begin("Loading \(choice.title) of \(engine.description.name)")
        let lane: EngineLane
        do {
            lane = try engine.openLane(on: voice.load)
        } catch {
            throw failure(error, choice, voice, host)
        }
        if let failure = check.wait() { throw CommandFailure(failure) }

        let speaker = Speaker(
            lane: lane, secondLane: { () throws(EngineFailure) in try engine.openLane(on: voice.load) },
            engine: engine.description, voice: voice, settings: settings(configuration),
            source: source, sink: destination.sink)
        cancellation.set { speaker.cancel() }
        if arguments[Options.verbose] {
            report.reporter.print("Speaking with \(choice.title) of \(engine.description.name).")
        }
        let summary: SpeechSummary
        do {
            summary = try speaker.speak(report.progress)
        } catch {
            if case .engine(let failed) = error { throw failure(failed, choice, voice, host) }
            throw CommandFailure(error)
        }
        report.end()
        try report.conclude(summary, choice)
        if summary.wasCancelled { throw CommandFailure(.interrupted, nil) }
        SetupHint(context, arguments, host, configuration).show(after: choice)
    }

    private func voice(
        _ host: LocalHost, _ configuration: Configuration
    ) throws(CommandFailure) -> (PluginFile, VoiceChoice) {
        var wish = VoiceWish(
            name: arguments[Options.voice], speaker: arguments[Options.speaker],
            language: arguments[Options.language], engine: arguments[Options.engine],
            preferredEngine: configuration.engine, remembered: configuration.voices,
            localeLanguage: configuration.language ?? LocaleLanguage.tag(environment: context.environment))
        if let engine = wish.engine { wish.engine = engine.lowercased() }
        do {
            return try host.voice(wish, among: host.plugins())
        } catch {
            throw CommandFailure(error)
        }
    }

    private func prepare(
        _ choice: VoiceChoice, _ engine: EngineDescription, _ host: LocalHost
    ) throws(CommandFailure) -> PreparedVoice {
        do {
            return try host.prepare(choice, of: engine)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func failure(
        _ error: EngineFailure, _ choice: VoiceChoice, _ voice: PreparedVoice, _ host: LocalHost
    ) -> CommandFailure {
        guard let damage = DamagedVoice(error, voice) else { return CommandFailure(error) }
        let installed = host.store.installedVoice(id: choice.voice.id, engine: choice.voice.engine)
        return damage.failure(word: ShellWord.quoted(choice.voice.id), isUsersOwn: installed?.isUsersOwn ?? false)
    }

    private func settings(_ configuration: Configuration) -> SpeechSettings {
        var settings = SpeechSettings(
            rate: configuration.rate, pitch: configuration.pitch, volume: Gain(factor: Float(configuration.volume)),
            language: arguments[Options.voice] == nil ? nil : arguments[Options.language])
        settings.readsTokens = arguments[Options.tokens]
        settings.variation = arguments[Options.variation] ?? 1
        return settings
    }

    private func log(to reporter: ProgressReporter) -> EngineLog {
        let isWanted = arguments[Options.verbose]
        return { _, line in if isWanted { reporter.print(line) } }
    }
}
