import SynthAudio
package import SynthEngineWire
package import SynthHost
import SynthSystem

/// Speaks for many clients with voices that stay loaded: the one queue behind every front end.
///
/// Each speech takes its turn utterance by utterance, the most urgent first and others in the order of asking, so that a book
/// delays nobody. Any thread may use it.
package final class SpeechService: Sendable {
    package let limits: ServiceLimits
    private let current: Monitor<any ServiceBackend>
    private let warm: WarmModels
    private let failing: Monitor<FailingEngines>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let sweeping = Monitor((isStopped: false, changes: 0))
    private let ahead: LoadingAhead
    let texts: TextBudget

    /// - Parameters:
    ///   - warm: where the sessions of the backend have their lanes from.
    ///   - now: when engines fail.
    package init(
        _ backend: any ServiceBackend, _ warm: WarmModels, _ limits: ServiceLimits = ServiceLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        current = Monitor(backend)
        self.now = now
        self.limits = limits
        self.warm = warm
        failing = Monitor(FailingEngines(rest: limits.rest))
        ahead = LoadingAhead(pause: limits.pauseOfLoading)
        texts = TextBudget(limit: limits.textMemory)
        let (sweeping, current) = (sweeping, current)
        startThread("idle-models") { Self.sweep(warm, sweeping, limits) { current.read { $0 }.memory() } }
    }

    private var backend: any ServiceBackend { current.read { $0 } }

    /// Speaks with another backend from now on; what speaks goes on with the one that it began with.
    ///
    /// - Parameter rest: how long an engine that fails again and again is not asked; those that rest are asked again.
    package func replace(_ backend: any ServiceBackend, rest: Duration) {
        current.update { $0 = backend }
        failing.update { $0 = FailingEngines(rest: rest) }
        warm.dropAll()
    }

    deinit { close() }

    /// Nothing is kept loaded any more.
    package func close() {
        sweeping.update { $0.isStopped = true }
        warm.dropAll()
    }

    /// Ends the engines at once, for a program that leaves. Waits for nothing.
    package func abandon() { backend.abandonEngines() }

    /// All voices that are known, those that could speak now first. Blocks.
    package func voices() throws(SpeechError) -> [SpeechVoice] { try backend.voices() }

    /// What it does now, and what it did since it began. Reads /proc.
    package func figures() -> ServiceFigures {
        let engines = backend.engineFigures
        return counters.figures(engines, ServiceFigures.models(warm.kept, in: engines, at: .now))
    }

    package var counters: ServiceCounters { warm.counters }

    /// How many models are loaded.
    package var loadedModels: Int { warm.count }

    /// The voices that could speak now, without those that lists should leave out. Blocks.
    package func readyVoices() throws(SpeechError) -> [SpeechVoice] { try backend.readyVoices() }

    /// The voices that are recommended, whether they are here or not, without those that lists should leave out. Blocks.
    package func recommendedVoices() throws(SpeechError) -> [SpeechVoice] { try backend.recommendedVoices() }

    /// The voice that is meant; it may have to be downloaded first. Blocks.
    package func voice(_ wish: VoiceWish) throws(SpeechError) -> SpeechVoice { try backend.voice(wish) }

    /// The ids of the engines that could speak. Blocks.
    package var engines: [String] { backend.engines }

    /// Whether voices are downloaded because somebody wants to speak with them.
    package var downloadsUnasked: Bool { backend.downloadsUnasked }

    /// Which voice the user wants for one of the names that OpenAI's voices have; nil = nothing is said.
    package func voice(forOpenAI name: String) -> String? { backend.voice(forOpenAI: name) }

    /// A voice of the language that has nothing to load; nil = there is none. Blocks.
    package func spareVoice(for language: String) -> SpeechVoice? { backend.spareVoice(for: language) }

    /// Whether a voice is loaded, so that it would speak at once. Blocks for a moment.
    package func isWarm(_ voice: SpeechVoice) -> Bool { (try? backend.session(voice))?.isLoaded ?? false }

    /// Loads a voice, on a thread of its own, unless that is under way, or failed a short while ago.
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

    /// Blocks until no voice is being loaded ahead. For tests.
    func waitForLoading() { ahead.waitForEnd() }

    /// Begins a speech. Blocks until its text is read, one after the other, and its voice is found; the voice is loaded, and
    /// its sound made, as it is read.
    ///
    /// - Parameter voice: the one that is meant, if it was found before.
    /// - Throws: what is wrong with the voice or the script; `overloaded` if there is no room for the text now.
    package func speak(_ order: SpeechOrder, with voice: SpeechVoice? = nil) throws(SpeechError) -> ServiceSpeech {
        let backend = backend
        let count = counters.begin(isTimed: !order.text.isLive)
        let (text, share) = try source(of: order.text)
        let lexicon = try backend.lexicon()
        let (session, replacement) = try begin(order, voice, backend)
        sweeping.update { $0.changes += 1 }
        let resting = failing.read { $0.resting(at: now()) }
        let speech = session.speak(text) { speaker in
            var settings = backend.settings(speaker.voice, usesProfile: order.usesProfile)
            settings.rate = Self.clamped(settings.rate * (order.rate ?? 1))
            settings.pitch = Self.clamped(settings.pitch * (order.pitch ?? 1))
            settings.intonation = order.intonation
            settings.isWhispered = order.isWhispered ?? settings.isWhispered
            settings.volume = Gain(factor: settings.volume.factor * Float(order.volume ?? 1))
            if order.voice.name != nil, speaker === session { settings.language = order.voice.language }
            settings.lexicon = lexicon
            settings.priority = order.priority
            settings.fallsBack = order.fallsBack
            settings.avoids = order.fallsBack ? resting : []
            settings.want([.sentences, .words])
            return settings
        }
        let notices = ServiceNotices(replacement.map { [.voiceReplaced($0)] } ?? []) { [failing, now] notice in
            guard case .voiceReplaced(let replacement) = notice, let engine = replacement.error.brokenEngine,
                let rest = failing.update({ $0.fail(engine, at: now()) ? $0.rest : nil })
            else { return nil }
            return .engineRests(engine, rest)
        }
        return ServiceSpeech(speech, count, notices) { [sweeping] in
            share?.end()
            sweeping.update { $0.changes += 1 }
        }
    }

    /// What decides how engines speak here.
    package var identity: HostIdentity { backend.identity }

    /// The lanes of a model, for a program that makes its sound itself; nil = the plugin is none of those that are used here.
    package func lanes(of plugin: String, _ load: LoadRequest) -> LanePool? {
        backend.lanes(of: plugin, load)
    }

    /// Something was loaded or spoken, so that something else may have to go.
    package func noteUse() { sweeping.update { $0.changes += 1 } }

    /// A session of the voice that is meant, or of who speaks for it.
    private func begin(
        _ order: SpeechOrder, _ known: SpeechVoice?, _ backend: any ServiceBackend
    ) throws(SpeechError) -> (SpeechSession, VoiceReplacement?) {
        var found = known
        do {
            let voice: SpeechVoice
            if let known { voice = known } else { voice = try backend.voice(order.voice) }
            found = voice
            return (try backend.session(voice), nil)
        } catch {
            guard order.fallsBack, let replacement = backend.standIn(for: order.voice, found, after: error) else {
                throw error
            }
            return (try backend.session(replacement.other), replacement)
        }
    }

    /// What a voice may be asked for, as by the command line.
    private static func clamped(_ factor: Double) -> Double { min(max(factor, 0.25), 4) }

    /// What is spoken, and what it takes; nil = next to nothing.
    private func source(
        of text: SpeechOrder.Text
    ) throws(SpeechError) -> (any TextSource, TextBudget.Share?) {
        switch text {
        case .plain(let text):
            let count = text.utf8.count
            let (source, share) = try texts.read(
                count, factor: Self.plainFactor, weight: { _ in count * Self.plainFactor }
            ) { () throws(SpeechError) in try GivenText(text) }
            return (source, share)
        case .script(let text, let form):
            let count = text.utf8.count
            let (script, share) = try texts.read(
                count, factor: Self.scriptFactor, weight: { _ in count * Self.scriptFactor }
            ) { () throws(SpeechError) in
                // Text from outside names no file.
                try SpokenScript(Array(text.utf8), as: form)
            }
            return (try ScriptSource(script), share)
        case .read(let script): return (try ScriptSource(script), nil)
        case .live(let text): return (text.source, nil)
        }
    }

    /// Bytes in memory for each of a text: of a plain one, which is cut as it is spoken, and of a script, which is read in
    /// pieces.
    private static let plainFactor = 4
    private static let scriptFactor = 24

    /// Drops models until the service ends: those that are idle, and while memory is short the one that was used longest ago.
    private static func sweep(
        _ warm: WarmModels, _ sweeping: Monitor<(isStopped: Bool, changes: Int)>, _ limits: ServiceLimits,
        _ memory: () -> UInt64
    ) {
        var seen = 0
        var trimming = HeapTrimming()
        while true {
            var wait = warm.dropIdle().map { max(.milliseconds(10), $0 - .now) }
            // The memory of what is dropped comes back after a while.
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
