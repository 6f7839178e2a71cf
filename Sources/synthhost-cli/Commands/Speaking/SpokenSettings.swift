import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthWyoming

/// The settings for the voices that speak a text: those in the configuration, overridden by the options.
struct SpokenSettings: Sendable {
    private let arguments: ParsedArguments
    private let configuration: Configuration
    private let fallsBack: Bool
    private let onNotice: @Sendable (SpeechNotice) -> Void
    private let lexicon: SpeechLexicon?

    /// - Parameters:
    ///   - fallsBack: whether a different voice takes over if an engine fails.
    ///   - onNotice: called on the synthesis thread.
    init(
        _ arguments: ParsedArguments, _ configuration: Configuration, _ inventory: HostSnapshot, fallsBack: Bool,
        onNotice: @escaping @Sendable (SpeechNotice) -> Void
    ) throws {
        self.arguments = arguments
        self.configuration = configuration
        self.fallsBack = fallsBack
        self.onNotice = onNotice
        // The lexicon from the options takes precedence over the user's own lexicon.
        let own = try inventory.lexicon()
        lexicon = try arguments[Options.lexicon].map { try SpeechLexicon(path: $0, below: own) } ?? own
    }

    /// - Parameter isMain: whether this is the main voice, as opposed to a voice that the text selects.
    func settings(of voice: SpeechVoice, isMain: Bool = true) -> SpeechSettings {
        var settings = SpeechSettings(configuration, for: voice.choice)
        settings.language = isMain && arguments[Options.voice] != nil ? arguments[Options.language] : nil
        settings.variation = arguments[Options.variation] ?? 1
        settings.intonation = arguments[Options.intonation] ?? 1
        settings.isWhispered = arguments[Options.whisper] || configuration.whisper
        settings.isVerbatim = arguments[Options.verbatim]
        settings.keepsVoice = arguments[Options.keepVoice] || configuration.keepVoice
        settings.fallsBack = fallsBack
        settings.lexicon = lexicon
        for change in arguments[all: Options.pause] { change.apply(to: &settings.pauses) }
        return settings
    }

    /// Speaks the text with this session and with sessions for any other voices that the text selects.
    func speech(of text: any TextSource, by session: SpeechSession, _ cast: ScriptCast? = nil) -> Speech {
        session.speak(text, cast: cast) { settings(of: $0.voice, isMain: $0 === session) }.noting(by: onNotice)
    }
}

/// Tracks whether a command uses the lanes of the running service, for `--verbose`. Thread-safe.
final class ServiceUse: Sendable {
    private struct State {
        var lines: [String] = []
        var tell: (@Sendable (String) -> Void)?
    }
    private let state = Monitor(State())

    /// Returns the host for a command. If this user's service is running with the same settings, the host uses it.
    ///
    /// - Parameter isAwaited: whether a person is listening, which is more urgent than writing a file.
    func host(_ context: CommandContext, _ configuration: Configuration, isAwaited: Bool) throws -> SpeechHost {
        guard let socket = UserFolders(environment: context.environment).socket else {
            return try context.host(configuration)
        }
        return try context.host(configuration) { setup in
            setup.lanes = ResidentLanes(at: socket, setup.identity, isAwaited ? .normal : .background) {
                self.add($0, socket)
            }
        }
    }

    /// Passes all messages to the closure, including earlier ones.
    func tell(_ tell: (@Sendable (String) -> Void)?) {
        guard let tell else { return }
        let lines = state.update { state in
            state.tell = tell
            return state.lines
        }
        for line in lines { tell(line) }
    }

    private func add(_ use: ResidentLanes.Use, _ socket: String) {
        let line =
            switch use {
            case .service: "Speaking through the service at \(socket)."
            case .own(let differing) where differing.isEmpty: "The service at \(socket) does not have this engine."
            case .own(let differing):
                "The service at \(socket) would speak differently (\(differing.joined(separator: "; ")))."
            case .lost: "The service at \(socket) has exited; this program continues without it."
            }
        let tell = state.update { state in
            if state.tell == nil { state.lines.append(line) }
            return state.tell
        }
        tell?(line)
    }
}
