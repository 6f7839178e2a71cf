import Engines
import SynthHost

extension VoiceReplacement {
    /// What happened, and who speaks on.
    var sentence: String { "\(failure.message) \(speaker)." }

    /// The same on one line, for a program that goes on.
    var note: String {
        guard case .engine(let failure) = failure, let log = failure.log else { return sentence }
        return "\(sentence) Its log: \(log)"
    }

    private var speaker: String {
        let other = "\(other.title) of \(other.engine)"
        return voice.map { "\(other) speaks on for \($0.title)" } ?? "\(other) speaks instead"
    }
}
