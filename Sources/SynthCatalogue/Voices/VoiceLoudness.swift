/// How loud a voice is if nothing is done to its sound: what was measured of it once.
package struct VoiceLoudness: Sendable, Equatable, Codable {
    /// The loudness that all voices are brought to, in LUFS for one channel.
    ///
    /// It is in the middle of what engines give: espeak-ng is 3 to 5 LU louder, neural voices mostly within 2 LU. With
    /// it the loudest syllables of speech stay 2 to 4 dB below full scale, so that no voice needs the limiter all the
    /// time; at -23, the target of EBU R 128, some would.
    package static let target = -24.0
    /// What a measurement may ask for, in decibels. Beyond it, something else is wrong with a voice.
    package static let gains = -20.0...12.0

    /// The integrated loudness of one channel by EBU R 128, in LUFS.
    package let lufs: Double
    /// The largest sample, in dBFS.
    package let peak: Double

    /// Rounded to hundredths. nil = one of the numbers is infinite or none.
    package init?(lufs: Double, peak: Double) {
        guard lufs.isFinite, peak.isFinite else { return nil }
        self.lufs = Self.rounded(lufs)
        self.peak = Self.rounded(peak)
    }

    private static func rounded(_ decibels: Double) -> Double { (decibels * 100).rounded() / 100 }

    /// The gain in decibels that makes the voice as loud as all others. It leaves the peak at full scale or below.
    package var gain: Double {
        let gain = min(max(min(Self.target - lufs, -peak), Self.gains.lowerBound), Self.gains.upperBound)
        return Self.rounded(gain)
    }
}

/// How much louder the voices that are built into an engine are played, so that all voices are equally loud.
package struct BuiltInGains: Sendable, Equatable, Codable {
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
