import SpeechServices
import SynthHost

extension ModuleWords.Note {
    /// What was done otherwise than the server asked.
    var sentence: String {
        switch self {
        case .failed(let failure): failure.sentence
        case .notLoaded(let failure): "A voice cannot be loaded. \(failure.sentence)"
        case .replaced(.phonemesLeftOut(let engine, let phonemes)):
            "The engine \(engine) did not speak \(phonemes.map { "/\($0.ipa)/" } ?? "more phonemes"); it spoke the words."
        case .replaced(.voiceReplaced(let replacement)):
            "\(replacement.failure.sentence) \(replacement.other.title) speaks instead."
        case .replaced(.engineRests(let engine, _)): "The engine \(engine) failed too often, and rests for a while."
        case .replaced(let notice): "\(notice)"
        }
    }
}
