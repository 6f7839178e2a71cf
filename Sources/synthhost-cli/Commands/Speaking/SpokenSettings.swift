import SynthCommandSyntax
import SynthHost

/// The settings for the voices of a text: the configuration, overridden by the options.
struct SpokenSettings: Sendable {
    private let configuration: Configuration
    private let language: String?
    private let variation: Double
    private let isWhispered: Bool
    private let isVerbatim: Bool
    private let keepsVoice: Bool
    private let fallsBack: Bool
    private let onNotice: @Sendable (SpeechNotice) -> Void
    private let lexicon: SpeechLexicon?
    private let pauses: [PauseChange]

    /// - Parameters:
    ///   - fallsBack: whether another voice continues if an engine fails.
    ///   - onNotice: called on the synthesis thread.
    init(
        _ arguments: ParsedArguments, _ configuration: Configuration, _ inventory: HostSnapshot, fallsBack: Bool,
        onNotice: @escaping @Sendable (SpeechNotice) -> Void
    ) throws {
        self.fallsBack = fallsBack
        self.onNotice = onNotice
        self.configuration = configuration
        language = arguments[Options.voice] == nil ? nil : arguments[Options.language]
        isVerbatim = arguments[Options.verbatim]
        keepsVoice = arguments[Options.keepVoice] || configuration.keepVoice
        variation = arguments[Options.variation] ?? 1
        isWhispered = arguments[Options.whisper] || configuration.whisper
        pauses = arguments[all: Options.pause]
        // The lexicon option takes precedence over the user's own lexicon.
        let own = try inventory.lexicon()
        lexicon = try arguments[Options.lexicon].map { try SpeechLexicon(path: $0, below: own) } ?? own
    }

    /// - Parameter isMain: whether this is the main voice, as opposed to a voice that the text selects.
    func settings(of voice: SpeechVoice, isMain: Bool = true) -> SpeechSettings {
        var settings = SpeechSettings(configuration, for: voice.choice)
        settings.language = isMain ? language : nil
        settings.variation = variation
        settings.isWhispered = isWhispered
        settings.isVerbatim = isVerbatim
        settings.keepsVoice = keepsVoice
        settings.fallsBack = fallsBack
        settings.lexicon = lexicon
        for change in pauses { change.apply(to: &settings.pauses) }
        return settings
    }

    /// Speaks a text with the session, and with sessions of other voices that the text selects.
    func speech(of text: any TextSource, by session: SpeechSession, _ cast: ScriptCast? = nil) -> Speech {
        session.speak(text, cast: cast) { settings(of: $0.voice, isMain: $0 === session) }.noting(by: onNotice)
    }
}
