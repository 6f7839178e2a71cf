import SynthAudio
import SynthCatalogue
import SynthHost
import SynthJSON
import SynthSystem
import SynthTerminal

/// The voices in the chooser, with their rows, their samples, and the changes that the user saves.
struct ChooserVoices: Sendable {
    private let host: SpeechHost
    private let file: ConfigurationFile
    let library: VoiceLibrary
    private let voices: [Voice]
    private let byKey: [String: Voice]
    private let sections: [String: ChooserState.Section]
    private let languageNames: [String: String]
    private let samples: [String: String]
    private let localized: PhraseBook

    /// - Parameter engine: the engine whose voices are listed, or nil for the voices of all engines.
    init(
        _ host: SpeechHost, _ file: ConfigurationFile, _ library: VoiceLibrary, engine: String?,
        _ localized: PhraseBook
    ) {
        (self.host, self.file, self.localized) = (host, file, localized)
        self.library = library
        let inventory = library.inventory
        let all = library.everyVoice.filter { engine == nil || $0.engine == engine }
        let offers = library.offers.filter { offer in all.contains { $0.key == offer.key } }
        var seen = Set(offers.map(\.key))
        voices = offers + inventory.nearestFirst(all.filter { seen.insert($0.key).inserted })
        byKey = Dictionary(voices.map { ($0.key, $0) }) { first, _ in first }
        let few = Set(library.fewOffers.map(\.key))
        let (near, chosen) = (inventory.nearLanguage, library.chosen?.key)
        var sections: [String: ChooserState.Section] = [:]
        var names: [String: String] = [:]
        for voice in voices {
            let isBuiltIn = library.isBuiltIn(voice)
            // A voice whose engine is missing appears only in the long list.
            if case .unusable = library.state(of: voice) { continue }
            if few.contains(voice.key) || voice.starter != nil {
                sections[voice.key] = .starters
            } else if isBuiltIn {
                // Omit built-in voices for other languages, because one engine may have voices for a hundred languages.
                if voice.speaks(near) { sections[voice.key] = .builtIn }
            } else if library.state(of: voice) == .ready {
                sections[voice.key] = .installed
            }
            if voice.key == chosen, sections[voice.key] == nil { sections[voice.key] = .installed }
            // The built-in voices of the default engine are named after their languages.
            if isBuiltIn, voice.engine == inventory.firstEngine, names[Self.base(voice.language)] == nil {
                names[Self.base(voice.language)] = voice.name
            }
        }
        self.sections = sections
        languageNames = names
        samples = Self.samples(in: inventory.host.installation.page)
    }

    /// The language without its region, in lowercase.
    private static func base(_ language: String) -> String { language.prefix { $0 != "-" }.lowercased() }

    // MARK: - Rows

    /// The rows, in the order of the voices. Reads the voices' states from disk.
    func rows() -> [ChooserState.Row] {
        let (marks, chosen) = (marks, library.chosen?.key)
        return voices.map { row(of: $0, marks, chosen) }
    }

    /// The current row of a voice.
    func row(_ key: String) -> ChooserState.Row? {
        byKey[key].map { row(of: $0, marks, library.chosen?.key) }
    }

    func voice(_ key: String) -> Voice? { byKey[key] }

    private func row(of voice: Voice, _ marks: VoiceMarks, _ chosen: String?) -> ChooserState.Row {
        let state = library.state(of: voice)
        let size = VoiceLine.size(of: voice, library, localized)
        var words = localized(Phrase(key: library.stateWords(of: voice)))
        switch state {
        case .ready: if let size { words = "\(localized("installed")), \(size)" }
        case .notDownloaded:
            let isPartial = library.missingBytes(of: voice) < voice.downloadSize
            let missing = VoiceLine.missing(of: voice, library, localized)
            words = isPartial ? missing : localized("\(missing) to download")
        case .unusable(let error) where error.code == .voiceWithoutEngine: words = localized("needs \(voice.engine)")
        default: break
        }
        let pace = voice.cost.flatMap { cost in library.inventory.knownPace()?.estimate(cost: cost) }
        return ChooserState.Row(
            key: voice.key, title: voice.title, language: voice.language,
            languageName: languageNames[Self.base(voice.language)] ?? Self.base(voice.language),
            gender: voice.gender.map { localized($0.word) } ?? "", quality: VoiceLine.quality(voice, localized) ?? "",
            engine: voice.engine,
            license: voice.license ?? "", slowness: pace?.words,
            state: state == .ready ? .installed : state.word == "notDownloaded" ? .missing : .unusable,
            stateWords: words, section: sections[voice.key], isFavorite: marks.favorites.contains(voice),
            isHidden: marks.hidden.contains(voice), isChosen: voice.key == chosen, profile: marks.profile(of: voice))
    }

    // MARK: - Changes

    /// Makes a voice the default and stores its profile. Writes the configuration.
    func save(_ key: String, _ profile: VoiceProfile) throws(SpeechError) {
        guard let voice = speechVoice(key) else { return }
        if profile != voice.profile { try change(.profile(profile), key) }
        try change(.chosen, key)
    }

    /// Changes the user's configuration.
    func change(_ change: PreferenceChange, _ key: String) throws(SpeechError) {
        guard let voice = speechVoice(key) else { return }
        _ = try host.backend.change(change, of: voice)
    }

    private func speechVoice(_ key: String) -> SpeechVoice? {
        byKey[key].map { voice in
            SpeechVoice(VoiceChoice(voice: voice), state: library.state(of: voice), marks)
        }
    }

    /// The marks and profiles in the configuration file, without overrides from environment variables.
    private var marks: VoiceMarks { VoiceMarks((try? file.load()) ?? host.presets) }

    // MARK: - Samples

    /// The settings of a voice with an unsaved profile.
    func settings(_ key: String, _ profile: VoiceProfile) -> SpeechSettings {
        guard let voice = byKey[key] else { return SpeechSettings() }
        // Ignore the environment: a variable such as SYNTHHOST_RATE would affect the sample, but not the displayed and
        // saved values.
        var presets = (try? file.load()) ?? host.presets
        // Set every factor, so that no other configuration key overrides the profile.
        presets.profiles[key] = profile.filled(from: VoiceProfile(rate: 1, pitch: 1, volume: 1, pause: 1))
        return SpeechSettings(presets, for: VoiceChoice(voice: voice))
    }

    /// A sample sentence in the language of a voice.
    func sentence(_ key: String) -> String {
        byKey[key].flatMap { samples[Self.base($0.language)] } ?? "1, 2, 3, 4, 5."
    }

    /// The sample sentences of the web page, by language.
    private static func samples(in page: String?) -> [String: String] {
        guard let page, let bytes = try? readWholeFile(page.child("samples.json"), limit: 1 << 20),
            let node = try? JSONReader.read(bytes)
        else { return [:] }
        return (try? node.decode([String: String].self)) ?? [:]
    }
}

/// Plays one sample at a time on its own thread. A new sample replaces the current one. Thread-safe.
final class SamplePlayer: Sendable {
    struct Order: Sendable {
        let key: String
        let sentence: String
        let settings: SpeechSettings
    }
    enum PlaybackUpdate: Sendable {
        case loading, playing, ended
        case failed(SpeechError)
    }

    private struct State {
        var next: Order?
        var speech: Speech?
        var isClosed = false
        var isBusy = false
        /// Whether the thread that plays samples is running.
        var hasThread = false
        /// The number of requests. A sample is not played if a newer request arrives while its voice is being
        /// loaded.
        var number = 0
    }
    private let state = Monitor(State())
    private let session: @Sendable (String) throws(SpeechError) -> SpeechSession
    private let device: @Sendable () -> any AudioSink
    private let onUpdate: @Sendable (String, PlaybackUpdate) -> Void

    /// - Parameters:
    ///   - session: opens a session for the voice with this key.
    ///   - device: creates the sink for a sample.
    ///   - onUpdate: receives the key of a voice and the state of its sample, on the player's thread.
    init(
        session: @escaping @Sendable (String) throws(SpeechError) -> SpeechSession,
        device: @escaping @Sendable () -> any AudioSink, onUpdate: @escaping @Sendable (String, PlaybackUpdate) -> Void
    ) {
        (self.session, self.device, self.onUpdate) = (session, device, onUpdate)
    }

    /// Replaces the current sample with a new one.
    func play(_ order: Order) {
        let isFirst = state.update { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if isFirst, !startThread("samples", { [self] in run() }) {
            state.update { $0.hasThread = false }
            return onUpdate(order.key, .failed(.noThread))
        }
        replace { $0.next = order }
    }

    /// Stops the sample immediately.
    func stop() { replace { $0.next = nil } }

    /// Stops the sample and ends the thread.
    func close() {
        replace { ($0.next, $0.isClosed) = (nil, true) }
    }

    /// Blocks until no sample is playing.
    func waitForEnd() { _ = state.wait { $0.next == nil && !$0.isBusy ? true : nil } }

    private func replace(_ change: (inout State) -> Void) {
        let speech = state.update { state in
            change(&state)
            state.number += 1
            return state.speech
        }
        speech?.cancel()
    }

    private func run() {
        // Keep the session for the last voice open, so that the voice's engine stays loaded.
        var open: (key: String, session: SpeechSession)?
        while let (order, number) = next() {
            onUpdate(order.key, .loading)
            do throws(SpeechError) {
                if open?.key != order.key { open = (order.key, try session(order.key)) }
                if let session = open?.session { try speak(order, number, session) }
                onUpdate(order.key, .ended)
            } catch {
                // The engine may have exited, so start a new session next time.
                open = nil
                onUpdate(order.key, error.code == .cancelled ? .ended : .failed(error))
            }
            state.update { ($0.speech, $0.isBusy) = (nil, false) }
        }
    }

    /// Returns nil after `close`.
    private func next() -> (Order, Int)? {
        state.wait { state -> (Order, Int)?? in
            if state.isClosed { return .some(nil) }
            guard let next = state.next else { return nil }
            (state.next, state.isBusy) = (nil, true)
            return .some((next, state.number))
        } ?? nil
    }

    private func speak(_ order: Order, _ number: Int, _ session: SpeechSession) throws(SpeechError) {
        let speech = session.speak(try CompleteText(order.sentence), order.settings)
        let isWanted = state.update { state in
            if state.number == number { state.speech = speech }
            return state.number == number
        }
        guard isWanted else { return }
        _ = try speech.deliver(to: device()) { [onUpdate] progress in
            switch progress {
            case .began: onUpdate(order.key, .playing)
            case .buffering: onUpdate(order.key, .loading)
            case .reached: break
            }
        }
    }
}
