import SynthScript
import SynthSystem

/// Divides text into turns, each spoken by a single voice. The current turn is itself a text source. Not thread-safe,
/// except for `stop`.
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
        // An engine that reports word timings can locate a mark within a sentence.
        if !engine.timesWords, utterance.marks.contains(where: { $0.offset > 0 }) {
            parts = parts.flatMap(\.cutAtMarks)
        }
        waiting = (parts.dropFirst().map { ScriptStep.utterance($0) } + waiting)[...]
        given = parts.first.map { .utterance($0) }
        return given
    }

    /// Puts back the last step because it was not spoken. If `source` is not nil, puts back only the part from that
    /// document position onward.
    func takeBack(from source: Int?) {
        guard case .utterance(let utterance)? = given else { return }
        waiting.insert(.utterance(source.map { utterance.rest(from: $0) } ?? utterance), at: waiting.startIndex)
        given = nil
    }

    /// Returns nil if any player can handle the step.
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
