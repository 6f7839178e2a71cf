import SynthCatalogue
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// The voice selected by the options of `speak` and `play`.
struct RequestedVoice: CommandPart {
    let context: CommandContext
    let inventory: HostSnapshot
    let configuration: Configuration
    /// A query that overrides the options.
    var other: VoiceQuery?
    /// An installed voice for the document's language. It is used unless the options or `other` select a voice.
    private(set) var narrator: VoiceChoice?

    /// Selects an installed voice for the document's language if the default voice speaks a different language and neither `-v` nor `-l`
    /// is passed. Reports any languages of the document that no installed voice speaks.
    mutating func take(languagesOf document: ReadDocument) throws {
        let named = [arguments[Options.voice], arguments[Options.language], arguments[Options.speaker]]
        guard named.allSatisfy({ $0 == nil }), !arguments[Options.keepVoice] else { return }
        // Problems with the default voice are reported only when that voice is needed.
        guard let usual = try? choose() else { return }
        var missing: [String] = []
        if let language = document.document.language {
            switch try inventory.reader(of: language, beside: inventory.voice(usual)) {
            case .same: break
            case .other(let choice): narrator = choice
            case .none: missing.append(language)
            }
        }
        let speaking = inventory.voice(narrator ?? usual)
        for language in document.otherLanguages {
            if case .none = try inventory.reader(of: language, beside: speaking) { missing.append(language) }
        }
        guard !missing.isEmpty, !arguments[Options.quiet] else { return }
        let tags = missing.map { "\"\(CleanText.line($0))\"" }.joined(separator: ", ")
        context.printMessage(
            "No installed voice speaks the text's language\(missing.count == 1 ? "" : "s") \(tags), so \(speaking.title) is used. "
                + "`synthhost voices --language \(ShellWord.quoted(missing[0]))` lists suitable voices.")
    }

    /// Finds the voice and its files. If files are missing, downloads them or lets the user select a different voice.
    ///
    /// - Parameters:
    ///   - replaced: receives the replacement if the voice cannot speak, or nil to throw an error in that case.
    ///   - needsPhonemes: whether the text contains phonemes without alternative words.
    ///   - destination: a device that must be available before a download begins, or nil.
    func find(
        _ cancellation: Cancellation, _ replaced: FallbackReports?, needsPhonemes: Bool = false,
        for destination: SoundDestination? = nil
    ) throws -> FoundVoice {
        if other == nil, let narrator { return FoundVoice(choice: narrator) }
        let query = inventory.completed(other ?? Self.query(arguments))
        let (choice, replacement) = try inventory.speaker(selectedBy: query, fallsBack: replaced != nil)
        if let replacement {
            replaced?.take(.voiceReplaced(replacement))
            return FoundVoice(choice: choice)
        }
        if inventory.missing(of: choice).isEmpty { return FoundVoice(choice: choice) }
        let id = choice.heaviest.voice.engine
        if let engine = inventory.listings.compactMap(\.engine).first(where: { $0.id == id }) {
            try check(engine, needsPhonemes: needsPhonemes)
        }
        return try complete(choice, cancellation, destination)
    }

    /// Returns the selected voice, whose files may be missing.
    func choose() throws -> VoiceChoice {
        if other == nil, let narrator { return narrator }
        return try inventory.speaker(selectedBy: inventory.completed(other ?? Self.query(arguments)), fallsBack: false)
            .0
    }

    static func query(_ arguments: ParsedArguments) -> VoiceQuery {
        VoiceQuery(
            name: arguments[Options.voice], speaker: arguments[Options.speaker],
            language: arguments[Options.language], engine: arguments[Options.engine]?.lowercased())
    }

    /// Returns a session for the voice. Throws if its engine does not support the options or the text.
    ///
    /// - Parameters:
    ///   - needsPhonemes: whether the text contains phonemes without alternative words.
    ///   - onLog: receives the engine's log lines, or nil to drop them.
    func session(
        _ choice: VoiceChoice, needsPhonemes: Bool, onLog: (@Sendable (String) -> Void)?
    ) throws -> SpeechSession {
        let session = try inventory.session(choice, onLog: { _, line in onLog?(line) })
        try check(session.engine, needsPhonemes: needsPhonemes)
        EngineNotices(context: context, inventory: inventory).show(of: session.engine)
        return session
    }

    private func check(_ engine: SpeechEngine, needsPhonemes: Bool) throws {
        func able(_ ability: (SpeechEngine) -> Bool) -> String {
            let others = inventory.listings.compactMap(\.engine).filter(ability).map(\.id)
            return others.isEmpty ? "" : ", or choose a voice from \(others.joined(separator: " or ")) with -v"
        }
        if needsPhonemes, !engine.speaksPhonemes {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) cannot speak phonemes.",
                "Write words instead\(able(\.speaksPhonemes)).")
        }
        if arguments[Options.showPhonemes], !engine.timesPhonemes {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) does not report its phonemes.",
                "Show the words with --show-text\(able(\.timesPhonemes)).")
        }
        if arguments[Options.variation] != nil, !engine.variesReadings {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) always reads text the same way.",
                "Omit --variation\(able(\.variesReadings)).")
        }
        if arguments[Options.intonation] != nil, !engine.shapesPitch {
            throw CommandFailure(
                .unavailable, "The engine \(engine.id) cannot change the intonation.",
                "Omit --intonation\(able(\.shapesPitch)).")
        }
    }
}

/// A voice whose files are all present.
struct FoundVoice {
    let choice: VoiceChoice
    /// Voices that have just been downloaded and whose loudness has not been measured yet.
    var downloaded: [Voice] = []
}

extension RequestedVoice {
    /// Downloads the missing voices, or the replacement that the user selects.
    private func complete(
        _ choice: VoiceChoice, _ cancellation: Cancellation, _ destination: SoundDestination?
    ) throws -> FoundVoice {
        let missing = inventory.missing(of: choice)
        let library = try context.library(of: inventory)
        // Measure the loudness after speaking, so that speech starts sooner.
        let acquisition = VoiceAcquisition(
            context: context, library: library, cancellation: cancellation, measures: false)
        if acquisition.mayDownload { try destination?.probe(context) }
        for voice in missing {
            guard let taken = try acquisition.acquire(voice) else {
                throw CommandFailure(
                    .unavailable, "The voice \(voice.title) was not downloaded, so nothing was spoken.",
                    "Choose a different voice with -v; `synthhost voices` lists the voices.")
            }
            if choice.shares.count == 1 { offer(taken, library) }
            if taken.folder == voice.folder { continue }
            return FoundVoice(choice: VoiceChoice(voice: taken), downloaded: [taken])
        }
        return FoundVoice(choice: choice, downloaded: missing)
    }

    /// Whether the configuration file does not set an engine. Reads the file again, because the loaded configuration may contain an engine
    /// from the command line.
    private var hasNoChosenEngine: Bool { (try? context.configurationFile.load())?.engine == nil }

    /// Explains how to make a voice the default, unless an engine is already set.
    private func offer(_ voice: Voice, _ library: VoiceLibrary) {
        guard hasNoChosenEngine, !arguments[Options.quiet], !arguments[Options.json] else { return }
        let word = ShellWord.quoted(library.word(for: voice))
        context.printMessage("To make \(voice.title) the default voice, type: synthhost voices choose \(word)")
    }
}
