import SpeechServices
import SynthHost

extension ModuleWords.Note {
    /// What was done otherwise than the server asked.
    var sentence: String {
        switch self {
        case .failed(let failure): failure.sentence
        case .notLoaded(let failure): "A voice cannot be loaded. \(failure.sentence)"
        case .replaced(.phonemesLeftOut(let engine)): "The engine \(engine) takes no phonemes; it spoke the words."
        case .replaced(.voiceReplaced(let voice, let other)): "\(voice) could not go on: \(other) spoke the rest."
        case .replaced(let notice): "\(notice)"
        }
    }
}
