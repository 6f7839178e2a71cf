import SynthScript
public import SynthSystem

extension SpeechSession {
    /// Determines how each passage of the text would be read, and by which voice, without synthesizing it. Blocks until
    /// the entire text has been processed.
    ///
    /// - Parameter pronounces: whether to load the engines and get the phonemes that they would speak.
    package func preview<Failure>(
        _ text: any TextSource, _ settings: (SpeechSession) -> SpeechSettings, pronounces: Bool = false,
        _ take: (PreparedSentence) throws(Failure) -> Void
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

    private func preview(_ step: ScriptStep, _ settings: SpeechSettings, isPlain: Bool) -> PreparedSentence? {
        guard let utterance = step.utterance else { return nil }
        let language = utterance.style.language ?? settings.language ?? voice.language
        let prepared = preparation(settings).prepare(utterance, in: language, isPlain: isPlain)
        let spoken = prepared.map { SpokenForm($0, takesPhonemes: engine.speaksPhonemes).text }
        let notices =
            engine.speaksPhonemes ? nil : prepared.map { SpeechNotice.phonemesSkipped(of: $0, engine: engine.id) }
        return PreparedSentence(
            written: utterance.text, spoken: spoken ?? "", notices: notices ?? [], source: utterance.sourceRange,
            language: language, voice: voice.title, utterance: prepared)
    }
}

extension SpeechSession {
    /// Returns the sentences of a text as they would be spoken, without speaking them. Numbers, dates and abbreviations
    /// are expanded to words, and phonemes are included on request.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - form: the text's format, or nil for plain text.
    ///   - options: the options with which the text would be spoken.
    ///   - withPhonemes: whether to load the engine and get the phonemes of each word.
    /// - Throws: the same errors as speaking the text, such as `scriptInvalid`, `voiceUnknown` or `engineCrashed`.
    public func prepare(
        _ text: String, as form: SpeechForm? = nil, _ options: SpeechOptions = SpeechOptions(),
        withPhonemes: Bool = false
    ) async throws(SpeechError) -> [PreparedSentence] {
        try await onThread("preparation") { [self] () throws(SpeechError) in
            let text: any TextSource =
                if let form {
                    try ScriptSource(try SpokenScript(Array(text.utf8), as: form), clips: source.clips)
                } else {
                    try CompleteText(text)
                }
            var sentences: [PreparedSentence] = []
            _ = try preview(text, { settings(options, of: $0) }, pronounces: withPhonemes) { sentences.append($0) }
            return sentences
        }
    }
}

/// A sentence, both as it is written and as it would be spoken.
public struct PreparedSentence: Sendable {
    /// The text as it is written.
    public let written: String
    /// The text that the engine speaks. Empty if the sentence contains no speech.
    public let spoken: String
    /// The deviations from the text or from the lexicon.
    package let notices: [SpeechNotice]
    /// The UTF-8 byte range in the text.
    public let source: Range<Int>
    /// The language (BCP 47).
    public let language: String
    /// The title of the voice that speaks the sentence.
    public let voice: String
    /// The words with their phonemes, or nil if they were not requested or the engine does not report phonemes.
    public fileprivate(set) var words: [PronouncedWord]?
    fileprivate let utterance: Utterance?
}
