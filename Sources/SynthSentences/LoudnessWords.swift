import SynthAudio
package import SynthCatalogue
package import SynthHost

/// How much louder or softer a voice is played than its engine gives it.
package enum LoudnessWords {
    /// "raised by 1.6 dB to be as loud as other voices"; nil = it is played as it is.
    ///
    /// - Parameter gain: in decibels.
    package static func of(gain: Double) -> String? {
        let tenths = (gain * 10).rounded()
        guard tenths != 0 else { return nil }
        return "\(tenths > 0 ? "raised" : "lowered") by \(abs(tenths) / 10) dB to be as loud as other voices"
    }

    /// "not measured", with what is missing for it.
    private static var notMeasured: String {
        do {
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
    package static func of(_ loudness: VoiceLoudness?, gain: Double, isToBeMeasured: Bool = false) -> String? {
        let own = loudness.map { "\(($0.lufs * 10).rounded() / 10) LUFS" } ?? (isToBeMeasured ? notMeasured : nil)
        let parts = [own, of(gain: gain)].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension SpeechError {
    /// That the loudness of a voice is not known, and why. It speaks all the same.
    ///
    /// - Parameter title: of the voice.
    package func ofLoudness(_ title: String) -> String {
        "How loud \(title) is could not be measured, so it may be louder or softer than other voices. \(message)"
            + (facts.library == nil ? "" : " \(nextStep)")
    }
}
