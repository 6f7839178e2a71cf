/// Values that stand above the configuration file for one run. The order is flag, environment, file, default.
package struct ConfigurationOverrides: Equatable, Sendable {
    package var engine: String?
    package var language: String?
    package var device: String?
    package var rate: Double?
    package var pitch: Double?
    package var volume: Double?

    package init() {}

    /// `SYNTHHOST_ENGINE` and `SYNTHHOST_DEVICE`; empty ones do not count.
    package init(environment: (String) -> String?) {
        engine = environment("SYNTHHOST_ENGINE").flatMap { $0.isEmpty ? nil : $0 }
        device = environment("SYNTHHOST_DEVICE").flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Configuration {
    /// The values in force: flags over environment over this configuration.
    package func overridden(
        by flags: ConfigurationOverrides,
        environment: (String) -> String? = ConfigurationFile.processEnvironment
    ) -> Configuration {
        var result = self
        for overrides in [ConfigurationOverrides(environment: environment), flags] {
            result.engine = overrides.engine ?? result.engine
            result.language = overrides.language ?? result.language
            result.device = overrides.device ?? result.device
            result.rate = overrides.rate ?? result.rate
            result.pitch = overrides.pitch ?? result.pitch
            result.volume = overrides.volume ?? result.volume
        }
        return result
    }
}
