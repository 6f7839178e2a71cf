import SynthHost
import VoiceCatalogue

/// Makes the items of a queue out of the files of `play`.
struct PlayItems {
    /// nil = nothing is spoken.
    let session: SpeechSession?
    let settings: SpeechSettings
    /// Of recorded sounds.
    let gain: SoundLevel

    func items(of input: PlayInput) -> [SpeechQueue.Item] {
        switch input.content {
        case .sound(let file): return [.clip(input.name, file, gain: gain)]
        case .text(let open):
            guard let session else { return [] }
            return [.speech(making: { () throws(SpeechFailure) in session.speak(try open(), settings) })]
        }
    }
}
