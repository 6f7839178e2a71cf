import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The voices that replaced others whose engines failed: reported at once, and kept for the result and the exit code. Any thread may use
/// it.
final class ReplacedVoices: Sendable {
    private let context: CommandContext
    private let reporter: ProgressReporter
    private let replacements = Monitor<[VoiceReplacement]>([])

    init(_ context: CommandContext, _ reporter: ProgressReporter) {
        self.context = context
        self.reporter = reporter
    }

    /// Several speeches may report the same failure; it is shown once.
    @Sendable func take(_ notice: SpeechNotice) {
        guard case .voiceReplaced(let replacement) = notice else { return }
        let isNew = replacements.update { replacements in
            if replacements.contains(replacement) { return false }
            replacements.append(replacement)
            return true
        }
        guard isNew else { return }
        // This is an error, which `--quiet` does not hide.
        reporter.end()
        context.report(replacement.commandFailure)
    }

    /// Whether this type reports the notice.
    func tells(_ notice: SpeechNotice) -> Bool { if case .voiceReplaced = notice { true } else { false } }

    /// nil = no voice was replaced.
    var results: [ReplacedVoice]? {
        let replacements = replacements.read { $0 }
        return replacements.isEmpty ? nil : replacements.map(ReplacedVoice.init)
    }

    /// Fails a command whose text was spoken, but not by the requested voice.
    func check() throws {
        if !replacements.read({ $0.isEmpty }) { throw CommandFailure(.engineCrashed, nil) }
    }
}

/// A replaced voice in the result of `speak --json` and `play --json`.
struct ReplacedVoice: Encodable {
    struct StandIn: Encodable {
        let engine: String
        let voice: String
    }

    /// Not set if the voice was not found, because its engine cannot be used.
    let engine: String?
    let voice: String?
    let by: StandIn
    /// The failure.
    let message: String

    init(_ replacement: VoiceReplacement) {
        engine = replacement.voice?.engine
        voice = replacement.voice?.id
        by = StandIn(engine: replacement.other.engine, voice: replacement.other.id)
        message = replacement.error.message
    }
}
