import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost setup`: asks one question and installs a natural voice or a recognizer model.
struct SetupCommand: Command {
    let context: CommandContext
    private var localized: PhraseBook { context.localized }

    func run() throws {
        let cancellation = context.cancellation()
        if arguments[Options.setupListening] {
            return try ListeningSetup(context: context, cancellation: cancellation).run()
        }
        let wait = ShownWait(context, localized("Checking engines and voices"))
        let host = try context.host(try context.configuration())
        let library = try context.library(of: host.snapshot())
        let offers = try offers(library)
        let check = PaceCheck(
            context: context, inventory: library.inventory, cancellation: cancellation, localized: localized)
        // If the first offer is installed, there is no need to measure its speed, which the user already knows.
        let pace = offers.first.flatMap { library.isComplete($0) ? nil : check.pace(for: $0, during: wait) }
        wait.end()
        guard let advice = PaceAdvice(offers, pace: pace) else {
            throw CommandFailure(
                .unavailable, "No installed engine has a recommended voice.",
                "`synthhost engines list` shows the engines, and `synthhost voices --all` shows all voices.")
        }
        if let slower = advice.slower { context.printNote(words(about: slower, advice)) }
        let acquisition = VoiceAcquisition(
            context: context, library: library, cancellation: cancellation,
            resumeCommand: "synthhost setup" + PrecisionChange.words(arguments), localized: localized)
        let answer = try ask(advice, library, cancellation)
        if case .another = answer, context.canDraw, arguments[Options.precision] == nil {
            let voices = ChooserVoices(host, context.configurationFile, library, engine: nil, localized)
            let chooser = try Chooser(context, voices, voices.rows(), cancellation)
            if chooser.canRun {
                defer { host.abandonEngines() }
                return context.printNote(localized(try chooser.run().map { Self.phrase(about: $0) } ?? Self.unchanged))
            }
        }
        guard let wanted = try voice(answer, advice, library, acquisition, check),
            let voice = try acquisition.acquire(wanted, isWanted: true)
        else { return context.printNote(localized(Self.unchanged)) }
        if arguments[Options.precision] != nil {
            let download = ShownDownload(context: context, library: library, cancellation: cancellation)
            try PrecisionChange(library: library, download: download).follow([voice]).forEach(context.printNote)
        }
        // Choose the voice after the download, because a default voice must be installed.
        try context.changedConfiguration.choose(library.stableName(for: voice), of: voice.engine)
        context.printNote(localized(Self.phrase(about: voice)))
        // For example, "Kore Small" is also called "Kore".
        let name = voice.aliases.first { voice.name.hasPrefix("\($0) ") } ?? voice.name
        let book = voice.speaks("de") ? localized : .english
        try speak(book("Hello, I am \(name). I am your voice from now on."), voice, library, cancellation)
    }

    /// Speaks one sentence with the chosen voice. Blocks until playback has ended.
    private func speak(
        _ sentence: String, _ voice: Voice, _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws {
        let (choice, configuration) = (VoiceChoice(voice: voice), library.configuration)
        let speech = try library.inventory.session(choice).speak(
            try CompleteText(sentence), SpeechSettings(configuration, for: choice))
        cancellation.set { speech.cancel() }
        _ = try speech.deliver(to: context.devices.sink(configuration.device ?? "default"))
    }

    private static let unchanged: Phrase = "Nothing was changed. To choose a voice later, type: synthhost setup"

    private static func phrase(about voice: Voice) -> Phrase {
        "\(voice.title) is now your default voice. To use it, type: synthhost speak \"Hello\""
    }

    /// The recommended voices that are available in the precision from `--precision`.
    private func offers(_ library: VoiceLibrary) throws -> [Voice] {
        guard let precision = arguments[Options.precision] else { return library.offers }
        let offers = library.offers.compactMap { voice in
            library.registry.model(of: voice, precision: precision).map { voice.using($0) }
        }
        guard let first = library.offers.first, offers.isEmpty else { return offers }
        return [
            try library.voice(first, precision: precision)
        ]
    }

    private func words(about slower: (voice: Voice, estimate: PaceEstimate), _ advice: PaceAdvice) -> String {
        let (title, words) = (slower.voice.title, slower.estimate.slowness(localized) ?? "")
        return localized(
            advice.voice.folder == slower.voice.folder
                ? "\(title), which sounds best, \(words), and no other voice is faster."
                : "\(title), which sounds best, \(words), so a faster voice is listed first.")
    }

    private enum Answer {
        case take(Voice)
        case another, skip
    }

    private func ask(
        _ advice: PaceAdvice, _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws -> Answer {
        let recommended = advice.voice
        if arguments[Options.yes] { return .take(recommended) }
        var answers: [(line: String, answer: Answer)] = [
            (localized("\(line(recommended, library)) (recommended)"), .take(recommended)),
            (localized("Choose a different voice"), .another), (localized("Skip: change nothing"), .skip),
        ]
        if let slower = advice.slower?.voice, slower.folder != recommended.folder {
            let words = "\(line(slower, library)), \(localized("slow on this machine"))"
            answers.insert((words, .take(slower)), at: 1)
        }
        let answer = try Question(context: context, cancellation: cancellation, localized: localized).ask { prompt in
            try prompt.choose(localized("Which voice do you want?"), from: answers.map(\.line), default: 0)
        }
        guard let answer else {
            throw CommandFailure(
                .usage, "Cannot ask which voice to use: no terminal is available.",
                "To use \(recommended.title) without being prompted, type: synthhost setup --yes"
                    + PrecisionChange.words(arguments))
        }
        return answer.map { answers[$0].answer } ?? .skip
    }

    /// Returns the voice for an answer, after asking for a different voice if necessary. Returns nil if the user declines.
    private func voice(
        _ answer: Answer, _ advice: PaceAdvice, _ library: VoiceLibrary, _ acquisition: VoiceAcquisition,
        _ check: PaceCheck
    ) throws -> Voice? {
        switch answer {
        case .take(let voice): return voice
        case .another:
            let others = library.alternatives(to: advice.voice)
            guard !others.isEmpty else {
                throw CommandFailure(
                    .unavailable, "No other starter voices are available.",
                    "`synthhost voices --all` lists all voices, and `synthhost models pull VOICE` downloads one.")
            }
            let other = try acquisition.pick(
                localized("Which other voice do you want? `synthhost voices --all` lists more."), from: others)
            if let other, !library.isComplete(other), let warning = check.warning(about: other) {
                context.printNote(warning)
            }
            return other
        case .skip: return nil
        }
    }

    private func line(_ voice: Voice, _ library: VoiceLibrary) -> String {
        let line = VoiceLine.text(voice, library, localized)
        return localized(library.isComplete(voice) ? "Use \(line)" : "Download \(line)")
    }
}
