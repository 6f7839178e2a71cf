package import SynthCatalogue
package import SynthEngineWire
@_exported public import struct SynthSystem.SpeechError

/// A known voice, whether or not it is ready.
public struct SpeechVoice: Hashable, Sendable, Identifiable {
    /// The availability of a voice.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// The voice can speak now.
        case ready
        /// The voice must be downloaded first. The associated value is the number of bytes.
        case notDownloaded(bytes: Int64)
        /// The engine cannot use the voice, or is not installed.
        case unusable(SpeechError)
    }

    /// The engine's ID for the voice, unique within the engine.
    public let id: String
    /// The ID of the voice's engine.
    public let engine: String
    /// The display name, such as "Heart".
    public let name: String
    /// The display name with the accent, such as "Heart (American)", or the names of a blend.
    public let title: String
    /// The language (BCP 47).
    public let language: String
    /// The accent, such as "American", or nil if the language implies it.
    public let accent: String?
    /// The gender: "female", "male" or "neutral".
    public let gender: String?
    /// The quality, from "x_low" to "high" or as a grade from "A" to "F", or nil if it is unknown.
    public let quality: String?
    /// The license, as an SPDX identifier or the authors' name for it.
    public let licence: String?
    /// The names of the speakers. Empty for a single speaker without a name.
    public let speakers: [String]
    /// The total size of all files in bytes, including the model.
    public let size: Int64
    /// The availability at the time the voice was obtained.
    public let state: State
    /// The user's tuning at the time the voice was obtained. The tuning and marks of a blend are those of the voice with the greatest
    /// weight, or of the first of several such voices.
    public let profile: VoiceProfile
    /// Whether the user marked the voice as a favorite, to be listed first.
    public let isFavourite: Bool
    /// Whether the user hid the voice from lists. It can still be used.
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

    /// Whether the voice is a blend.
    package var isBlend: Bool { choice.isBlend }
}

/// The user's tuning of a voice: its rate, pitch, volume and pauses.
///
/// Each factor is multiplied by the corresponding factor for all voices (`Configuration.rate` and so on), and the product is clamped to the
/// factor's range. A value from the caller, such as `SpeechOptions`, a flag or the environment, replaces the product.
public struct VoiceProfile: Hashable, Sendable {
    /// The speed factor, from 0.25 to 4. nil is equivalent to 1.
    public var rate: Double?
    /// The pitch factor, applied to the frequency, from 0.5 to 2. nil is equivalent to 1.
    public var pitch: Double?
    /// The volume factor, applied to the amplitude, from 0 to 4. nil is equivalent to 1. The output never clips.
    public var volume: Double?

    /// The pause factor, applied to the pauses for all voices, from 0 to 4. nil is equivalent to 1.
    public var pause: Double?

    /// Creates a profile. nil properties have no effect.
    public init(rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil, pause: Double? = nil) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.pause = pause
    }

    /// Whether the profile changes nothing.
    public var isEmpty: Bool { self == VoiceProfile() }

    /// Returns the profile with nil properties filled in from another profile.
    package func filled(from other: VoiceProfile) -> VoiceProfile {
        VoiceProfile(
            rate: rate ?? other.rate, pitch: pitch ?? other.pitch, volume: volume ?? other.volume,
            pause: pause ?? other.pause)
    }
}

/// An installed speech engine, as it describes itself.
public struct SpeechEngine: Hashable, Sendable, Identifiable {
    /// The ID in the configuration, such as "espeak-ng".
    public let id: String
    /// The display name, such as "eSpeak NG".
    public let name: String
    /// The engine's version.
    public let version: String
    /// The SPDX license expression for the engine and the libraries that it links.
    public let licence: String
    /// Whether the engine can speak phonemes in the text (`SpeechOptions.readsPhonemes`).
    public let speaksPhonemes: Bool
    /// Whether readings of the same text can vary (`SpeechOptions.variation`).
    public let variesReadings: Bool
    /// Whether the engine reports word timings (`SpeechOptions.events`).
    public let timesWords: Bool
    /// Whether the engine reports phonemes and their timings.
    public let timesPhonemes: Bool
    /// Whether the engine supports pitch changes within a sentence.
    public let shapesPitch: Bool
    /// Whether the engine supports whispering (`SpeechOptions.isWhispered`).
    public let whispers: Bool
    /// The number of voices that the engine itself lists, including those that must be downloaded.
    package let voiceCount: Int
    /// The roles of the files used by the engine's voices.
    package let roles: [Role]

    /// The role of a file used by the engine's voices.
    package struct Role: Hashable, Sendable {
        package let name: String
        /// Whether the file belongs to a single voice rather than to a shared model.
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
