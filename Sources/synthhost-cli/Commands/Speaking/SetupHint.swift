import Glibc
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// A hint about natural voices, shown when `speak` or `play` ends, once a day until the user has chosen a voice.
struct SetupHint: CommandPart {
    let context: CommandContext
    let inventory: HostSnapshot
    let configuration: Configuration

    private static let pause: Int = 86_400

    func show(after choice: VoiceChoice) {
        let wasAsked = [Options.voice, Options.engine, Options.language].contains { arguments[$0] != nil }
        guard !wasAsked, configuration.engine == nil, configuration.voices.isEmpty,
            choice.voice.engine == inventory.firstEngine, context.errors.style.isTerminal,
            !arguments[Options.quiet], !arguments[Options.json], isDue,
            let recommended
        else { return }
        context.printMessage("For a natural voice such as \(recommended.title), type: synthhost setup")
        remember()
    }

    /// The voice that `setup` would recommend if it did not measure the speed of this machine.
    private var recommended: Voice? {
        guard let voices = try? inventory.all() else { return nil }
        let language = configuration.language ?? LocaleLanguage.tag(environment: context.environment)
        return PaceAdvice(voices.offers(for: language), pace: inventory.knownPace())?.voice
    }

    private var stamp: String { "\(inventory.host.folders.state)/setup-hint" }

    private var isDue: Bool {
        var status = stat()
        guard stat(stamp, &status) == 0 else { return true }
        return !(0..<Self.pause).contains(time(nil) - status.st_mtim.tv_sec)
    }

    private func remember() {
        makeFolder(of: stamp)
        try? replaceFile(stamp, with: [])
    }
}
