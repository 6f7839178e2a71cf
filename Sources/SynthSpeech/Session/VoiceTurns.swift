import SynthScript
import SynthSystem

/// A text in turns: what one voice speaks, until another one does. Each turn is a text of its own. Used by one thread at a
/// time, but for `stop`.
final class VoiceTurns: TextSource, @unchecked Sendable {
    private let source: any TextSource
    /// What was given last.
    private var given: ScriptStep?
    /// Those that are known to come next.
    private var waiting: ArraySlice<ScriptStep> = []
    private var isAtEnd = false
    /// Who speaks now, and how.
    private var player: ScriptPlayer?
    private let cast: ScriptCast
    private let languages: LanguageSwitch
    /// Who begins, so that a voice is loaded while its text is still being written; nil = whoever the text asks for.
    private var first: ScriptPlayer?

    /// - Parameter beginsWithMain: the text asks for no voice before it is read.
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

    /// Who speaks next; nil at the end. Begins that turn.
    func begin() throws(SpeechError) -> ScriptPlayer? {
        given = nil
        if let first {
            player = first
            self.first = nil
            return first
        }
        guard let step = try peek() else { return nil }
        let next = try player(of: step) ?? player.map(cast.standingIn) ?? cast.main
        player = next
        return next
    }

    /// The next step of this turn; nil after its last.
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
        // An engine that says when a word begins tells a mark inside a sentence.
        if !engine.timesWords, utterance.marks.contains(where: { $0.offset > 0 }) {
            parts = parts.flatMap(\.cutAtMarks)
        }
        waiting = (parts.dropFirst().map { ScriptStep.utterance($0) } + waiting)[...]
        given = parts.first.map { .utterance($0) }
        return given
    }

    /// Takes back what was given last, from a place in the document on: nobody has spoken it.
    func takeBack(from source: Int?) {
        guard case .utterance(let utterance)? = given else { return }
        waiting.insert(.utterance(source.map { utterance.rest(from: $0) } ?? utterance), at: waiting.startIndex)
        given = nil
    }

    /// nil if it does not matter who.
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
