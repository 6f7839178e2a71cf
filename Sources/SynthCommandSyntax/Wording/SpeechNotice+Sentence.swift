import SynthEngineProcesses
package import SynthHost
import SynthSystem
import SynthTerminal

extension SpeechNotice {
    /// A sentence that says how the speech differs from the request.
    package var sentence: String {
        switch self {
        case .phonemesSkipped(let engine, nil): "The engine \(engine) also ignored the phonemes of other words."
        case .phonemesSkipped(let engine, let phonemes?): phonemes.sentence(engine)
        case .contourSkipped(let engine):
            "The engine \(engine) cannot change the pitch within a sentence, so it uses the average pitch."
        case .whisperSkipped(let engine): "The engine \(engine) cannot whisper, so it speaks normally."
        case .soundSkipped(let address):
            "The audio file \(address) was skipped, because audio files are never downloaded."
        case .voiceReplaced(let replacement): replacement.note
        case .engineInCooldown(let engine, let time):
            "The engine \(engine) keeps failing, so other voices will be used for \(HumanReadable.duration(time))."
        @unknown default: "\(self)"
        }
    }
}

extension SpeechNotice.Phonemes {
    /// A sentence that names the phonemes that were not spoken, and the remedy.
    fileprivate func sentence(_ engine: String) -> String {
        let cause = reason ?? "The engine \(engine) does not accept phonemes."
        let location = lexicon.map { $0.isEmpty ? " (line \(line) of the lexicon)" : " (line \(line) of \($0))" } ?? ""
        guard let word else { return "\(cause) [[\(ipa)]]\(location) was skipped; write a word instead." }
        return "\(cause) \"\(word)\"\(location) was spoken as spelled, not as /\(ipa)/."
    }
}

extension VoiceReplacement {
    /// The error message, followed by the voice that takes over.
    package var sentence: String { "\(error.message) \(speaker)." }

    /// The sentence on one line, with the path of the engine's log.
    package var note: String {
        guard let log = (error.cause as? EngineFailure)?.log else { return sentence }
        return "\(sentence) The engine's log: \(log)"
    }

    private var speaker: String {
        let other = "\(other.title) from \(other.engine)"
        return voice.map { "\(other) takes over for \($0.title)" } ?? "\(other) speaks instead"
    }
}
