import SynthAudio
package import SynthHost
import System

/// Speaks for many clients with voices that stay loaded: the one queue behind every front end.
///
/// Each speech takes its turn utterance by utterance, the most urgent first and others in the order of asking, so that a book
/// delays nobody. Any thread may use it.
package final class SpeechService: Sendable {
    package let limits: ServiceLimits
    private let backend: any ServiceBackend
    private let warm: WarmVoices
    private let sweeping = Monitor((isStopped: false, changes: 0))

    package init(_ backend: any ServiceBackend, _ limits: ServiceLimits = ServiceLimits()) {
        self.backend = backend
        self.limits = limits
        warm = WarmVoices(backend, limits)
        let (warm, sweeping) = (warm, sweeping)
        startThread("idle-voices") { Self.sweep(warm, sweeping) }
    }

    deinit { sweeping.update { $0.isStopped = true } }

    /// All voices that are known, those that could speak now first. Blocks.
    package func voices() throws(SpeechFailure) -> [SpeechVoice] { try backend.voices() }

    /// How many voices are loaded.
    package var loadedVoices: Int { warm.count }

    /// Begins a speech. Blocks until its voice is found; the voice is loaded, and its sound made, as it is read.
    ///
    /// - Throws: what is wrong with the voice or the script.
    package func speak(_ order: SpeechOrder) throws(SpeechFailure) -> ServiceSpeech {
        let voice = try backend.voice(order.voice)
        let text = try source(of: order.text)
        let lexicon = try backend.lexicon()
        let session = try warm.begin(voice)
        sweeping.update { $0.changes += 1 }
        let speech = session.speak(text) { [backend] speaker in
            var settings = backend.settings(speaker.voice)
            settings.rate = Self.clamped(settings.rate * (order.rate ?? 1))
            settings.pitch = Self.clamped(settings.pitch * (order.pitch ?? 1))
            settings.volume = Gain(factor: settings.volume.factor * Float(order.volume ?? 1))
            if order.voice.name != nil, speaker === session { settings.language = order.voice.language }
            settings.lexicon = lexicon
            settings.priority = order.priority
            settings.fallsBack = true
            settings.want([.sentences, .words])
            return settings
        }
        return ServiceSpeech(speech) { [warm, sweeping] in
            warm.end(voice)
            sweeping.update { $0.changes += 1 }
        }
    }

    /// What a voice may be asked for, as by the command line.
    private static func clamped(_ factor: Double) -> Double { min(max(factor, 0.25), 4) }

    private func source(of text: SpeechOrder.Text) throws(SpeechFailure) -> any TextSource {
        switch text {
        case .plain(let text): try GivenText(text)
        // Text from outside names no file.
        case .script(let text, let form): try ScriptSource(try SpokenScript(Array(text.utf8), as: form))
        case .live(let text): text.source
        }
    }

    /// Drops idle voices until the service ends.
    private static func sweep(_ warm: WarmVoices, _ sweeping: Monitor<(isStopped: Bool, changes: Int)>) {
        var seen = 0
        while true {
            let next = warm.dropIdle()
            let wait = next.map { max(.milliseconds(10), $0 - .now) }
            let isStopped = sweeping.wait(timeout: wait) { state -> Bool? in
                if state.isStopped { return true }
                if state.changes == seen { return nil }
                seen = state.changes
                return false
            }
            if isStopped == true { return warm.close() }
        }
    }
}
