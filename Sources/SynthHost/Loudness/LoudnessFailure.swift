package import Engines
package import ModelStore
package import SynthAudio

/// Why the loudness of a voice is not known. It speaks all the same.
package enum LoudnessFailure: Error, Sendable {
    /// The engine could not speak, or was ended from outside.
    case engine(EngineFailure)
    /// What the engine gave cannot be measured.
    case meter(LoudnessError)
    /// The format changed between two sentences.
    case formatChanged
    /// It gave no sound, too little of it, or silence.
    case silent
    /// It was measured and could not be kept.
    case store(StoreError)
}
