import SynthAudio

/// How loud something is, compared with what it was.
public struct SoundLevel: Hashable, Sendable {
    let decibels: Decibels

    /// As it is.
    public static let unchanged = SoundLevel(decibels: Decibels(0))

    /// Silence.
    public static let silence = SoundLevel(decibels: Decibels(-.infinity))

    /// In decibels: -6 halves the amplitude, 0 changes nothing. More than 60 means 60, and what is no number means 0.
    public static func decibels(_ value: Double) -> SoundLevel {
        SoundLevel(decibels: Decibels(value.isNaN ? 0 : min(value, 60)))
    }

    /// As a factor of the amplitude: 0.5 halves it, 1 changes nothing, 0 and less are silence.
    public static func factor(_ value: Double) -> SoundLevel {
        decibels(value.isNaN ? 0 : Decibels(amplitude: value).value)
    }

    var factor: Float { Gain(decibels).factor }
}
