import SynthScript
import SynthSystem

/// Finds words whose letters the voice of a text cannot read, and who speaks them instead. Used by one thread at a time, but
/// for `stop`.
final class LanguageSwitch: Sendable {
    private struct State {
        var isStopped = false
        /// Ends the loading of a voice that is under way.
        var giveUp: (@Sendable () -> Void)?
        /// Whether the voice of a session can be used.
        var isUsable: [ObjectIdentifier: Bool] = [:]
    }
    private let cast: ScriptCast
    /// Whether words of other languages stay with the voice of the text.
    let keepsVoice: Bool
    private let textLanguage: String?
    private let loads: Bool
    private let state = Monitor(State())

    /// - Parameters:
    ///   - settings: of the main voice.
    ///   - loads: a voice counts only if it can be loaded. What fails is tried once.
    init(_ cast: ScriptCast, _ settings: SpeechSettings, loads: Bool = true) {
        self.cast = cast
        self.loads = loads
        keepsVoice = settings.keepsVoice
        textLanguage = settings.language
    }

    /// From any thread: ends the waiting for a voice that others use. A loading that has begun comes to its end.
    func stop() {
        let giveUp = state.update { state in
            state.isStopped = true
            return state.giveUp
        }
        giveUp?()
    }

    /// An utterance in parts, each in the language of one voice.
    ///
    /// - Parameters:
    ///   - session: speaks it; nil = the main one.
    ///   - speaking: holds its voice now, on the thread that asks.
    func cut(
        _ utterance: Utterance, spokenBy session: SpeechSession?, while speaking: SpeechSession?
    ) throws(SpeechError) -> [Utterance] {
        if keepsVoice {
            var utterance = utterance
            utterance.style.language = nil
            return [utterance]
        }
        let session = session ?? cast.main.session
        let own = session === cast.main.session ? textLanguage : nil
        let language = utterance.style.language ?? own ?? session.voice.language
        return try utterance.cutAtLanguages(language) { language throws(SpeechError) in
            let player = try cast.player(of: ScriptRole(voice: nil, language: language))
            // One of another language was named by the user.
            guard player.speaksLanguage || player.session !== cast.main.session else { return false }
            return player.session === session || player.session === speaking || isUsable(player.session)
        }
    }

    private func isUsable(_ session: SpeechSession) -> Bool {
        guard loads else { return true }
        let id = ObjectIdentifier(session)
        if let known = state.read({ $0.isUsable[id] }) { return known }
        let isUsable = session.canLoad { giveUp in
            let isStopped = state.update { state in
                state.giveUp = giveUp
                return state.isStopped
            }
            if isStopped { giveUp() }
        }
        state.update { state in
            state.giveUp = nil
            state.isUsable[id] = isUsable
        }
        return isUsable
    }
}
