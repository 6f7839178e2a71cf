package import VoiceCatalogue

/// How a voice is tuned: its own rate, pitch and volume.
///
/// Each factor is multiplied with the one of the configuration that applies to all voices (`Configuration.rate` and so
/// on), and the product is kept within the range of that one. What a caller asks for itself, as in `SpeechOptions`, a
/// flag or the environment, takes the place of the product.
public struct VoiceProfile: Hashable, Sendable {
    /// How fast, as a factor from 0.25 to 4; nil = not tuned, which is the same as 1.
    public var rate: Double?
    /// How high, as a factor of the frequency from 0.5 to 2; nil = not tuned.
    public var pitch: Double?
    /// How loud, as a factor of the amplitude from 0 to 4; nil = not tuned. Nothing clips.
    public var volume: Double?

    /// A profile that tunes what is not nil.
    public init(rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
    }

    /// Whether it tunes nothing.
    public var isEmpty: Bool { self == VoiceProfile() }

    /// - Throws: `notSettable` for the first factor that is out of its range.
    package func check(of voice: Voice) throws(ConfigurationError) {
        for factor in ProfileFactor.allCases {
            if let value = self[keyPath: factor.place] { try factor.check(value, of: voice) }
        }
    }

    /// What is nil is taken from another one.
    func filled(from other: VoiceProfile) -> VoiceProfile {
        VoiceProfile(rate: rate ?? other.rate, pitch: pitch ?? other.pitch, volume: volume ?? other.volume)
    }
}
