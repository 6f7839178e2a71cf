package import EngineWire

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
        voiceCount = description.voices.count
        roles = description.roles.map { Role(name: $0.name, isOfVoice: $0.isOfVoice, isOptional: $0.isOptional) }
    }
}
