public import Engines

/// The user's settings for every run. A key that is not set has the default value here.
///
/// The names, types, ranges and help of the keys are in `ConfigurationKey.all`.
public struct Configuration: Equatable, Sendable {
    /// The engine that speaks; nil leaves the choice to the host.
    public var engine: String?
    /// The chosen voice of each engine, by name or id.
    public var voices: [String: String] = [:]
    /// How fast all voices speak, as a factor. The profile of a voice multiplies it, as it does `pitch` and `volume`.
    public var rate: Double = 1
    /// How high all voices speak, as a factor of the frequency.
    public var pitch: Double = 1
    /// How loud all voices speak, as a factor of the amplitude.
    public var volume: Double = 1
    /// The tuning of single voices, by what the file calls them.
    ///
    /// A program writes the engine and the id, "kokoro/af_heart", which no other voice has and which stays when a voice
    /// gets another name. Written by hand, a name, a name with its accent, an id or an alias will do; one that several
    /// voices share means all of them. If several names mean a voice, the strictest that has a factor gives it.
    public var profiles: [String: VoiceProfile] = [:]
    /// The voices to list first, named as in `profiles`.
    public var favourites: [String] = []
    /// The voices to leave out of lists, named as in `profiles`. They speak when they are named.
    public var hidden: [String] = []
    /// The paths of sounds, by the names that scripts call them. One that is not absolute counts from the folder of the
    /// file.
    public var clips: [String: String] = [:]
    /// The ALSA device; nil is the default one.
    public var device: String?
    /// The language of texts that do not name their own (BCP-47).
    public var language: String?
    /// The voices for words of other languages inside a text, by language (BCP-47). A language that is not named is spoken by
    /// a voice of the same engine if one is here, else by one of another.
    public var languages: [String: String] = [:]
    /// The voices for the names that OpenAI's voices have, such as "alloy", for programs that ask for them.
    public var openai: [String: String] = [:]
    /// Whether words of other languages stay with the voice of the text, also where it can only spell them.
    public var keepVoice = false
    /// The voices that speak on when the engine of another one fails, those of its language in this order, before any that
    /// nobody named; empty = nobody does, nil = those of the registry's engines.
    public var fallback: [String]?
    /// Whether missing voice files are downloaded without a question.
    public var autoDownload = false
    /// How long an engine may take before it counts as hung.
    public var limits = EngineLimits()

    /// The defaults.
    public init() {}
}

extension Configuration {
    /// How long a service does not ask an engine that fails again and again.
    package var engineRest: Duration { limits.rest }
}
