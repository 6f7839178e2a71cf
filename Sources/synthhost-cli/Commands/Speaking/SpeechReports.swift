package import SynthCommandSyntax
package import SynthHost
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

/// Notices about an engine or a recognizer on its first use, each once for each file: that it is not confined, and which environment
/// variables it requests and does not get, although they are set.
package struct EngineNotices {
    private let context: CommandContext
    private let inventory: HostSnapshot
    private let isSilent: Bool

    package init(_ context: CommandContext, _ arguments: ParsedArguments, _ inventory: HostSnapshot) {
        self.context = context
        self.inventory = inventory
        isSilent = arguments[Options.quiet] || arguments[Options.json]
    }

    func show(of engine: SpeechEngine) {
        guard !isSilent, let requests = inventory.engineRequests(of: engine.id) else { return }
        showConfinement(of: engine, at: requests.path)
        show(of: requests)
    }

    /// Shows once which permissions a recognizer requests and does not have.
    package func showRecognizer(_ id: String) {
        guard !isSilent, let requests = inventory.recognizerRequests(of: id) else { return }
        show(of: requests)
    }

    private func show(of requests: PluginRequests) {
        let lines = requests.withheldWarnings
        guard !lines.isEmpty else { return }
        showOnce(lines, of: requests.path, stamp: "withheld-\(requests.kindWord)-\(requests.id)")
    }

    /// Engines that are installed with synthhost are trusted.
    private func showConfinement(of engine: SpeechEngine, at path: String) {
        let host = inventory.host
        guard let warning = ConfinementState(host.limits).warning(of: engine.id),
            !host.installation.plugins.contains(where: { path.hasPrefix($0 + "/") })
        else { return }
        showOnce(["\(warning) For details, type: synthhost doctor"], of: path, stamp: "unconfined-\(engine.id)")
    }

    /// - Parameter stamp: the name of the file that stores the lines with the identity of the engine's file. The lines are shown again if
    ///   one of them is new or the engine's file has changed.
    private func showOnce(_ lines: [String], of path: String, stamp: String) {
        guard let identity = FileIdentity(path: path) else { return }
        let stamp = "\(inventory.host.folders.state)/\(stamp)"
        let file = identity.numbers.map(String.init).joined(separator: " ")
        let shown = (try? readWholeFile(stamp, limit: 65_536)).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let known = shown?.first == file ? Set(shown ?? []) : []
        let news = lines.filter { !known.contains($0) }
        guard !news.isEmpty else { return }
        news.forEach(context.say)
        makeFolder(of: stamp)
        try? replaceFile(
            stamp, with: Array(([file] + known.subtracting([file]).sorted() + news).joined(separator: "\n").utf8))
    }
}
