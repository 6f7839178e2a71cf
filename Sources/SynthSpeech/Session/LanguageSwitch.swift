import SynthScript
import SynthSystem

/// Finds words, such as Cyrillic ones, that the current voice cannot read because they are in another language, and
/// chooses another voice to speak them. Not thread-safe, except for `stop`.
final class LanguageSwitch: Sendable {
    private struct State {
        var isStopped = false
        /// Stops the wait for the voice that is being loaded.
        var giveUp: (@Sendable () -> Void)?
        /// Whether the voice of each session can be loaded.
        var isUsable: [ObjectIdentifier: Bool] = [:]
    }
    private let cast: ScriptCast
    /// Whether the current voice also speaks words in other languages.
    let keepsVoice: Bool
    private let textLanguage: String?
    private let loads: Bool
    private let state = Monitor(State())

    /// - Parameters:
    ///   - settings: the settings of the main voice.
    ///   - loads: whether a voice must load successfully before it is used. A voice that fails to load is not tried
    ///     again.
    init(_ cast: ScriptCast, _ settings: SpeechSettings, loads: Bool = true) {
        self.cast = cast
        self.loads = loads
        keepsVoice = settings.keepsVoice
        textLanguage = settings.language
    }

    /// Stops waiting for a voice that another request is using. If the voice is already being loaded, loading continues
    /// until it is complete. Can be called from any thread.
    func stop() {
        let giveUp = state.update { state in
            state.isStopped = true
            return state.giveUp
        }
        giveUp?()
    }

    /// Splits an utterance into parts that each have one language and voice.
    ///
    /// - Parameters:
    ///   - session: the session that speaks the utterance, or nil for the main session.
    ///   - speaking: the session whose lane the calling thread holds.
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
            // A session other than the main one was configured for this language, even if its voice does not support it.
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
