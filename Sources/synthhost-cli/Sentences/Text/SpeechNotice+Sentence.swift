import SynthHost
import Terminal

extension SpeechNotice {
    /// What was done otherwise than the text asks.
    var sentence: String {
        switch self {
        case .phonemesLeftOut(let engine):
            "The engine \(engine) takes no phonemes: it spoke the words instead, if there were any."
        case .voiceReplaced(let replacement): replacement.note
        case .engineRests(let engine, let time):
            "The engine \(engine) fails again and again: other voices speak for its own for \(Readable.duration(time))."
        @unknown default: "\(self)"
        }
    }
}
