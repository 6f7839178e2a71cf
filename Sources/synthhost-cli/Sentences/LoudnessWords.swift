import SynthHost
import VoiceCatalogue

/// How much louder or softer a voice is played than its engine gives it.
enum LoudnessWords {
    /// "raised by 1.6 dB to be as loud as other voices"; nil = it is played as it is.
    ///
    /// - Parameter gain: in decibels.
    static func of(gain: Double) -> String? {
        let tenths = (gain * 10).rounded()
        guard tenths != 0 else { return nil }
        return "\(tenths > 0 ? "raised" : "lowered") by \(abs(tenths) / 10) dB to be as loud as other voices"
    }

    /// "-25.6 LUFS, raised by 1.6 dB to be as loud as other voices"; nil = there is nothing to say.
    ///
    /// - Parameter loudness: nil = it was not measured.
    static func of(_ loudness: VoiceLoudness?, gain: Double) -> String? {
        let parts = [loudness.map { "\(($0.lufs * 10).rounded() / 10) LUFS" }, of(gain: gain)].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
