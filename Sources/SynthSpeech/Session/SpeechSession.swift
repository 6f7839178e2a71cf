package import SynthAudio
import SynthEngineProcesses
package import SynthEngineWire
import SynthScript
public import SynthSystem

/// A voice that is loaded and stays warm until the session is released.
///
/// Any thread or task may use it. Speeches that are read at the same time are spoken side by side, as far as the engine can,
/// and beyond that one after the other in the order of their first reads. After a crash of the engine the next speech
/// starts another; the session need not be made anew.
public final class SpeechSession: Sendable {
    /// Finds a voice of the same language that an engine speaks which is none of those that failed; nil if there is none.
    package typealias FindFallback = @Sendable (SpeechVoice, _ failed: Set<String>) -> SpeechSession?

    /// What a session needs of its voice.
    package struct Source: Sendable {
        let engine: EngineDescription
        let voice: PreparedVoice
        let presets: any SpeechPresets
        let openLane: LanePool.Open
        let model: ModelKey
        let lanes: any LaneSource
        let findVoice: ScriptCast.Find
        let findFallback: FindFallback
        let lexicon: SpeechLexicon?
        let clips: ClipLibrary
        let verbalizers: Verbalizers?
        let inUse: FilesInUse
        let startingThreads: ThreadStart

        /// - Parameters:
        ///   - openLane: opens a lane on the engine itself.
        ///   - plugin: the engine's file.
        ///   - lanes: where the session has its lanes from.
        ///   - findVoice: finds the other voices that a script asks for.
        ///   - findFallback: finds who speaks instead if engines fail.
        ///   - lexicon: the user's own.
        ///   - clips: what names in texts of unknown origin mean.
        ///   - verbalizers: say numbers, dates and the like in words; nil = texts stay as they are.
        ///   - inUse: files that no speech replaces.
        package init(
            engine: EngineDescription, voice: PreparedVoice, presets: any SpeechPresets,
            openLane: @escaping LanePool.Open, plugin: String = "", lanes: any LaneSource = OwnLanes(),
            findVoice: @escaping ScriptCast.Find = ScriptCast.noOther,
            findFallback: @escaping FindFallback = { _, _ in nil }, lexicon: SpeechLexicon? = nil,
            clips: ClipLibrary = ClipLibrary(),
            verbalizers: Verbalizers? = nil, inUse: FilesInUse = FilesInUse(),
            startingThreads: @escaping ThreadStart = startThread
        ) {
            self.startingThreads = startingThreads
            self.findVoice = findVoice
            self.findFallback = findFallback
            self.lexicon = lexicon
            self.clips = clips
            self.verbalizers = verbalizers
            self.inUse = inUse
            self.engine = engine
            self.voice = voice
            self.presets = presets
            self.openLane = openLane
            self.lanes = lanes
            model = ModelKey(plugin: plugin, voice.load)
        }
    }

    /// More at once would only take each other's time.
    private static let mostLanes = 4

    /// The voice that speaks.
    public let voice: SpeechVoice
    /// The engine that speaks it.
    public let engine: SpeechEngine
    let source: Source
    private let lanes: LanePool

    /// The gain that makes the voice as loud as others.
    package var gain: Decibels { Decibels(amplitude: Double(source.voice.gain.factor)) }

    package init(_ voice: SpeechVoice, _ source: Source) {
        self.voice = voice
        engine = SpeechEngine(source.engine)
        self.source = source
        lanes = source.lanes.lanes(
            of: source.model, limit: Self.laneLimit(of: source.engine), open: source.openLane)
    }

    /// How many lanes of a model are worth it.
    package static func laneLimit(of engine: EngineDescription) -> Int {
        engine.maxLanes == 0 ? mostLanes : min(mostLanes, Int(engine.maxLanes))
    }

    /// Another session of the voice, with lanes of its own if its host shares none.
    package func sibling() -> SpeechSession { SpeechSession(voice, source) }

    /// Speaks a text. Nothing happens before the speech is read.
    public func speak(_ text: String, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speak(options) { () throws(SpeechError) in try GivenText(text) }
    }

    /// Speaks a text while it is still being written, as by a language model: the first sentence sounds as soon as it is
    /// whole, and the end of the sequence speaks what is left. Pieces are asked for one at a time, as they are needed.
    public func speak<Pieces: AsyncSequence & Sendable>(
        stream pieces: Pieces, _ options: SpeechOptions = SpeechOptions()
    ) -> Speech where Pieces.Element == String {
        speak(options) { () throws(SpeechError) in TextFeedSource(TextFeed(pieces)) }
    }

    /// Speaks a text of any source with this voice alone, and with settings that say everything: nothing of the
    /// configuration applies.
    package func speak(_ text: any TextSource, _ settings: SpeechSettings) -> Speech {
        var settings = settings
        settings.keepsVoice = true
        return speak(text) { [settings] _ in settings }
    }

    /// Loads the voice before the first speech does. Suspends until it could speak.
    public func warmUp() async throws(SpeechError) {
        let result = await onThread("warm-up") { [self] () -> Result<Void, SpeechError> in
            do throws(SpeechError) {
                return .success(try load())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Loads the voice before the first speech does. Blocks until it could speak.
    package func load() throws(SpeechError) {
        do {
            _ = try lanes.load(lanes.ticket())
        } catch {
            throw source.voice.failure(error)
        }
    }

    /// Whether the voice could speak without being loaded first.
    package var isLoaded: Bool { lanes.hasLane }

    /// Loads the voice. Blocks until it could speak, or never will.
    ///
    /// - Parameter stopping: is told before what ends that.
    func canLoad(stopping: (_ giveUp: @escaping @Sendable () -> Void) -> Void) -> Bool {
        let ticket = lanes.ticket()
        stopping { [lanes] in lanes.giveUp(ticket) }
        return (try? lanes.load(ticket)) ?? false
    }

    private func lane(
        _ ticket: LanePool.Ticket, whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(SpeechError) -> (any SpeakingLane)? {
        do {
            return try lanes.take(ticket, whileReplaceable: isReplaceable)
        } catch {
            throw source.voice.failure(error)
        }
    }

    /// The words of an utterance, with the phonemes that the engine would speak; nil = the engine does not tell them.
    func pronounced(
        _ utterance: Utterance, in language: String, isNotation: Bool
    ) throws(SpeechError) -> [PronouncedWord]? {
        guard engine.timesPhonemes, let lane = try lane(lanes.ticket()) else { return nil }
        defer { lanes.giveBack(lane) }
        do {
            return try PronouncedWords.list(
                utterance, by: source.voice, in: language, isNotation: isNotation,
                takesPhonemes: engine.speaksPhonemes, on: lane)
        } catch {
            throw source.voice.failure(error)
        }
    }

    /// What options and the configuration say of this voice.
    func settings(_ options: SpeechOptions) -> SpeechSettings {
        var settings = source.presets.settings(options, for: voice.choice)
        settings.lexicon = options.lexicon ?? source.lexicon
        for path in options.lexicon?.paths ?? [] { source.inUse.add(path: path, as: .lexicon) }
        return settings
    }

    /// - Parameter work: queues the sound. Blocks, on a thread of its own.
    func speech(
        lookAhead: Duration,
        work: @escaping @Sendable (SpeechRun, SoundQueue, SpeechRun.Listener) throws(SpeechError) -> Void
    ) -> Speech {
        // The speech keeps the session, which keeps the engine.
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

    /// A text with what is said otherwise than it is written.
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

    /// Blocks until so many speeches wait for a lane. For tests.
    func waitForTickets(_ count: Int) { lanes.waitForTickets(count) }

    /// Blocks until all of a text is queued, or the run was cancelled.
    ///
    /// - Parameter hasOther: whether another engine takes over if this one fails.
    /// - Returns: false if nothing more is wanted.
    @discardableResult
    func synthesize(
        _ text: any TextSource, _ settings: SpeechSettings, _ run: SpeechRun, _ sound: SoundQueue,
        from position: inout SoundPosition, clips: ScriptClips = ScriptClips(), for listener: SpeechRun.Listener,
        whileReplaceable hasOther: @escaping @Sendable () -> Bool = { false }
    ) throws(SpeechError) -> Bool {
        // Nobody waits for a file.
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
        defer { if let own { lanes.giveBack(own) } }
        if listener.isAwaited, !source.engine.capabilities.contains(.streams) { text.beginSoon { sound.isDry } }
        var spareLane: SpareLane?
        // The next sentence in time is enough for a listener, and another voice goes on from one place only.
        if !listener.isHeard, lanes.limit > 1, !settings.fallsBack {
            spareLane = SpareLane(lanes, taking: settings.priority.map { SharedLane(lanes, $0, into: sound) })
        }
        var settings = settings
        settings.wants.formUnion(listener.events)
        // Who speaks on begins with the word that broke off.
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
