import SynthScript
package import SynthSystem

extension SpeechSession {
    /// What would be said of a text, stretch by stretch, and by which voice. Blocks while the text is read; nothing is spoken.
    ///
    /// - Parameter pronounces: whether the engines are asked which phonemes they would speak, for which they are loaded.
    package func preview<Failure>(
        _ text: any TextSource, _ settings: (SpeechSession) -> SpeechSettings, pronounces: Bool = false,
        _ take: (PreparedStretch) throws(Failure) -> Void
    ) throws(SpeechError) -> Failure? {
        let own = settings(self)
        let cast = ScriptCast(self, find: source.findVoice)
        if let script = text as? ScriptSource { _ = try cast.gather(script.roles(in: own)) }
        let turns = VoiceTurns(text, cast, LanguageSwitch(cast, own, loads: false))
        while let player = try turns.begin() {
            while let step = try turns.next() {
                let session = player.session
                let asked = settings(session)
                guard var stretch = session.preview(step, asked, isPlain: text.isPlain) else { continue }
                if pronounces, let utterance = stretch.utterance {
                    stretch.words = try session.pronounced(
                        utterance, in: stretch.language, isNotation: asked.readsTokens)
                }
                do {
                    try take(stretch)
                } catch {
                    return error
                }
            }
        }
        return nil
    }

    private func preview(_ step: ScriptStep, _ settings: SpeechSettings, isPlain: Bool) -> PreparedStretch? {
        guard let utterance = step.utterance else { return nil }
        let language = utterance.style.language ?? settings.language ?? voice.language
        let prepared = preparation(settings).prepare(utterance, in: language, isPlain: isPlain)
        let said = prepared.map { SpokenForm($0, takesPhonemes: engine.speaksPhonemes).text }
        let notices =
            engine.speaksPhonemes ? nil : prepared.map { SpeechNotice.phonemesLeftOut(of: $0, engine: engine.id) }
        return PreparedStretch(
            written: utterance.text, said: said ?? "", notices: notices ?? [], source: utterance.sourceRange,
            language: language, voice: voice.title, utterance: prepared)
    }
}

/// A stretch of a text as it is written and as it is said.
package struct PreparedStretch: Sendable {
    package let written: String
    /// As the engine gets it; empty = nothing is said.
    package let said: String
    /// What is not said as the text or a lexicon asks.
    package let notices: [SpeechNotice]
    /// In bytes of the document.
    package let source: Range<Int>
    /// BCP-47.
    package let language: String
    /// The title of the voice.
    package let voice: String
    /// The words with their phonemes; nil = not asked for, or the engine does not tell them.
    package fileprivate(set) var words: [PronouncedWord]?
    /// What is said; nil = nothing.
    fileprivate let utterance: Utterance?
}
