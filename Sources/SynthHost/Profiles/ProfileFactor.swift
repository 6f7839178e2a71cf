import VoiceCatalogue

/// One of the factors of a profile, by its name in the configuration.
enum ProfileFactor: String, CaseIterable, Sendable {
    case rate, pitch, volume

    var factor: SpeechFactor {
        switch self {
        case .rate: .rate
        case .pitch: .pitch
        case .volume: .volume
        }
    }

    var place: any WritableKeyPath<VoiceProfile, Double?> & Sendable {
        switch self {
        case .rate: \.rate
        case .pitch: \.pitch
        case .volume: \.volume
        }
    }

    /// - Throws: `notSettable` if a value is out of its range.
    func check(_ value: Double, of voice: Voice) throws(ConfigurationError) {
        if factor.range.contains(value) { return }
        throw .notSettable(
            key: ProfilePath(voice: voice.key, factor: self).of(voice.key), value: value.description,
            expected: factor.expectation)
    }
}
