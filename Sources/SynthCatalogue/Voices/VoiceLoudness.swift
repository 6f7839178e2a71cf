/// A voice's loudness, measured before gain is applied.
package struct VoiceLoudness: Sendable, Equatable, Codable {
    /// The loudness to which all voices are adjusted, in LUFS for one channel.
    ///
    /// This level is close to the engines' own levels: espeak-ng is 3 to 5 LU louder, and most neural voices are within
    /// 2 LU. The loudest syllables are 2 to 4 dB below full scale, so no voice needs the limiter all the time. At -23,
    /// the target of EBU R 128, some voices would need it.
    package static let target = -24.0
    /// The valid range of measured gains, in decibels. A gain outside this range indicates another problem with the
    /// voice.
    package static let gains = -20.0...12.0

    /// The integrated loudness of one channel in LUFS, measured according to EBU R 128.
    package let lufs: Double
    /// The sample peak, in dBFS.
    package let peak: Double

    /// Rounds the values to hundredths. Returns nil if one of them is not finite.
    package init?(lufs: Double, peak: Double) {
        guard lufs.isFinite, peak.isFinite else { return nil }
        self.lufs = Self.rounded(lufs)
        self.peak = Self.rounded(peak)
    }

    private static func rounded(_ decibels: Double) -> Double { (decibels * 100).rounded() / 100 }

    /// The gain in decibels that makes the voice as loud as the other voices, limited so that the peak stays at or below full scale.
    package var gain: Double {
        let gain = min(max(min(Self.target - lufs, -peak), Self.gains.lowerBound), Self.gains.upperBound)
        return Self.rounded(gain)
    }
}

/// The gains that make an engine's built-in voices equally loud.
package struct BuiltInGains: Sendable, Equatable, Codable {
    /// The gain in decibels for voices that are not in `byVoice`.
    package var usual = 0.0
    /// The gains in decibels, keyed by voice ID.
    package var byVoice: [String: Double] = [:]

    /// The voice's gain in decibels.
    package func gain(of voice: String) -> Double { byVoice[voice] ?? usual }
}
