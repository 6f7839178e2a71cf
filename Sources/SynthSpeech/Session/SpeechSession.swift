package import SynthAudio
import SynthEngineProcesses
package import SynthEngineWire
import SynthScript
public import SynthSystem

/// A session for speaking with a voice. The voice is loaded when it is first needed, and remains loaded until the
/// session is released.
///
/// Can be used from any thread or task. Concurrent requests run in parallel up to the engine's limit; any others wait
/// in the order in which they are first read. If the engine crashes, the next request restarts it, and the session
/// remains usable.
public final class SpeechSession: Sendable {
    /// Finds a voice for the same language whose engine has not failed, or returns nil if there is none.
    package typealias FindFallback = @Sendable (SpeechVoice, _ failed: Set<String>) -> SpeechSession?

    /// The dependencies of a session.
    package struct Source: Sendable {
        let engine: EngineDescription
        let voice: PreparedVoice
        let presets: any SpeechPresets
        let openLane: LanePool.Open
        /// The path of the engine's plugin file.
        package var plugin = ""
        /// Provides the session's lanes.
        package var lanes: any LaneSource = OwnLanes()
        /// Finds the other voices that a script requests.
        package var findVoice = ScriptCast.noOther
        /// Finds a fallback voice if an engine fails.
        package var findFallback: FindFallback = { _, _ in nil }
        /// The user's lexicon.
        package var lexicon: SpeechLexicon?
        /// Resolves clip names in untrusted text.
        package var clips = ClipLibrary()
        /// The verbalizers that expand numbers, dates and abbreviations to words, or nil to leave text unchanged.
        package var verbalizers: Verbalizers?
        /// Files that must not be overwritten.
        package var inUse = FilesInUse()
        package var startingThreads: ThreadStart = startThread

        /// - Parameters:
        ///   - openLane: opens a lane in the engine.
        ///   - change: sets the properties that differ from their defaults.
        package init(
            engine: EngineDescription, voice: PreparedVoice, presets: any SpeechPresets,
            openLane: @escaping LanePool.Open, _ change: (inout Source) -> Void = { _ in }
        ) {
            self.engine = engine
            self.voice = voice
            self.presets = presets
            self.openLane = openLane
            change(&self)
        }

        var model: ModelKey { ModelKey(plugin: plugin, voice.load) }
    }

    /// The maximum number of lanes. More lanes would only slow each other down.
    private static let maximumLanes = 4

    /// The session's voice.
    public let voice: SpeechVoice
    /// The voice's engine.
    public let engine: SpeechEngine
    let source: Source
    private let lanes: LanePool

    /// The gain that matches the voice's loudness to the loudness of other voices.
    package var gain: Decibels { Decibels(amplitude: Double(source.voice.gain.factor)) }

    /// The user's lexicon.
    package var lexicon: SpeechLexicon? { source.lexicon }

    package init(_ voice: SpeechVoice, _ source: Source) {
        self.voice = voice
        engine = SpeechEngine(source.engine)
        self.source = source
        lanes = source.lanes.lanes(
            of: source.model, limit: Self.laneLimit(of: source.engine), open: source.openLane)
    }

    /// Returns the maximum useful number of lanes for an engine.
    package static func laneLimit(of engine: EngineDescription) -> Int {
        engine.maxLanes == 0 ? maximumLanes : min(maximumLanes, Int(engine.maxLanes))
    }

    /// Creates another session for the same voice. Unless the host shares lanes, the new session has its own lanes.
    package func sibling() -> SpeechSession { SpeechSession(voice, source) }

    /// Speaks text. Synthesis starts when the returned speech is first read.
    public func speak(_ text: String, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speak(options) { () throws(SpeechError) in try CompleteText(text) }
    }

    /// Speaks text while it is being generated, for example by a language model. The first sentence is spoken as soon as it is
    /// complete. Remaining text without sentence-ending punctuation is spoken when the sequence ends. Chunks are requested one
    /// at a time, on demand.
    public func speak<Pieces: AsyncSequence & Sendable>(
        stream pieces: Pieces, _ options: SpeechOptions = SpeechOptions()
    ) -> Speech where Pieces.Element == String {
        speak(options) { () throws(SpeechError) in TextFeedSource(TextFeed(pieces)) }
    }

    /// Speaks text from any source using only this voice and fully resolved settings. The user's configuration is
    /// ignored.
    package func speak(_ text: any TextSource, _ settings: SpeechSettings) -> Speech {
        var settings = settings
        settings.keepsVoice = true
        return speak(text) { [settings] _ in settings }
    }

    /// Loads the voice in advance. Suspends until it is ready.
    public func warmUp() async throws(SpeechError) {
        try await onThread("warm-up") { [self] () throws(SpeechError) in try load() }
    }

    /// Loads the voice in advance. Blocks until it is ready.
    package func load() throws(SpeechError) {
        _ = try rethrowing(lanes.load(lanes.ticket()), as: source.voice.failure)
    }

    /// Whether the voice is loaded.
    package var isLoaded: Bool { lanes.hasLane }

    /// Tries to load the voice. Blocks.
    ///
    /// - Parameter stopping: called before waiting; receives a callback that interrupts the wait.
    /// - Returns: whether the voice is loaded.
    func canLoad(stopping: (_ giveUp: @escaping @Sendable () -> Void) -> Void) -> Bool {
        let ticket = lanes.ticket()
        stopping { [lanes] in lanes.giveUp(ticket) }
        return (try? lanes.load(ticket)) ?? false
    }

    private func lane(
        _ ticket: LanePool.Ticket, whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(SpeechError) -> (any SpeakingLane)? {
        return try rethrowing(lanes.take(ticket, whileReplaceable: isReplaceable), as: source.voice.failure)
    }

    /// Returns an utterance's words with the phonemes that the engine would speak, or nil if the engine does not report
    /// phonemes.
    func pronounced(
        _ utterance: Utterance, in language: String, isNotation: Bool
    ) throws(SpeechError) -> [PronouncedWord]? {
        guard engine.timesPhonemes, let lane = try lane(lanes.ticket()) else { return nil }
        defer { lanes.release(lane) }
        return try rethrowing(
            PronouncedWords.list(
                utterance, by: source.voice, in: language, isNotation: isNotation,
                takesPhonemes: engine.speaksPhonemes, on: lane), as: source.voice.failure)
    }

    /// Combines the options with the voice's configuration.
    func settings(_ options: SpeechOptions) -> SpeechSettings {
        var settings = source.presets.settings(options, for: voice.choice)
        settings.lexicon = options.lexicon ?? source.lexicon
        for path in options.lexicon?.paths ?? [] { source.inUse.add(path: path, as: .lexicon) }
        return settings
    }

    /// Combines the options with the configuration of the speaker, a session that speaks part of this session's text.
    package func settings(_ options: SpeechOptions, of speaker: SpeechSession) -> SpeechSettings {
        var settings = speaker.settings(options)
        // The language option applies only to the main voice.
        if speaker !== self { settings.language = nil }
        return settings
    }

    /// - Parameter work: queues the audio. Blocks; runs on its own thread.
    func speech(
        lookAhead: Duration,
        work: @escaping @Sendable (SpeechRun, SoundQueue, SpeechRun.Listener) throws(SpeechError) -> Void
    ) -> Speech {
        // The speech retains the session, which retains the engine.
        Speech(
            SpeechRun(
                lookAhead: lookAhead, device: source.presets.device, origin: TimingsOrigin(engine, voice),
                inUse: source.inUse, startingThreads: source.startingThreads
            ) { [self] run, sound, listener in
                defer { withExtendedLifetime(self) {} }
                do throws(SpeechError) {
                    try work(run, sound, listener)
                    sound.close()
                } catch {
                    sound.close(error)
                }
            })
    }

    /// Returns a source that normalizes the text.
    private func prepared(_ text: any TextSource, _ settings: SpeechSettings) -> any TextSource {
        let preparation = preparation(settings)
        return preparation.isEmpty
            ? text : PreparedText(text, in: settings.language ?? voice.language, by: preparation)
    }

    func preparation(_ settings: SpeechSettings) -> TextPreparation {
        TextPreparation(
            lexicon: settings.lexicon, verbalizers: settings.isVerbatim ? nil : source.verbalizers,
            keepsNotation: settings.readsTokens)
    }

    /// Blocks until `count` requests are waiting for a lane. Used only by tests.
    func waitForTickets(_ count: Int) { lanes.waitForTickets(count) }

    /// Blocks until all audio is queued or the run is cancelled.
    ///
    /// - Parameter hasOther: whether another engine can take over if this one fails.
    /// - Returns: false if no more audio is needed.
    @discardableResult
    func synthesize(
        _ text: any TextSource, _ settings: SpeechSettings, _ run: SpeechRun, _ sound: SoundQueue,
        from position: inout SoundPosition, clips: ScriptClips = ScriptClips(), for listener: SpeechRun.Listener,
        whileReplaceable hasOther: @escaping @Sendable () -> Bool = { false }
    ) throws(SpeechError) -> Bool {
        // Writing a file is not urgent, so a slow engine is not replaced.
        let mayBeReplaced = listener.isAwaited && settings.fallsBack
        let isReplaceable: @Sendable () -> Bool = { mayBeReplaced && hasOther() }
        let lane: any SpeakingLane
        var own: (any SpeakingLane)?
        if let priority = settings.priority {
            lane = SharedLane(lanes, priority, into: sound)
        } else {
            let ticket = lanes.ticket()
            run.stopping(by: { [lanes] in lanes.giveUp(ticket) })
            guard let taken = try self.lane(ticket, whileReplaceable: isReplaceable) else { return false }
            (lane, own) = (taken, taken)
        }
        defer { if let own { lanes.release(own) } }
        if listener.isAwaited, !source.engine.capabilities.contains(.streams) { text.beginSoon { sound.isStarved } }
        var spareLane: SpareLane?
        // During playback, only the next sentence is urgent. A second lane cannot be combined with a fallback voice,
        // which can take over at only one position.
        if !listener.isHeard, lanes.limit > 1, !settings.fallsBack {
            spareLane = SpareLane(lanes, taking: settings.priority.map { SharedLane(lanes, $0, into: sound) })
        }
        var settings = settings
        settings.wants.formUnion(listener.events)
        // The fallback voice resumes at the word at which the engine failed.
        if settings.fallsBack { settings.wants.formUnion(.word) }
        let synthesis = Synthesis(
            lane: lane, spareLane: spareLane, engine: source.engine, voice: source.voice, settings: settings,
            source: prepared(text, settings), sound: sound, clips: clips,
            isAwaited: listener.isAwaited, isReplaceable: isReplaceable,
            startingThreads: source.startingThreads, onNotice: run.note)
        run.stopping(by: { synthesis.stop() })
        try synthesis.run(from: &position)
        return !run.isCancelled
    }
}
