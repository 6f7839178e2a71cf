import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Replacements for voices whose engines failed. They are reported immediately, and collected for the result and the exit code.
/// Thread-safe.
final class ReplacedVoices: Sendable {
    private let context: CommandContext
    private let reporter: ProgressReporter
    private let replacements = Monitor<[VoiceReplacement]>([])

    init(_ context: CommandContext, _ reporter: ProgressReporter) {
        self.context = context
        self.reporter = reporter
    }

    /// Reports a replacement. A failure that several requests share is reported once.
    @Sendable func take(_ notice: SpeechNotice) {
        guard case .voiceReplaced(let replacement) = notice else { return }
        let isNew = replacements.update { replacements in
            if replacements.contains(replacement) { return false }
            replacements.append(replacement)
            return true
        }
        guard isNew else { return }
        // This is an error, so it is shown even with `--quiet`.
        reporter.end()
        context.report(replacement.commandFailure)
    }

    /// Whether this class reports the notice.
    func tells(_ notice: SpeechNotice) -> Bool { if case .voiceReplaced = notice { true } else { false } }

    /// The replaced voices, or nil if there are none.
    var results: [ReplacedVoice]? {
        let replacements = replacements.read { $0 }
        return replacements.isEmpty ? nil : replacements.map(ReplacedVoice.init)
    }

    /// Throws if a voice other than the requested one has spoken.
    func check() throws {
        if !replacements.read({ $0.isEmpty }) { throw CommandFailure(.engineCrashed, nil) }
    }
}

/// A replaced voice in `speak --json` and `play --json`.
struct ReplacedVoice: Encodable {
    struct StandIn: Encodable {
        let engine: String
        let voice: String
    }

    /// The engine, or nil if the voice was not found because its engine cannot be used.
    let engine: String?
    let voice: String?
    let by: StandIn
    let message: String

    init(_ replacement: VoiceReplacement) {
        engine = replacement.voice?.engine
        voice = replacement.voice?.id
        by = StandIn(engine: replacement.other.engine, voice: replacement.other.id)
        message = replacement.error.message
    }
}
