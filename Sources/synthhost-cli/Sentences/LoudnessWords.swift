import SynthAudio
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

    /// "not measured", with what is missing for it.
    private static var notMeasured: String {
        do throws(LoudnessError) {
            try LoudnessMeter.loadLibrary()
            return "not measured"
        } catch {
            return "not measured (\(LoudnessMeter.library) is missing)"
        }
    }

    /// "-25.6 LUFS, raised by 1.6 dB to be as loud as other voices"; nil = there is nothing to say.
    ///
    /// - Parameters:
    ///   - loudness: nil = it was not measured.
    ///   - isToBeMeasured: whether it should have been.
    static func of(_ loudness: VoiceLoudness?, gain: Double, isToBeMeasured: Bool = false) -> String? {
        let own = loudness.map { "\(($0.lufs * 10).rounded() / 10) LUFS" } ?? (isToBeMeasured ? notMeasured : nil)
        let parts = [own, of(gain: gain)].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
