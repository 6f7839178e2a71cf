import EngineWire
import SpeechScript
import SynthAudio

/// What an engine does of the rate and the pitch of an utterance, and what is made up for afterwards.
struct UtteranceTuning {
    /// The factors that the engine is asked for.
    let engineRate: Double
    let enginePitch: Double
    /// The factors by which its sound is changed.
    let tempo: Double
    let pitch: Double
    /// The factor of the amplitude.
    let volume: Float
    /// How much faster than usual it sounds in all.
    let rate: Double

    /// - Parameters:
    ///   - settings: what holds for all of the text.
    ///   - style: what the utterance's part of it asks for, on top.
    init(_ settings: SpeechSettings, _ style: ScriptStyle, _ engine: EngineDescription) {
        engineRate = settings.rate.clamped(to: engine.rate)
        // Engines keep to a rate by some percent: phonemes last whole frames. A part that is to be twice as fast as what is
        // around it is exactly that.
        tempo =
            style.rate == 1
            ? settings.rate / engineRate
            : (settings.rate * style.rate).clamped(to: TempoStretch.tempoRange) / engineRate
        let wholePitch =
            style.pitch == 1
            ? settings.pitch : (settings.pitch * style.pitch).clamped(to: TempoStretch.pitchRange)
        enginePitch = wholePitch.clamped(to: engine.pitch)
        pitch = wholePitch / enginePitch
        volume = settings.volume.factor * Float(style.volume)
        rate = engineRate * tempo
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Double {
        clamped(to: Double(range.lowerBound)...Double(range.upperBound))
    }

    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
