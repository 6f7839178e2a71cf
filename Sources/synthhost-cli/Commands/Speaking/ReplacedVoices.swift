import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The voices that spoke for others whose engines failed: told at once, remembered for the result and the exit code. Any
/// thread may use it.
final class ReplacedVoices: Sendable {
    private let context: CommandContext
    private let reporter: ProgressReporter
    private let replacements = Monitor<[VoiceReplacement]>([])

    init(_ context: CommandContext, _ reporter: ProgressReporter) {
        self.context = context
        self.reporter = reporter
    }

    /// Several speeches may tell the same; it is told once.
    @Sendable func take(_ notice: SpeechNotice) {
        guard case .voiceReplaced(let replacement) = notice else { return }
        let isNew = replacements.update { replacements in
            if replacements.contains(replacement) { return false }
            replacements.append(replacement)
            return true
        }
        guard isNew else { return }
        // It is an error, which `--quiet` does not hide.
        reporter.end()
        context.report(replacement.commandFailure)
    }

    /// Whether it is told here.
    func tells(_ notice: SpeechNotice) -> Bool { if case .voiceReplaced = notice { true } else { false } }

    /// nil = every voice spoke itself.
    var results: [ReplacedVoice]? {
        let replacements = replacements.read { $0 }
        return replacements.isEmpty ? nil : replacements.map(ReplacedVoice.init)
    }

    /// Ends a command whose text was spoken, though not as it was asked for.
    func check() throws {
        if !replacements.read({ $0.isEmpty }) { throw CommandFailure(.engineCrashed, nil) }
    }
}

/// In the result of `speak --json` and `play --json`: a voice that another one spoke for.
struct ReplacedVoice: Encodable {
    struct StandIn: Encodable {
        let engine: String
        let voice: String
    }

    /// Not set if the voice was not found, because its engine cannot be used.
    let engine: String?
    let voice: String?
    let by: StandIn
    /// What happened.
    let message: String

    init(_ replacement: VoiceReplacement) {
        engine = replacement.voice?.engine
        voice = replacement.voice?.id
        by = StandIn(engine: replacement.other.engine, voice: replacement.other.id)
        message = replacement.error.message
    }
}
