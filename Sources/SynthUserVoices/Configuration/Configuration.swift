public import SynthEngineProcesses
public import SynthSpeech

/// The user's settings. A property whose key is not set in the file has its default value.
///
/// `ConfigurationKey.all` defines the names, types, ranges and help texts of the keys.
public struct Configuration: Equatable, Sendable {
    /// The engine to use, or nil to let the host choose.
    public var engine: String?
    /// The user's voice for each engine, as a name or ID, keyed by engine ID.
    public var voices: [String: String] = [:]
    /// The speed factor for all voices. Like `pitch` and `volume`, it is multiplied by the corresponding factor in a
    /// voice's profile.
    public var rate: Double = 1
    /// The pitch factor for all voices, applied to the frequency.
    public var pitch: Double = 1
    /// The volume factor for all voices, applied to the amplitude.
    public var volume: Double = 1
    /// Whether all voices whisper, if their engines support it.
    public var whisper = false
    /// The profiles of individual voices, under the keys used in the file.
    ///
    /// Programs write the engine and the ID, such as "kokoro/af_heart", which is unique and remains valid if the voice
    /// is renamed. Users can also write a name, a name with an accent, an ID or an alias. A name shared by several
    /// voices applies to all of them. If several keys match a voice, each factor is taken from the most specific key
    /// that sets it.
    public var profiles: [String: VoiceProfile] = [:]
    /// The voices to list first, named as in `profiles`.
    public var favorites: [String] = []
    /// The voices to hide from lists, named as in `profiles`. They can still be used by name.
    public var hidden: [String] = []
    /// The paths of clips, keyed by the names that scripts use. Relative paths are resolved against the configuration
    /// file's folder.
    public var clips: [String: String] = [:]
    /// The ALSA device, or nil for the default device.
    public var device: String?
    /// The recognizer to use, or nil to let the host choose.
    public var recognizer: String?
    /// The ID of the user's model for each recognizer, keyed by recognizer ID.
    public var recognizerModels: [String: String] = [:]
    /// The language (BCP 47) of text that does not specify its language.
    public var language: String?
    /// The voices for words in languages other than the language of the surrounding text, keyed by language (BCP 47).
    /// Languages without an entry use an installed voice of the same engine or, failing that, of a different engine.
    public var languages: [String: String] = [:]
    /// The voices to use for OpenAI's voice names, such as "alloy", keyed by those names.
    public var openai: [String: String] = [:]
    /// Whether the voice of the surrounding text also speaks words in other languages, even if it can only spell them
    /// out.
    public var keepVoice = false
    /// The pauses after sentences, paragraphs and headings, and before chapters.
    public var pauses = SpeechPauses()
    /// The fallback voices if a voice's engine fails, in order of preference. Voices for the same language are tried
    /// first. An empty list disables the fallback; nil selects voices of the registry's fallback engines.
    public var fallback: [String]?
    /// Whether missing voice files are downloaded without confirmation.
    public var autoDownload = false
    /// The numeric precision of neural voices.
    public var precision = Precision.automatic
    /// The time limits after which an engine is considered to have hung.
    public var limits = EngineLimits()

    /// The trade-off between precision and speed.
    public enum Precision: String, Sendable, CaseIterable {
        /// `exact` if synthesis at that precision runs in real time or faster on this machine; otherwise `fast`.
        case automatic
        /// Synthesis without an audible loss of quality.
        case exact
        /// Convolutions use 8-bit integer arithmetic if the engine and the processor support it. The audio is slightly
        /// noisier than with `exact`.
        case fast
    }

    /// Creates a configuration with the default values.
    public init() {}
}

extension Configuration {
    /// Environment variables to pass to engines in addition to this process's variables. Each setting has its own
    /// variable because a service passes variables to its engines by name.
    var engineVariables: [String: String] {
        switch precision {
        case .automatic: [:]
        case .exact: ["SYNTHHOST_EXACT": "1"]
        case .fast: ["SYNTHHOST_PRECISION": "fast"]
        }
    }

    /// All variables that a configuration can pass to engines.
    static var possibleEngineVariables: [String: String] {
        Precision.allCases.reduce(into: [:]) { variables, precision in
            var configuration = Configuration()
            configuration.precision = precision
            variables.merge(configuration.engineVariables) { $1 }
        }
    }

    /// How long a service avoids an engine that has failed repeatedly.
    package var engineRest: Duration { limits.rest }
}

/// Values that override the configuration file for one run. Flags take precedence over environment variables, which
/// take precedence over the file, which takes precedence over the defaults. A rate, pitch or volume replaces both the
/// value for all voices and the values for individual voices.
package struct ConfigurationOverrides: Equatable, Sendable {
    package var engine: String?
    package var language: String?
    package var device: String?
    package var rate: Double?
    package var pitch: Double?
    package var volume: Double?

    package init() {}

    /// Reads `SYNTHHOST_ENGINE`, `_LANGUAGE`, `_DEVICE`, `_RATE`, `_PITCH` and `_VOLUME`. Empty variables are ignored.
    /// Variables that other parts of the program read are validated here too, because those parts ignore invalid
    /// values.
    ///
    /// - Throws: `configurationInvalid` if a variable has an invalid value.
    package init(environment: (String) -> String?) throws(SpeechError) {
        func text(_ name: String) -> String? { environment("SYNTHHOST_\(name)").flatMap { $0.isEmpty ? nil : $0 } }
        func number(_ name: String, _ factor: SpeechFactor) throws(SpeechError) -> Double? {
            guard let text = text(name) else { return nil }
            if let value = factor.value(of: text) { return value }
            throw .wrongVariable("SYNTHHOST_\(name)", value: text, expected: factor.expectation)
        }
        engine = text("ENGINE")
        language = text("LANGUAGE")
        device = text("DEVICE")
        rate = try number("RATE", .rate)
        pitch = try number("PITCH", .pitch)
        volume = try number("VOLUME", .volume)
        func check(
            _ name: String, _ expected: String, _ isValid: (String) -> Bool
        ) throws(SpeechError) {
            guard let text = text(name), !isValid(text) else { return }
            throw .wrongVariable("SYNTHHOST_\(name)", value: text, expected: expected)
        }
        let precisions = Configuration.Precision.allCases.map(\.rawValue)
        try check("PRECISION", "automatic, exact or fast") { precisions.contains($0) }
        for name in ["EXACT", "ORIGINAL_MODELS"] { try check(name, "0 or 1") { $0 == "0" || $0 == "1" } }
        try check("PACE", "a number above 0, in 10^9 multiply-adds per second") {
            Double($0).flatMap { MachinePace(rate: $0) } != nil
        }
    }
}

extension Configuration {
    /// Returns the effective configuration: flags override the environment, which overrides this configuration.
    package func overridden(
        by flags: ConfigurationOverrides,
        environment: (String) -> String? = ConfigurationFile.processEnvironment
    ) throws(SpeechError) -> Configuration {
        var result = self
        for overrides in [try ConfigurationOverrides(environment: environment), flags] {
            result.engine = overrides.engine ?? result.engine
            result.language = overrides.language ?? result.language
            result.device = overrides.device ?? result.device
            for factor in ProfileFactor.allCases { result.replace(factor, with: overrides) }
        }
        return result
    }
}

extension Configuration {
    fileprivate mutating func replace(_ factor: ProfileFactor, with overrides: ConfigurationOverrides) {
        let (value, keyPath): (Double?, WritableKeyPath<Configuration, Double>?) =
            switch factor {
            case .rate: (overrides.rate, \.rate)
            case .pitch: (overrides.pitch, \.pitch)
            case .volume: (overrides.volume, \.volume)
            // The pause factor cannot be overridden.
            case .pause: (nil, nil)
            }
        guard let value, let keyPath else { return }
        self[keyPath: keyPath] = value
        for voice in profiles.keys { profiles[voice]?[keyPath: factor.keyPath] = nil }
    }
}
