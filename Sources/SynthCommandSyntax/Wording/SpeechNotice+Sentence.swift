import SynthEngineProcesses
package import SynthHost
import SynthSystem
import SynthTerminal

extension SpeechNotice {
    /// What was done otherwise than the text asks.
    package var sentence: String {
        switch self {
        case .phonemesLeftOut(let engine, nil): "The engine \(engine) left out the phonemes of more words."
        case .phonemesLeftOut(let engine, let phonemes?): phonemes.sentence(engine)
        case .contourLeftOut(let engine):
            "The engine \(engine) does not change the pitch inside a sentence: it speaks with the mean."
        case .whisperLeftOut(let engine): "The engine \(engine) does not whisper: it speaks as usual."
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
        return "\(cause) \"\(word)\"\(place) was spoken as it is written, not as /\(ipa)/."
    }
}

extension VoiceReplacement {
    /// What happened, and who speaks on.
    package var sentence: String { "\(error.message) \(speaker)." }

    /// The same on one line, for a program that goes on.
    package var note: String {
        guard let log = (error.cause as? EngineFailure)?.log else { return sentence }
        return "\(sentence) Its log: \(log)"
    }

    private var speaker: String {
        let other = "\(other.title) of \(other.engine)"
        return voice.map { "\(other) speaks on for \($0.title)" } ?? "\(other) speaks instead"
    }
}
