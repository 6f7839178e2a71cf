package import SynthCatalogue
package import SynthEngineWire
@_exported public import struct SynthSystem.SpeechError

/// A known voice, which may or may not be ready to speak.
public struct SpeechVoice: Hashable, Sendable, Identifiable {
    /// The availability of a voice.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// The voice can speak now.
        case ready
        /// The voice must be downloaded first. The associated value is the download size in bytes.
        case notDownloaded(bytes: Int64)
        /// The engine cannot use the voice, or is not installed.
        case unusable(SpeechError)
    }

    /// The voice's ID, which is unique within its engine.
    public var id: String { choice.voice.id }
    /// The ID of the voice's engine.
    public var engine: String { choice.voice.engine }
    /// The display name, such as "Heart".
    public var name: String { choice.voice.name }
    /// The display name with the accent, such as "Heart (American)". For a blend, the names of its voices.
    public var title: String { choice.title }
    /// The language (BCP 47).
    public var language: String { choice.voice.language }
    /// The accent, such as "American", or nil if it follows from the language.
    public var accent: String? { choice.voice.accent }
    /// The gender: "female", "male" or "neutral".
    public var gender: String? { choice.voice.gender?.rawValue }
    /// The quality, from "x_low" to "high" or from "A" to "F", or nil if it is unknown.
    public var quality: String? { choice.voice.quality ?? choice.voice.grade }
    /// The license: an SPDX identifier or the name that the authors use.
    public var license: String? { choice.voice.license }
    /// The speaker names. Empty if the only speaker has no name.
    public var speakers: [String] { choice.voice.speakers }
    /// The total size of all files in bytes, including the model.
    public let size: Int64
    /// The availability when this value was created.
    public let state: State
    /// The user's tuning when this value was created. A blend uses the tuning and flags of the voice with the greatest
    /// weight or, if several voices share that weight, of the first such voice.
    public let profile: VoiceProfile
    /// Whether the user marked the voice as a favorite. Favorites are listed first.
    public let isFavorite: Bool
    /// Whether the user hid the voice from lists. A hidden voice can still be used.
    public let isHidden: Bool
    /// Whether some or all of the voice's files are on disk. Set only in a library's voice list.
    package let isRemovable: Bool
    package let choice: VoiceChoice

    /// - Parameter size: the size of the voice's files on disk, or nil to use the download size.
    package init(
        _ choice: VoiceChoice, state: State, profile: VoiceProfile, isFavorite: Bool = false, isHidden: Bool = false,
        size: Int64? = nil, isRemovable: Bool = false
    ) {
        self.size = size ?? choice.voice.downloadSize
        self.state = state
        self.profile = profile
        self.isFavorite = isFavorite
        self.isHidden = isHidden
        self.isRemovable = isRemovable
        self.choice = choice
    }

    /// Whether the voice is a blend.
    package var isBlend: Bool { choice.isBlend }

    /// A unique key of the form "ENGINE/ID".
    package var key: String { choice.voice.key }

    /// The rank among the starter voices, starting at 1, or nil if this is not a starter voice.
    package var starter: Int? { choice.voice.starter }

    /// The number of bytes to download, or 0 if the voice is complete or cannot be downloaded.
    package var missing: Int64 { if case .notDownloaded(let bytes) = state { bytes } else { 0 } }
}

/// The user's tuning of a voice: rate, pitch, volume and pauses.
///
/// Each factor is multiplied by the corresponding factor for all voices (such as `Configuration.rate`), and the product is
/// clamped to the factor's range. A value from `SpeechOptions`, a command-line option or the environment replaces the
/// product.
public struct VoiceProfile: Hashable, Sendable {
    /// The speed factor, from 0.25 to 4. nil means 1.
    public var rate: Double?
    /// The pitch factor, applied to the frequency, from 0.5 to 2. nil means 1.
    public var pitch: Double?
    /// The volume factor, applied to the amplitude, from 0 to 4. nil means 1. The output never clips.
    public var volume: Double?

    /// The pause factor, applied to the pauses for all voices, from 0 to 4. nil means 1.
    public var pause: Double?

    /// Creates a profile. nil properties have no effect.
    public init(rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil, pause: Double? = nil) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.pause = pause
    }

    /// Whether the profile has no effect.
    public var isEmpty: Bool { self == VoiceProfile() }

    /// Returns a copy whose nil properties are filled in from another profile.
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
    public let license: String
    /// Whether the engine can speak phonemes in the text (`SpeechOptions.readsPhonemes`).
    public let speaksPhonemes: Bool
    /// Whether the same text can produce different audio each time (`SpeechOptions.variation`).
    public let variesReadings: Bool
    /// Whether the engine reports word timings (`SpeechOptions.events`).
    public let timesWords: Bool
    /// Whether the engine reports phonemes and their timings.
    public let timesPhonemes: Bool
    /// Whether the engine supports pitch changes within a sentence.
    public let shapesPitch: Bool
    /// Whether the engine supports whispering (`SpeechOptions.isWhispered`).
    public let whispers: Bool
    /// Whether the engine is an example that does not produce speech.
    package let isExample: Bool
    /// The number of voices that the engine lists, including voices that must be downloaded.
    package let voiceCount: Int
    /// The file roles that the engine's voices use.
    package let roles: [RoleDescription]

    package init(_ description: EngineDescription) {
        id = description.id
        name = description.name
        version = description.version
        license = description.license
        speaksPhonemes = description.capabilities.contains(.phonemes)
        variesReadings = description.capabilities.contains(.varies)
        timesWords = description.capabilities.contains(.wordTimes)
        timesPhonemes = description.capabilities.contains(.phonemeTimes)
        shapesPitch = description.capabilities.contains(.shapesPitch)
        whispers = description.capabilities.contains(.whispers)
        isExample = description.capabilities.contains(.isExample)
        voiceCount = description.voices.count
        roles = description.roles
    }
}
