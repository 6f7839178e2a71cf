import SynthHost
import Terminal

extension SpeechNotice {
    /// What was done otherwise than the text asks.
    var sentence: String {
        switch self {
        case .phonemesLeftOut(let engine, nil): "The engine \(engine) left out the phonemes of more words."
        case .phonemesLeftOut(let engine, let phonemes?): phonemes.sentence(engine)
        case .voiceReplaced(let replacement): replacement.note
        case .engineRests(let engine, let time):
            "The engine \(engine) fails again and again: other voices speak for its own for \(Readable.duration(time))."
        @unknown default: "\(self)"
        }
    }
}

extension SpeechNotice.Phonemes {
    /// What was spoken instead, and what to change.
    fileprivate func sentence(_ engine: String) -> String {
        let cause = reason ?? "The engine \(engine) takes no phonemes."
        let place = lexicon.map { $0.isEmpty ? " (line \(line) of the lexicon)" : " (line \(line) of \($0))" } ?? ""
        guard let word else { return "\(cause) [[\(ipa)]]\(place) was left out: write a word instead." }
        return "\(cause) “\(word)”\(place) was spoken as it is written, not as /\(ipa)/."
    }
}
