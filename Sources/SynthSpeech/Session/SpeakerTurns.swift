import SynthScript
import SynthSystem

/// Divides text into turns, each spoken by a single voice. Acts as the text source for the current turn. Not
/// thread-safe, except for `stop`.
final class SpeakerTurns: TextSource, @unchecked Sendable {
    private let source: any TextSource
    /// The most recently returned step.
    private var given: ScriptStep?
    /// Steps that have been read but not returned.
    private var waiting: ArraySlice<ScriptStep> = []
    private var isAtEnd = false
    /// The player of the current turn.
    private var player: ScriptPlayer?
    private let cast: ScriptCast
    private let languages: LanguageSwitch
    /// The player of the first turn, known in advance so that its voice can be loaded while the text is still arriving.
    /// nil if the player depends on the text.
    private var first: ScriptPlayer?

    /// - Parameter beginsWithMain: whether to load the main voice before reading the text.
    init(_ source: any TextSource, _ cast: ScriptCast, _ languages: LanguageSwitch, beginsWithMain: Bool = false) {
        self.source = source
        self.cast = cast
        self.languages = languages
        first = beginsWithMain ? cast.main : nil
    }

    var byteCount: Int? { source.byteCount }
    var file: RegularFile? { source.file }
    var isPlain: Bool { source.isPlain }

    func stop() {
        languages.stop()
        source.stop()
    }

    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        source.beginSoon(ifAwaited: isAwaited)
    }

    /// Starts the next turn and returns its player, or nil at the end.
    func begin() throws(SpeechError) -> ScriptPlayer? {
        given = nil
        if let first {
            player = first
            self.first = nil
            return first
        }
        guard let step = try peek() else { return nil }
        let next = try player(of: step) ?? player.map(cast.orFallback) ?? cast.main
        player = next
        return next
    }

    /// Returns the next step in this turn, or nil after the last one.
    func next() throws(SpeechError) -> ScriptStep? {
        given = nil
        guard let step = try peek(), let player else { return nil }
        if let other = try self.player(of: step), other.session !== player.session { return nil }
        waiting.removeFirst()
        guard case .utterance(var utterance) = step else { return step }
        if try self.player(of: step)?.speaksLanguage == false { utterance.style.language = nil }
        let engine = player.session.engine
        var parts = [utterance]
        if !engine.shapesPitch, !utterance.pitches.isEmpty { parts = utterance.cutAtPitches }
        // The engine cannot locate a mark within a sentence if it does not report word timings.
        if !engine.timesWords, utterance.marks.contains(where: { $0.offset > 0 }) {
            parts = parts.flatMap(\.cutAtMarks)
        }
        waiting = (parts.dropFirst().map { ScriptStep.utterance($0) } + waiting)[...]
        given = parts.first.map { .utterance($0) }
        return given
    }

    /// Puts back the last step because it was not spoken. If `source` is not nil, puts back only the part that starts
    /// at that document position.
    func takeBack(from source: Int?) {
        guard case .utterance(let utterance)? = given else { return }
        waiting.insert(.utterance(source.map { utterance.rest(from: $0) } ?? utterance), at: waiting.startIndex)
        given = nil
    }

    /// Returns the player that the step requires, or nil if any player can handle the step.
    private func player(of step: ScriptStep) throws(SpeechError) -> ScriptPlayer? {
        guard case .utterance(let utterance) = step else { return nil }
        return try cast.player(of: ScriptRole(utterance.style))
    }

    private func peek() throws(SpeechError) -> ScriptStep? {
        if let step = waiting.first { return step }
        if isAtEnd { return nil }
        guard let step = try source.next() else {
            isAtEnd = true
            return nil
        }
        waiting = try inLanguages(step)[...]
        return waiting.first
    }

    private func inLanguages(_ step: ScriptStep) throws(SpeechError) -> [ScriptStep] {
        guard case .utterance(let utterance) = step else { return [step] }
        let speaker = languages.keepsVoice ? nil : try player(of: step)?.session
        return try languages.cut(utterance, spokenBy: speaker, while: player?.session).map { .utterance($0) }
    }
}

/// Finds words, such as Cyrillic ones, that the current voice cannot read because they are in another language, and
/// chooses another voice to speak them. Not thread-safe, except for `stop`.
final class LanguageSwitch: Sendable {
    private struct State {
        var isStopped = false
        /// Stops waiting for the voice that is being loaded.
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

    /// Splits an utterance into parts, each with a single language and voice.
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
            // Any session other than the main one was configured for this language, so it is used even if its voice
            // does not support the language.
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
