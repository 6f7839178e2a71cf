package import VoiceCatalogue

extension Configuration {
    /// The rate, pitch and volume in force for a voice: its profile times those for all voices. A blend has the profile
    /// of its heaviest voice, the first of equal ones.
    package func tuned(for choice: VoiceChoice) -> Configuration {
        if profiles.isEmpty { return self }
        let profile = VoiceMarks(self).profile(of: choice.heaviest.voice)
        var result = self
        result.rate = SpeechFactor.rate.product(rate, profile.rate)
        result.pitch = SpeechFactor.pitch.product(pitch, profile.pitch)
        result.volume = SpeechFactor.volume.product(volume, profile.volume)
        return result
    }
}

extension SpeechFactor {
    /// The product, kept within the range.
    fileprivate func product(_ factor: Double, _ other: Double?) -> Double {
        other.map { min(max(factor * $0, range.lowerBound), range.upperBound) } ?? factor
    }
}
