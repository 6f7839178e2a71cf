import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Replacements for voices whose engines failed. They are reported immediately and collected for the result and the exit code.
/// Thread-safe.
final class FallbackReports: Sendable {
    private let context: CommandContext
    private let reporter: ProgressReporter
    private let replacements = Monitor<[VoiceReplacement]>([])

    init(_ context: CommandContext, _ reporter: ProgressReporter) {
        self.context = context
        self.reporter = reporter
    }

    /// Reports a replacement. A failure shared by several requests is reported only once.
    @Sendable func take(_ notice: SpeechNotice) {
        guard case .voiceReplaced(let replacement) = notice else { return }
        let isNew = replacements.update { replacements in
            if replacements.contains(replacement) { return false }
            replacements.append(replacement)
            return true
        }
        guard isNew else { return }
        // A replacement is an error, so the message is shown even with `--quiet`.
        reporter.end()
        context.report(replacement.commandFailure)
    }

    /// Whether this class reports the notice itself.
    func handles(_ notice: SpeechNotice) -> Bool { if case .voiceReplaced = notice { true } else { false } }

    /// The replaced voices as JSON, or nil if there are none. A voice that was not found is omitted, because its engine
    /// cannot be used.
    var results: [JSONMembers]? {
        let results = replacements.read { $0 }.map { replacement -> JSONMembers in
            let other: JSONMembers = ["engine": replacement.other.engine, "voice": replacement.other.id]
            return [
                "engine": replacement.voice?.engine, "voice": replacement.voice?.id, "by": other,
                "message": replacement.error.message,
            ]
        }
        return results.isEmpty ? nil : results
    }

    /// Throws if a voice other than the requested one has spoken.
    func check() throws {
        if !replacements.read({ $0.isEmpty }) { throw CommandFailure(.engineCrashed, nil) }
    }
}

/// Notices that an engine or recognizer is not confined, or that it requests environment variables that are set but withheld from it. Each
/// notice is shown when the engine file is first used.
struct EngineNotices: CommandPart {
    let context: CommandContext
    let inventory: HostSnapshot
    private var isSilent: Bool { arguments[Options.quiet] || arguments[Options.json] }

    func show(of engine: SpeechEngine) {
        guard !isSilent, let requests = inventory.engineRequests(of: engine.id) else { return }
        showConfinement(of: engine, at: requests.path)
        show(of: requests)
    }

    /// Shows the permissions that a recognizer has requested but not been granted.
    func showRecognizer(_ id: String) {
        guard !isSilent, let requests = inventory.recognizerRequests(of: id) else { return }
        show(of: requests)
    }

    private func show(of requests: PluginRequests) {
        let lines = requests.withheldWarnings
        guard !lines.isEmpty else { return }
        showOnce(lines, of: requests.path, stamp: "withheld-\(requests.kindName)-\(requests.id)")
    }

    /// Warns if an engine is not confined, unless it was installed together with synthhost; those engines are trusted.
    private func showConfinement(of engine: SpeechEngine, at path: String) {
        let host = inventory.host
        guard let warning = ConfinementState(host.limits).warning(of: engine.id),
            !host.installation.plugins.contains(where: { path.hasPrefix($0 + "/") })
        else { return }
        showOnce(["\(warning) For details, type: synthhost doctor"], of: path, stamp: "unconfined-\(engine.id)")
    }

    /// - Parameter stamp: the name of the file that stores the shown lines with the identity of the engine's file. A line is shown again if
    ///   the engine's file has changed.
    private func showOnce(_ lines: [String], of path: String, stamp: String) {
        guard let identity = FileIdentity(path: path) else { return }
        let stamp = "\(inventory.host.folders.state)/\(stamp)"
        let file = identity.numbers.map(String.init).joined(separator: " ")
        let shown = (try? readWholeFile(stamp, limit: 65_536)).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let known = shown?.first == file ? Set(shown ?? []) : []
        let newLines = lines.filter { !known.contains($0) }
        guard !newLines.isEmpty else { return }
        newLines.forEach(context.printMessage)
        makeFolder(of: stamp)
        try? replaceFile(
            stamp, with: Array(([file] + known.subtracting([file]).sorted() + newLines).joined(separator: "\n").utf8))
    }
}
