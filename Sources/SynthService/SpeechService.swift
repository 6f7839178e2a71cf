import SynthAudio
package import SynthCatalogue
package import SynthEngineWire
package import SynthHost
import SynthSystem

/// Speaks for many clients using models that stay loaded. All front ends share one queue.
///
/// Requests are scheduled one utterance at a time, by priority and then in FIFO order, so that one client's book does
/// not block the others. Thread-safe.
package final class SpeechService: Sendable {
    package let limits: ServiceLimits
    private let current: Monitor<any HostBackend>
    private let warm: WarmModels
    private let failing: Monitor<EngineCooldowns>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sweeping = Monitor((isStopped: false, changes: 0))
    private let ahead: LoadingAhead
    let texts: TextBudget

    /// - Parameters:
    ///   - warm: the cache that provides the lanes for the backend's sessions.
    ///   - now: the clock for engine cooldowns.
    package init(
        _ host: SpeechHost, _ warm: WarmModels, _ limits: ServiceLimits = ServiceLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        current = Monitor(host.backend)
        self.now = now
        self.limits = limits
        self.warm = warm
        failing = Monitor(EngineCooldowns(rest: limits.rest))
        ahead = LoadingAhead(pause: limits.preloadRetryDelay)
        texts = TextBudget(limit: limits.textMemory)
        let (sweeping, current) = (sweeping, current)
        startThread("idle-models") { Self.sweep(warm, sweeping, limits) { current.read { $0 }.memory() } }
    }

    private var backend: any HostBackend { current.read { $0 } }

    /// Switches to the backend of `host`. Requests in progress continue with the previous backend.
    ///
    /// - Parameter rest: the cooldown for engines that fail repeatedly. Current cooldowns end.
    package func replace(_ host: SpeechHost, rest: Duration) {
        current.update { $0 = host.backend }
        failing.update { $0 = EngineCooldowns(rest: rest) }
        warm.dropAll()
    }

    deinit { close() }

    /// Unloads all models.
    package func close() {
        sweeping.update { $0.isStopped = true }
        warm.dropAll()
    }

    /// Stops the engines immediately, for a program that is about to exit. Does not block.
    package func abandon() { backend.abandonEngines() }

    /// Returns a list of voices. Blocks.
    package func voices(_ list: VoiceSelection) throws(SpeechError) -> [SpeechVoice] { try backend.voices(list) }

    /// Returns the current state and the totals since the start. Reads /proc.
    package func figures() -> ServiceFigures {
        let engines = backend.engineFigures
        return counters.figures(engines, ServiceFigures.models(warm.kept, in: engines, at: .now))
    }

    package var counters: ServiceCounters { warm.counters }

    /// The number of loaded models.
    package var loadedModels: Int { warm.count }

    /// Finds the requested voice, which may not be downloaded yet. Blocks.
    package func voice(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice { try backend.voice(query) }

    /// The IDs of the usable engines, excluding examples. Blocks.
    package var engines: [String] { backend.usableEngines().filter { !$0.isExample }.map(\.id) }

    /// The user's configuration.
    package var presets: Configuration { backend.presets }

    /// Whether a voice's model is loaded, in which case the voice can speak immediately. Blocks briefly.
    package func isWarm(_ voice: SpeechVoice) -> Bool { (try? backend.session(voice))?.isLoaded ?? false }

    /// Preloads a voice on a separate thread unless it is already being loaded or has recently failed to load.
    ///
    /// - Parameter onFailure: called on that thread.
    package func warmUp(_ voice: SpeechVoice, onFailure: @escaping @Sendable (SpeechError) -> Void) {
        guard ahead.begin(voice) else { return }
        let isLoading = startThread("warm-up") { [backend, ahead, sweeping] in
            do throws(SpeechError) {
                try backend.session(voice).load()
                ahead.end(voice, hasFailed: false)
            } catch {
                ahead.end(voice, hasFailed: true)
                onFailure(error)
            }
            sweeping.update { $0.changes += 1 }
        }
        if !isLoading { ahead.end(voice, hasFailed: true) }
    }

    /// Blocks until no voice is being preloaded. For tests.
    func waitForLoading() { ahead.waitForEnd() }

    /// Starts a request. Blocks until its text has been parsed (one text at a time) and its voice has been found. The
    /// voice is loaded and the audio is synthesized when the result is read.
    ///
    /// - Parameter voice: the voice, if the caller has already found it.
    /// - Throws: voice or script errors, or `overloaded` if the memory limit for texts is reached.
    package func speak(_ order: SpeechJob, with voice: SpeechVoice? = nil) throws(SpeechError) -> ServiceSpeech {
        let backend = backend
        let count = counters.begin(isTimed: !order.text.isLive)
        let (text, share) = try source(of: order.text)
        let (session, replacement) = try begin(order, voice, backend)
        sweeping.update { $0.changes += 1 }
        let inCooldown = failing.read { $0.inCooldown(at: now()) }
        let speech = session.speak(text) { speaker in
            var settings = backend.settings(speaker.voice, usesProfile: order.usesProfile)
            order.adjust(&settings)
            if order.voice.name != nil, speaker === session { settings.language = order.voice.language }
            settings.lexicon = speaker.lexicon
            settings.avoids = order.fallsBack ? inCooldown : []
            settings.want([.sentences, .words])
            return settings
        }
        let notices = ServiceNotices(replacement.map { [.voiceReplaced($0)] } ?? []) { [failing, now] notice in
            guard case .voiceReplaced(let replacement) = notice, let engine = replacement.error.brokenEngine,
                let rest = failing.update({ $0.fail(engine, at: now()) ? $0.rest : nil })
            else { return nil }
            return .engineInCooldown(engine, rest)
        }
        return ServiceSpeech(speech, count, notices) { [sweeping] in
            share?.end()
            sweeping.update { $0.changes += 1 }
        }
    }

    /// The properties that determine how engines speak on this host.
    package var identity: HostIdentity { backend.identity }

    /// Returns a model's lanes for a client that synthesizes in its own process, or nil if the service does not use the
    /// plugin.
    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? {
        backend.lanes(of: plugin, load)
    }

    /// Records that a model was loaded or used, so that another model can be evicted if necessary.
    package func noteUse() { sweeping.update { $0.changes += 1 } }

    /// Returns a session for the requested voice or its fallback.
    private func begin(
        _ order: SpeechJob, _ known: SpeechVoice?, _ backend: any HostBackend
    ) throws(SpeechError) -> (SpeechSession, VoiceReplacement?) {
        var found = known
        do {
            let voice: SpeechVoice
            if let known { voice = known } else { voice = try backend.voice(order.voice) }
            found = voice
            return (try backend.session(voice), nil)
        } catch {
            guard order.fallsBack, let replacement = backend.fallback(for: order.voice, found, after: error) else {
                throw error
            }
            return (try backend.session(replacement.other), replacement)
        }
    }

    /// Returns the text source and its share of the text memory. The share is nil for parsed scripts and live text.
    private func source(
        of text: SpeechJob.Text
    ) throws(SpeechError) -> (any TextSource, TextBudget.Share?) {
        switch text {
        case .plain(let text):
            let (source, share) = try texts.read(text.utf8.count, factor: Self.plainFactor) { () throws(SpeechError) in
                try CompleteText(text)
            }
            return (source, share)
        case .script(let text, let form):
            let (script, share) = try texts.read(text.utf8.count, factor: Self.scriptFactor) { () throws(SpeechError) in
                // Text from a client must not refer to files on this machine.
                try SpokenScript(Array(text.utf8), as: form)
            }
            return (try ScriptSource(script), share)
        case .read(let script): return (try ScriptSource(script), nil)
        case .live(let text): return (TextFeedSource(text), nil)
        }
    }

    /// The estimated memory, in bytes, needed for each byte of plain text. Plain text is split during synthesis, so it
    /// needs less memory than a parsed script.
    private static let plainFactor = 4
    private static let scriptFactor = 24

    /// Evicts idle models and, when memory is short, the least recently used model. Runs until the service ends.
    private static func sweep(
        _ warm: WarmModels, _ sweeping: Monitor<(isStopped: Bool, changes: Int)>, _ limits: ServiceLimits,
        _ memory: () -> UInt64
    ) {
        var seen = 0
        var trimming = HeapTrimming()
        while true {
            var wait = warm.dropIdle().map { max(.milliseconds(10), $0 - .now) }
            // An evicted model's process takes a while to exit and release its memory.
            if memory() > limits.memory, warm.dropOldest() { wait = .seconds(1) }
            if let due = trimming.due {
                if due <= .now {
                    trimming.trim()
                } else {
                    wait = min(wait ?? .seconds(1), max(.milliseconds(10), due - .now))
                }
            }
            let isStopped = sweeping.wait(timeout: wait) { state -> Bool? in
                if state.isStopped { return true }
                if state.changes == seen { return nil }
                seen = state.changes
                return false
            }
            if isStopped == false { trimming.note() }
            if isStopped == true { return }
        }
    }
}
