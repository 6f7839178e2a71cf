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

    /// `SYNTHHOST_ENGINE`, `_LANGUAGE`, `_DEVICE`, `_RATE`, `_PITCH` and `_VOLUME`; empty ones are ignored.
    package init(environment: (String) -> String?) throws(ConfigurationError) {
        func text(_ name: String) -> String? { environment("SYNTHHOST_\(name)").flatMap { $0.isEmpty ? nil : $0 } }
        func number(_ name: String, _ factor: SpeechFactor) throws(ConfigurationError) -> Double? {
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
    }
}

extension Configuration {
    /// The values in force: flags over environment over this configuration.
    package func overridden(
        by flags: ConfigurationOverrides,
        environment: (String) -> String? = ConfigurationFile.processEnvironment
    ) throws(ConfigurationError) -> Configuration {
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
        let (value, place): (Double?, WritableKeyPath<Configuration, Double>) =
            switch factor {
            case .rate: (overrides.rate, \.rate)
            case .pitch: (overrides.pitch, \.pitch)
            case .volume: (overrides.volume, \.volume)
            }
        guard let value else { return }
        self[keyPath: place] = value
        for voice in profiles.keys { profiles[voice]?[keyPath: factor.place] = nil }
    }
}
