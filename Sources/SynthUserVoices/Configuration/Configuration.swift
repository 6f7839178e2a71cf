public import SynthEngineProcesses
public import SynthSpeech

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
    /// Whether all voices speak without voice, of engines that whisper.
    public var whisper = false
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
    /// The recognizer that understands speech; nil leaves the choice to the host.
    public var recognizer: String?
    /// The chosen model of each recognizer, by id.
    public var recognizerModels: [String: String] = [:]
    /// The language of texts that do not name their own (BCP-47).
    public var language: String?
    /// The voices for words of other languages inside a text, by language (BCP-47). A language that is not named is spoken by
    /// a voice of the same engine if one is here, else by one of another.
    public var languages: [String: String] = [:]
    /// The voices for the names that OpenAI's voices have, such as "alloy", for programs that ask for them.
    public var openai: [String: String] = [:]
    /// Whether words of other languages stay with the voice of the text, also where it can only spell them.
    public var keepVoice = false
    /// The silence after sentences, paragraphs and headings, and before chapters.
    public var pauses = SpeechPauses()
    /// The voices that speak on when the engine of another one fails, those of its language in this order, before any that
    /// nobody named; empty = nobody does, nil = those of the registry's engines.
    public var fallback: [String]?
    /// Whether missing voice files are downloaded without a question.
    public var autoDownload = false
    /// How exactly neural voices compute.
    public var precision = Precision.automatic
    /// How long an engine may take before it counts as hung.
    public var limits = EngineLimits()

    /// What an engine may give up for speed.
    public enum Precision: String, Sendable, CaseIterable {
        /// As little as in `exact`, unless this machine then takes longer for speech than it sounds: as much as in `fast`.
        case automatic
        /// Nothing that anybody hears.
        case exact
        /// Convolutions multiply integers of eight bits, if the engine and the processor can. The sound has a little more noise.
        case fast
    }

    /// The defaults.
    public init() {}
}

extension Configuration {
    /// What engines get in their environment beside what stands there. Each choice has a name of its own, because the engines of a
    /// service get variables by name.
    var engineVariables: [String: String] {
        switch precision {
        case .automatic: [:]
        case .exact: ["SYNTHHOST_EXACT": "1"]
        case .fast: ["SYNTHHOST_PRECISION": "fast"]
        }
    }

    /// All that they may get so, whatever a configuration says later.
    static var possibleEngineVariables: [String: String] {
        Precision.allCases.reduce(into: [:]) { variables, precision in
            var configuration = Configuration()
            configuration.precision = precision
            variables.merge(configuration.engineVariables) { $1 }
        }
    }

    /// How long a service does not ask an engine that fails again and again.
    package var engineRest: Duration { limits.rest }
}

/// Values that override the configuration file for one run. The order is flag, environment, file, default. A rate, pitch or
/// volume takes the place of what the file says for all voices and for single ones.
package struct ConfigurationOverrides: Equatable, Sendable {
    package var engine: String?
    package var language: String?
    package var device: String?
    package var rate: Double?
    package var pitch: Double?
    package var volume: Double?

    package init() {}

    /// `SYNTHHOST_ENGINE`, `_LANGUAGE`, `_DEVICE`, `_RATE`, `_PITCH` and `_VOLUME`; empty ones are ignored. Also checks those
    /// that are used elsewhere, because a wrong value would be ignored there.
    ///
    /// - Throws: `wrongVariable`.
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
        try check("PACE", "a number above 0, in 10^9 multiply-adds a second") {
            Double($0).flatMap { MachinePace(rate: $0) } != nil
        }
    }
}

extension Configuration {
    /// The values in force: flags over environment over this configuration.
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
        let (value, place): (Double?, WritableKeyPath<Configuration, Double>?) =
            switch factor {
            case .rate: (overrides.rate, \.rate)
            case .pitch: (overrides.pitch, \.pitch)
            case .volume: (overrides.volume, \.volume)
            // Each pause is set by itself.
            case .pause: (nil, nil)
            }
        guard let value, let place else { return }
        self[keyPath: place] = value
        for voice in profiles.keys { profiles[voice]?[keyPath: factor.place] = nil }
    }
}
