import SynthAudio
package import SynthCatalogue
import SynthEngineWire
package import SynthSpeech
import SynthSystem

extension Configuration: SpeechPresets {
    package func settings(_ options: SpeechOptions, for choice: VoiceChoice) -> SpeechSettings {
        SpeechSettings(options, presets: self, for: choice)
    }

    /// The effective configuration for a voice: the values for all voices multiplied by the voice's profile. The profile of a blend belongs
    /// to the voice with the greatest weight, or to the first of several such voices.
    package func tuned(for choice: VoiceChoice) -> Configuration {
        if profiles.isEmpty { return self }
        let profile = VoiceMarks(self).profile(of: choice.heaviest.voice)
        var result = self
        result.rate = SpeechFactor.rate.product(rate, profile.rate)
        result.pitch = SpeechFactor.pitch.product(pitch, profile.pitch)
        result.volume = SpeechFactor.volume.product(volume, profile.volume)
        if let pause = profile.pause { result.pauses = pauses.times(pause) }
        return result
    }
}

extension SpeechSettings {
    /// Creates the user's settings for a voice or a blend: the values for all voices multiplied by its profile.
    package init(_ configuration: Configuration, for choice: VoiceChoice) {
        self.init(configuration.tuned(for: choice))
    }

    /// Creates the user's settings for all voices.
    package init(_ configuration: Configuration) {
        self.init(
            rate: configuration.rate, pitch: configuration.pitch, volume: Gain(factor: Float(configuration.volume)))
        keepsVoice = configuration.keepVoice
        isWhispered = configuration.whisper
        pauses = configuration.pauses
    }

    package init(_ options: SpeechOptions, presets: Configuration, for choice: VoiceChoice) {
        self.init(options.usesProfile ? presets.tuned(for: choice) : presets)
        rate = options.rate ?? rate
        pitch = options.pitch ?? pitch
        volume = options.volume.map { Gain(factor: Float($0)) } ?? volume
        language = options.language
        keepsVoice = options.keepsVoice ?? keepsVoice
        pauses = options.pauses ?? pauses
        variation = options.variation
        intonation = options.intonation
        isWhispered = options.isWhispered ?? isWhispered
        readsTokens = options.readsPhonemes
        isVerbatim = options.isVerbatim
        wants = EventKinds(rawValue: options.events.rawValue)
    }
}

extension ClipLibrary {
    /// Creates a library with the clips of a configuration.
    ///
    /// - Parameter file: the configuration file. Relative paths are resolved against its folder.
    package init(_ configuration: Configuration, from file: ConfigurationFile, scope: ClipScope = .names) {
        let path = absolutePath(file.path)
        self.init(
            configured: configuration.clips, base: path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "",
            scope: scope)
    }
}

extension SpeechFactor {
    /// The product of the factors, clamped to the valid range.
    fileprivate func product(_ factor: Double, _ other: Double?) -> Double {
        other.map { min(max(factor * $0, range.lowerBound), range.upperBound) } ?? factor
    }
}
