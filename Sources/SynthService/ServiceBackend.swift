import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthHost
import SynthSystem

/// The provider of a service's voices: this machine, or a test double. All methods block. Thread-safe.
package protocol ServiceBackend: Sendable {
    /// Returns all known voices, ready ones first.
    func voices() throws(SpeechError) -> [SpeechVoice]

    /// Finds the requested voice. Its files may have to be downloaded.
    func voice(_ wish: VoiceRequest) throws(SpeechError) -> SpeechVoice

    /// Finds a fallback for a voice that was not found or whose session could not be created. Returns nil if none is
    /// available.
    ///
    /// - Parameter voice: the voice, or nil if it was not found.
    func standIn(for wish: VoiceRequest, _ voice: SpeechVoice?, after failure: SpeechError) -> VoiceReplacement?

    /// Returns the ready voices, without hidden ones. Built-in voices come last.
    func readyVoices() throws(SpeechError) -> [SpeechVoice]

    /// Returns the recommended voices for all languages, installed or not, without hidden ones.
    func recommendedVoices() throws(SpeechError) -> [SpeechVoice]

    /// Returns a voice for the language that needs no loading, or nil if there is none.
    func builtInVoice(for language: String) -> SpeechVoice?

    /// Creates a separate session.
    func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession

    /// Returns the user's settings for a voice.
    ///
    /// - Parameter usesProfile: whether to apply the voice's profile, and not only the settings for all voices.
    func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings

    /// The IDs of the usable engines.
    var engines: [String] { get }

    /// Whether a voice is downloaded automatically when a client requests it.
    var downloadsAutomatically: Bool { get }

    /// Returns the user's voice for one of OpenAI's voice names, or nil if none is configured.
    func voice(forOpenAI name: String) -> String?

    /// Returns the user's lexicon.
    func lexicon() throws(SpeechError) -> SpeechLexicon?

    /// The properties that determine how engines speak on this host.
    var identity: HostIdentity { get }

    /// Returns a model's lanes if the service uses this plugin.
    ///
    /// - Parameter plugin: the path of the engine's file.
    func lanes(of plugin: String, _ load: LoadRequest) -> LanePool?

    /// Stops the engines immediately, for a program that is about to exit. Does not wait.
    func abandonEngines()

    /// Returns the current memory use of all engine processes in bytes.
    func memory() -> UInt64

    /// The engines in use, with their current memory use.
    var engineFigures: [EngineFigures] { get }
}

extension LocalHost: ServiceBackend {
    package func voices() throws(SpeechError) -> [SpeechVoice] { try inventory().voices() }

    package func voice(_ wish: VoiceRequest) throws(SpeechError) -> SpeechVoice {
        try inventory().voice(wish.query)
    }

    package func standIn(
        for wish: VoiceRequest, _ voice: SpeechVoice?, after failure: SpeechError
    ) -> VoiceReplacement? {
        let inventory = inventory()
        if let voice { return inventory.standIn(for: voice, after: failure) }
        return inventory.standIn(for: inventory.completed(wish.query), after: failure)
    }

    package func readyVoices() throws(SpeechError) -> [SpeechVoice] { inventory().readyVoices }

    package func recommendedVoices() throws(SpeechError) -> [SpeechVoice] { try inventory().recommendedVoices() }

    package func builtInVoice(for language: String) -> SpeechVoice? { inventory().builtInVoice(for: language) }

    package func session(_ voice: SpeechVoice) throws(SpeechError) -> SpeechSession {
        try inventory().session(voice.choice)
    }

    package func settings(_ voice: SpeechVoice, usesProfile: Bool) -> SpeechSettings {
        usesProfile ? SpeechSettings(presets, for: voice.choice) : SpeechSettings(presets)
    }

    package var engines: [String] { inventory().speakingEngines }

    package var downloadsAutomatically: Bool { presets.autoDownload }

    package func voice(forOpenAI name: String) -> String? { presets.openai[name] }

    package func lexicon() throws(SpeechError) -> SpeechLexicon? { try inventory().lexicon() }

    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? { inventory().lanes(of: plugin, load) }

    package func memory() -> UInt64 { ChildMemory.resident() }
}

extension VoiceRequest {
    fileprivate var query: VoiceQuery { VoiceQuery(name: name, speaker: speaker, language: language, engine: engine) }
}

extension SpeechVoice {
    /// A unique key in the format "ENGINE/ID".
    package var key: String { "\(engine)/\(id)" }
}

/// Tracks engines that fail repeatedly, so that fallback voices can replace them for a while. A value type without a clock.
struct FailingEngines: Sendable {
    private struct Record {
        /// The failures within the window, latest last.
        var failures: [ContinuousClock.Instant] = []
        var restsUntil: ContinuousClock.Instant?
    }
    private var records: [String: Record] = [:]
    let rest: Duration

    /// The number of failures within the window that starts an engine's cooldown.
    private static let most = 3
    private static let window = Duration.seconds(60)
    /// Failures within this time count as one: if a process crashes, all of its requests fail at about the same time.
    private static let together = Duration.milliseconds(250)

    /// - Parameter rest: the length of the cooldown, during which an engine is not used.
    init(rest: Duration) { self.rest = rest }

    /// Records a failure.
    ///
    /// - Returns: whether a fallback replaces the engine from now on.
    mutating func fail(_ engine: String, at now: ContinuousClock.Instant) -> Bool {
        var record = records[engine] ?? Record()
        defer { records[engine] = record }
        if let end = record.restsUntil {
            // The request started before the cooldown.
            if now < end { return false }
            // The engine has failed again right after its cooldown.
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

    /// The IDs of the engines in cooldown.
    func resting(at now: ContinuousClock.Instant) -> Set<String> {
        Set(records.filter { _, record in record.restsUntil.map { now < $0 } ?? false }.keys)
    }
}
