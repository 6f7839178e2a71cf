import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthHost
import SynthSystem

/// Where a service's voices are: this machine, or a double of it for tests. Everything blocks. Any thread may use it.
package protocol ServiceBackend: Sendable {
    /// All voices that are known, those that could speak now first.
    func voices() throws(SpeechError) -> [SpeechVoice]

    /// The voice that is meant; it may have to be downloaded first.
    func voice(_ wish: VoiceWish) throws(SpeechError) -> SpeechVoice

    /// Who speaks for a voice that was not found, or for which no session could be made; nil if nobody does.
    ///
    /// - Parameter voice: nil = it was not found.
    func standIn(for wish: VoiceWish, _ voice: SpeechVoice?, after failure: SpeechError) -> VoiceReplacement?

    /// The voices that could speak now, without those that lists should leave out; built-in ones last.
    func readyVoices() throws(SpeechError) -> [SpeechVoice]

    /// The voices that are recommended, for every language that has one, whether they are here or not; without those that
    /// lists should leave out.
    func recommendedVoices() throws(SpeechError) -> [SpeechVoice]

    /// A voice of the language that has nothing to load; nil = there is none.
    func spareVoice(for language: String) -> SpeechVoice?

    /// A session of its own.
    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    /// As the user configured it for a voice.
    ///
    /// - Parameter usesProfile: otherwise as for all voices.
    func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings

    /// The ids of the engines that could speak.
    var engines: [String] { get }

    /// Whether voices are downloaded because somebody wants to speak with them.
    var downloadsUnasked: Bool { get }

    /// Which voice the user wants for one of the names that OpenAI's voices have; nil = nothing is said.
    func voice(forOpenAI name: String) -> String?

    /// The user's own words.
    func lexicon() throws(SpeechError) -> SpeechLexicon?

    /// What decides how engines speak here.
    var identity: HostIdentity { get }

    /// The lanes of a model, if the plugin is one of those that are used here.
    ///
    /// - Parameter plugin: the engine's file.
    func lanes(of plugin: String, _ load: LoadRequest) -> LanePool?

    /// Ends the engines at once, for a program that leaves. Waits for nothing.
    func abandonEngines()

    /// Bytes that the engines' processes take now.
    func memory() -> UInt64

    /// The engines that are in use, with what they take now.
    var engineFigures: [EngineFigures] { get }
}

extension LocalHost: ServiceBackend {
    package func voices() throws(SpeechError) -> [SpeechVoice] { try inventory().voices() }

    package func voice(_ wish: VoiceWish) throws(SpeechError) -> SpeechVoice {
        try inventory().voice(wish.query)
    }

    package func standIn(
        for wish: VoiceWish, _ voice: SpeechVoice?, after failure: SpeechError
    ) -> VoiceReplacement? {
        let inventory = inventory()
        if let voice { return inventory.standIn(for: voice, after: failure) }
        return inventory.standIn(for: inventory.completed(wish.query), after: failure)
    }

    package func readyVoices() throws(SpeechError) -> [SpeechVoice] { inventory().readyVoices }

    package func recommendedVoices() throws(SpeechError) -> [SpeechVoice] { try inventory().recommendedVoices() }

    package func spareVoice(for language: String) -> SpeechVoice? { inventory().spareVoice(for: language) }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings {
        usesProfile ? SpeechSettings(presets, for: voice.choice) : SpeechSettings(presets)
    }

    package var engines: [String] { inventory().speakingEngines }

    package var downloadsUnasked: Bool { presets.autoDownload }

    package func voice(forOpenAI name: String) -> String? { presets.openai[name] }

    package func lexicon() throws(SpeechError) -> SpeechLexicon? { try inventory().lexicon() }

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? { inventory().lanes(of: plugin, load) }

    package func memory() -> UInt64 { ChildMemory.resident() }
}

extension VoiceWish {
    fileprivate var query: VoiceQuery { VoiceQuery(name: name, speaker: speaker, language: language, engine: engine) }
}

extension SpeechVoice {
    /// "ENGINE/ID", which no other voice has.
    package var key: String { "\(engine)/\(id)" }
}

/// The engines that fail again and again, so that others speak for them for a while and nobody waits for each failure. A value;
/// whoever uses it has the clock.
struct FailingEngines: Sendable {
    private struct Record {
        /// Those within the window, the last one last.
        var failures: [ContinuousClock.Instant] = []
        var restsUntil: ContinuousClock.Instant?
    }
    private var records: [String: Record] = [:]
    let rest: Duration

    /// So many failures within this time are too many.
    private static let most = 3
    private static let window = Duration.seconds(60)
    /// The speeches of one process fail together, which is one failure.
    private static let together = Duration.milliseconds(250)

    /// - Parameter rest: how long an engine is not asked after that.
    init(rest: Duration) { self.rest = rest }

    /// An engine failed.
    ///
    /// - Returns: whether others speak for it from now on.
    mutating func fail(_ engine: String, at now: ContinuousClock.Instant) -> Bool {
        var record = records[engine] ?? Record()
        defer { records[engine] = record }
        if let end = record.restsUntil {
            // A speech that began before the rest.
            if now < end { return false }
            // It was tried again, and is as it was before.
            if now < end + Self.window {
                record.restsUntil = now + rest
                return true
            }
            record = Record()
        }
        if let last = record.failures.last, now < last + Self.together { return false }
        record.failures = record.failures.filter { now < $0 + Self.window } + [now]
        guard record.failures.count >= Self.most else { return false }
        record = Record(restsUntil: now + rest)
        return true
    }

    /// The ids of those that others speak for now.
    func resting(at now: ContinuousClock.Instant) -> Set<String> {
        Set(records.filter { _, record in record.restsUntil.map { now < $0 } ?? false }.keys)
    }
}
