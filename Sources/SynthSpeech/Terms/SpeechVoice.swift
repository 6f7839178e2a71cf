package import SynthCatalogue
package import SynthEngineWire
@_exported public import struct SynthSystem.SpeechError

/// A voice that is known here, whether it could speak now or not.
public struct SpeechVoice: Hashable, Sendable, Identifiable {
    /// Whether a voice can speak.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// It could speak now.
        case ready
        /// This many bytes must be downloaded first.
        case notDownloaded(bytes: Int64)
        /// Its engine cannot speak it, or is not here.
        case unusable(SpeechError)
    }

    /// How its engine calls it; unique for the engine.
    public let id: String
    /// The id of its engine.
    public let engine: String
    /// What people call it: "Heart".
    public let name: String
    /// Name and accent, or the names of a blend: "Heart (American)".
    public let title: String
    /// BCP-47.
    public let language: String
    /// "American"; nil if the language says it all.
    public let accent: String?
    /// "female", "male" or "neutral".
    public let gender: String?
    /// "x_low" to "high", or a grade from "A" to "F"; nil = not known.
    public let quality: String?
    /// SPDX, or the name that its makers gave it.
    public let licence: String?
    /// The names of its speakers; empty = one speaker without a name.
    public let speakers: [String]
    /// Bytes of all its files, its model's included.
    public let size: Int64
    /// Whether it could speak, when it was asked for.
    public let state: State
    /// How the user tuned it, when it was asked for. Of a blend: its heaviest voice, the first of equal ones; so are
    /// the marks.
    public let profile: VoiceProfile
    /// Whether the user wants to see it first.
    public let isFavourite: Bool
    /// Whether lists should leave it out. It speaks all the same.
    public let isHidden: Bool
    package let choice: VoiceChoice

    package init(
        _ choice: VoiceChoice, state: State, profile: VoiceProfile, isFavourite: Bool = false, isHidden: Bool = false
    ) {
        let voice = choice.voice
        id = voice.id
        engine = voice.engine
        name = voice.name
        title = choice.title
        language = voice.language
        accent = voice.accent
        gender = voice.gender?.rawValue
        quality = voice.quality ?? voice.grade
        licence = voice.licence
        speakers = voice.speakers
        size = voice.downloadSize
        self.state = state
        self.profile = profile
        self.isFavourite = isFavourite
        self.isHidden = isHidden
        self.choice = choice
    }

    /// Whether it is made of several voices.
    package var isBlend: Bool { choice.isBlend }
}

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

    /// How long its pauses are, as a factor from 0 to 4 of those for all voices; nil = not tuned.
    public var pause: Double?

    /// A profile that tunes what is not nil.
    public init(rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil, pause: Double? = nil) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.pause = pause
    }

    /// Whether it tunes nothing.
    public var isEmpty: Bool { self == VoiceProfile() }

    /// What is nil is taken from another one.
    package func filled(from other: VoiceProfile) -> VoiceProfile {
        VoiceProfile(
            rate: rate ?? other.rate, pitch: pitch ?? other.pitch, volume: volume ?? other.volume,
            pause: pause ?? other.pause)
    }
}

/// An engine that speaks here, as it describes itself.
public struct SpeechEngine: Hashable, Sendable, Identifiable {
    /// What the configuration calls it: "espeak-ng".
    public let id: String
    /// What people call it: "eSpeak NG".
    public let name: String
    /// Its own version.
    public let version: String
    /// SPDX, of the engine and what it links.
    public let licence: String
    /// Whether it speaks phonemes that a text holds (`SpeechOptions.readsPhonemes`).
    public let speaksPhonemes: Bool
    /// Whether two readings of a text can differ (`SpeechOptions.variation`).
    public let variesReadings: Bool
    /// Whether it tells when words sound (`SpeechOptions.events`).
    public let timesWords: Bool
    /// Whether it tells which phonemes it speaks, and when.
    public let timesPhonemes: Bool
    /// Whether it changes the pitch inside a sentence itself.
    public let shapesPitch: Bool
    /// Whether it whispers (`SpeechOptions.isWhispered`).
    public let whispers: Bool
    /// Voices that it names itself, whether they need files or not.
    package let voiceCount: Int
    /// The files that its voices use.
    package let roles: [Role]

    /// A kind of file that an engine's voices use.
    package struct Role: Hashable, Sendable {
        package let name: String
        /// It belongs to a voice, and not to the model that voices share.
        package let isOfVoice: Bool
        package let isOptional: Bool
    }

    package init(_ description: EngineDescription) {
        id = description.id
        name = description.name
        version = description.version
        licence = description.licence
        speaksPhonemes = description.capabilities.contains(.phonemes)
        variesReadings = description.capabilities.contains(.varies)
        timesWords = description.capabilities.contains(.wordTimes)
        timesPhonemes = description.capabilities.contains(.phonemeTimes)
        shapesPitch = description.capabilities.contains(.shapesPitch)
        whispers = description.capabilities.contains(.whispers)
        voiceCount = description.voices.count
        roles = description.roles.map { Role(name: $0.name, isOfVoice: $0.isOfVoice, isOptional: $0.isOptional) }
    }
}
