/// The loudness of a voice without gain, as measured once.
package struct VoiceLoudness: Sendable, Equatable, Codable {
    /// The loudness to which all voices are adjusted, in LUFS for one channel.
    ///
    /// It is in the middle of the engines' levels: espeak-ng is 3 to 5 LU louder, and neural voices are mostly within 2
    /// LU. The loudest syllables of speech then stay 2 to 4 dB below full scale, so that no voice needs the limiter all
    /// the time; at -23, the target of EBU R 128, some would.
    package static let target = -24.0
    /// The range of measured gains, in decibels. Beyond it, something else is wrong with a voice.
    package static let gains = -20.0...12.0

    /// The integrated loudness of one channel by EBU R 128, in LUFS.
    package let lufs: Double
    /// The largest sample, in dBFS.
    package let peak: Double

    /// Values are rounded to hundredths. Returns nil if one of the numbers is not finite.
    package init?(lufs: Double, peak: Double) {
        guard lufs.isFinite, peak.isFinite else { return nil }
        self.lufs = Self.rounded(lufs)
        self.peak = Self.rounded(peak)
    }

    private static func rounded(_ decibels: Double) -> Double { (decibels * 100).rounded() / 100 }

    /// The gain in decibels that makes the voice as loud as all others, limited so that the peak stays at or below full
    /// scale.
    package var gain: Double {
        let gain = min(max(min(Self.target - lufs, -peak), Self.gains.lowerBound), Self.gains.upperBound)
        return Self.rounded(gain)
    }
}

/// The gains of voices that are built into an engine, which make all voices equally loud.
package struct BuiltInGains: Sendable, Equatable, Codable {
    /// The gain in decibels for all other voices.
    package var usual: Double
    /// The gains in decibels by voice id.
    package var byVoice: [String: Double]

    package init(usual: Double = 0, byVoice: [String: Double] = [:]) {
        self.usual = usual
        self.byVoice = byVoice
    }

    /// The gain in decibels.
    package func gain(of voice: String) -> Double { byVoice[voice] ?? usual }
}
