import SynthHost
import VoiceCatalogue

/// The voice that the options of `speak` and `play` ask for.
struct AskedVoice {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let inventory: Inventory
    private let configuration: Configuration

    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ inventory: Inventory, _ configuration: Configuration
    ) {
        self.context = context
        self.arguments = arguments
        self.inventory = inventory
        self.configuration = configuration
    }

    /// With all its files: they are downloaded if need be, or the user takes another one.
    ///
    /// - Parameter replaced: is told who speaks if the voice cannot; nil = that is an error.
    func find(_ cancellation: Cancellation, _ replaced: ReplacedVoices?) throws(CommandFailure) -> FoundVoice {
        let query = VoiceQuery(
            name: arguments[Options.voice], speaker: arguments[Options.speaker],
            language: arguments[Options.language], engine: arguments[Options.engine]?.lowercased(),
            preferredEngine: configuration.engine, remembered: configuration.voices,
            localeLanguage: configuration.language ?? LocaleLanguage.tag(environment: context.environment))
        let choice: VoiceChoice
        do throws(SpeechFailure) {
            choice = try inventory.choose(query)
        } catch {
            guard let replaced, let replacement = inventory.standIn(for: query, after: error) else {
                throw CommandFailure(error)
            }
            replaced.take(.voiceReplaced(replacement))
            return FoundVoice(choice: replacement.other.choice)
        }
        if let replaced, let failure = inventory.damage(of: choice),
            let replacement = inventory.standIn(for: inventory.voice(choice), after: failure)
        {
            replaced.take(.voiceReplaced(replacement))
            return FoundVoice(choice: replacement.other.choice)
        }
        return try MissingVoice(context, arguments, inventory, configuration, cancellation).complete(choice)
    }

    /// A session of the voice, whose engine can do what the options and the text ask for.
    ///
    /// - Parameters:
    ///   - needsPhonemes: the text asks for phonemes without saying what else could be spoken.
    ///   - onLog: gets what the engine logs; nil = nobody wants it.
    func session(
        _ choice: VoiceChoice, needsPhonemes: Bool, onLog: (@Sendable (String) -> Void)?
    ) throws(CommandFailure) -> SpeechSession {
        let session = try CommandFailure.attempt { () throws(SpeechFailure) in
            try inventory.session(choice, onLog: { _, line in onLog?(line) })
        }
        try check(session.engine, needsPhonemes: needsPhonemes)
        return session
    }

    private func check(_ engine: SpeechEngine, needsPhonemes: Bool) throws(CommandFailure) {
        func able(_ ability: (SpeechEngine) -> Bool) -> String {
            let others = inventory.listings.compactMap(\.engine).filter(ability).map(\.id)
            return others.isEmpty ? "" : ", or name a voice of \(others.joined(separator: " or ")) with -v"
        }
        if needsPhonemes, !engine.speaksPhonemes {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) cannot speak phonemes.",
                "Write words instead\(able(\.speaksPhonemes)).")
        }
        if arguments[Options.variation] != nil, !engine.variesReadings {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) reads a text in one way only.",
                "Leave --variation away\(able(\.variesReadings)).")
        }
    }
}
