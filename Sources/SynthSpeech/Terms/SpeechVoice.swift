package import SynthCatalogue
package import SynthEngineWire
@_exported public import struct SynthSystem.SpeechError

/// A known voice, whether or not it can speak now.
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

    /// The engine's name for the voice, unique within the engine.
    public let id: String
    /// The ID of the voice's engine.
    public let engine: String
    /// The name for users: "Heart".
    public let name: String
    /// The name with the accent, or the names of a blend: "Heart (American)".
    public let title: String
    /// The language as a BCP-47 tag.
    public let language: String
    /// The accent, such as "American", or nil if the language determines it.
    public let accent: String?
    /// The gender: "female", "male" or "neutral".
    public let gender: String?
    /// The quality from "x_low" to "high", a grade from "A" to "F", or nil if it is unknown.
    public let quality: String?
    /// The license as an SPDX identifier or by the authors' name for it.
    public let licence: String?
    /// The names of the speakers. Empty for a single speaker without a name.
    public let speakers: [String]
    /// The total size of all files in bytes, including the model.
    public let size: Int64
    /// The availability at the time of the request.
    public let state: State
    /// The user's tuning at the time of the request. For a blend, the tuning and the flags belong to the voice with the
    /// greatest weight, or to the first of several such voices.
    public let profile: VoiceProfile
    /// Whether the user marked the voice as a favorite, so that lists show it first.
    public let isFavourite: Bool
    /// Whether lists should omit the voice. It can still be used.
    public let isHidden: Bool
    /// Whether the voice has files on disk, complete or not. Only the list of a library sets it.
    package let isRemovable: Bool
    package let choice: VoiceChoice

    /// - Parameter size: the size of the voice's files on disk, or nil for the download size.
    package init(
        _ choice: VoiceChoice, state: State, profile: VoiceProfile, isFavourite: Bool = false, isHidden: Bool = false,
        size: Int64? = nil, isRemovable: Bool = false
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
        self.size = size ?? voice.downloadSize
        self.state = state
        self.profile = profile
        self.isFavourite = isFavourite
        self.isHidden = isHidden
        self.isRemovable = isRemovable
        self.choice = choice
    }

    /// Whether the voice is a blend.
    package var isBlend: Bool { choice.isBlend }

    /// A unique key of the form "ENGINE/ID".
    package var key: String { choice.voice.key }

    /// Its rank among the starter voices from 1, or nil if it is not a starter voice.
    package var starter: Int? { choice.voice.starter }

    /// The number of bytes to download. 0 if the voice is complete or cannot be downloaded.
    package var missing: Int64 { if case .notDownloaded(let bytes) = state { bytes } else { 0 } }
}

/// The user's tuning of a voice: its rate, pitch, volume and pauses.
///
/// Each factor is multiplied with the corresponding factor of the configuration for all voices (`Configuration.rate` and
/// so on), and the product is clamped to the range of that factor. A value from the caller, such as `SpeechOptions`, a
/// flag or the environment, replaces the product.
public struct VoiceProfile: Hashable, Sendable {
    /// The speed, a factor from 0.25 to 4. nil is the same as 1.
    public var rate: Double?
    /// The pitch, a factor on the frequency from 0.5 to 2. nil is the same as 1.
    public var pitch: Double?
    /// The volume, a factor on the amplitude from 0 to 4. nil is the same as 1. The output never clips.
    public var volume: Double?

    /// The length of pauses, a factor from 0 to 4 on the pauses for all voices. nil is the same as 1.
    public var pause: Double?

    /// Creates a profile. nil leaves a property untuned.
    public init(rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil, pause: Double? = nil) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.pause = pause
    }

    /// Whether the profile changes nothing.
    public var isEmpty: Bool { self == VoiceProfile() }

    /// Returns the profile with its nil properties taken from another one.
    package func filled(from other: VoiceProfile) -> VoiceProfile {
        VoiceProfile(
            rate: rate ?? other.rate, pitch: pitch ?? other.pitch, volume: volume ?? other.volume,
            pause: pause ?? other.pause)
    }
}

/// An installed speech engine, as it describes itself.
public struct SpeechEngine: Hashable, Sendable, Identifiable {
    /// The ID in the configuration: "espeak-ng".
    public let id: String
    /// The name for users: "eSpeak NG".
    public let name: String
    /// The engine's version.
    public let version: String
    /// The SPDX license expression of the engine and the libraries it links.
    public let licence: String
    /// Whether it can speak phonemes in a text (`SpeechOptions.readsPhonemes`).
    public let speaksPhonemes: Bool
    /// Whether readings of a text can vary (`SpeechOptions.variation`).
    public let variesReadings: Bool
    /// Whether it reports word timings (`SpeechOptions.events`).
    public let timesWords: Bool
    /// Whether it reports phonemes and their timings.
    public let timesPhonemes: Bool
    /// Whether it supports pitch changes within a sentence.
    public let shapesPitch: Bool
    /// Whether it supports whispering (`SpeechOptions.isWhispered`).
    public let whispers: Bool
    /// Whether it is an example that does not produce speech.
    package let isExample: Bool
    /// The number of voices that the engine lists itself, including voices that need downloads.
    package let voiceCount: Int
    /// The roles of the files that its voices use.
    package let roles: [Role]

    /// A role of a file that an engine's voices use.
    package struct Role: Hashable, Sendable {
        package let name: String
        /// Whether the file belongs to a voice rather than to the model that voices share.
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
        isExample = description.capabilities.contains(.isExample)
        voiceCount = description.voices.count
        roles = description.roles.map { Role(name: $0.name, isOfVoice: $0.isOfVoice, isOptional: $0.isOptional) }
    }
}
