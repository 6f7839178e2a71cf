/// How much louder the voices that are built into an engine are played, so that all voices are equally loud.
package struct BuiltInGains: Sendable, Hashable, Codable {
    /// In decibels, for all voices that are not named.
    package var usual: Double
    /// In decibels, by the id of the voice.
    package var byVoice: [String: Double]

    package init(usual: Double = 0, byVoice: [String: Double] = [:]) {
        self.usual = usual
        self.byVoice = byVoice
    }

    /// In decibels.
    package func gain(of voice: String) -> Double { byVoice[voice] ?? usual }
}
