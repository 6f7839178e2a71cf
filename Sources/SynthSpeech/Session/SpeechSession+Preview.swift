import SynthScript
package import SynthSystem

extension SpeechSession {
    /// Determines how each passage of the text would be read and by which voice, without synthesizing the text. Blocks
    /// until the text has been read.
    ///
    /// - Parameter pronounces: whether to load the engines and get the phonemes that they would speak.
    package func preview<Failure>(
        _ text: any TextSource, _ settings: (SpeechSession) -> SpeechSettings, pronounces: Bool = false,
        _ take: (PreparedStretch) throws(Failure) -> Void
    ) throws(SpeechError) -> Failure? {
        let own = settings(self)
        let cast = ScriptCast(self, find: source.findVoice)
        if let script = text as? ScriptSource { _ = try cast.gather(script.roles(in: own)) }
        let turns = SpeakerTurns(text, cast, LanguageSwitch(cast, own, loads: false))
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
            engine.speaksPhonemes ? nil : prepared.map { SpeechNotice.phonemesSkipped(of: $0, engine: engine.id) }
        return PreparedStretch(
            written: utterance.text, said: said ?? "", notices: notices ?? [], source: utterance.sourceRange,
            language: language, voice: voice.title, utterance: prepared)
    }
}

/// A text passage, both as written and as normalized.
package struct PreparedStretch: Sendable {
    package let written: String
    /// The normalized text for the engine. Empty if the passage contains no speech.
    package let said: String
    /// The deviations from the text or from the lexicon.
    package let notices: [SpeechNotice]
    /// The byte range in the document.
    package let source: Range<Int>
    /// The passage's language (BCP 47).
    package let language: String
    /// The voice's title.
    package let voice: String
    /// The words with their phonemes, or nil if none were requested or the engine does not report them.
    package fileprivate(set) var words: [PronouncedWord]?
    fileprivate let utterance: Utterance?
}
