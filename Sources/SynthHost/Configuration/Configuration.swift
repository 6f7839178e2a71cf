public import Engines

/// The user's settings for every run. A key that is not set has the default value here.
///
/// The names, types, ranges and help of the keys are in `ConfigurationKey.all`.
public struct Configuration: Equatable, Sendable {
    /// The engine that speaks; nil leaves the choice to the host.
    public var engine: String?
    /// The chosen voice of each engine, by name or id.
    public var voices: [String: String] = [:]
    /// How fast, as a factor.
    public var rate: Double = 1
    /// How high, as a factor of the frequency.
    public var pitch: Double = 1
    /// How loud, as a factor of the amplitude.
    public var volume: Double = 1
    /// The ALSA device; nil is the default one.
    public var device: String?
    /// The language of texts that do not name their own (BCP-47).
    public var language: String?
    /// Whether missing voice files are downloaded without a question.
    public var autoDownload = false
    /// How long an engine may take before it counts as hung.
    public var limits = EngineLimits()

    /// The defaults.
    public init() {}
}
