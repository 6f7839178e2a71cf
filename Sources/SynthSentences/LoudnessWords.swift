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

extension LibraryProblem {
    /// That the loudness of a voice is not known, and why. It speaks all the same.
    ///
    /// - Parameter title: of the voice.
    package func ofLoudness(_ title: String) -> String {
        "How loud \(title) is could not be measured, so it may be louder or softer than other voices. \(message)"
    }
}

extension LoudnessFault {
    /// One or two sentences.
    var message: String {
        switch self {
        case .libraryNotLoaded(let library, let reason):
            "\(library) cannot be used: \(reason ?? "it lacks a function"). \(MissingLibrary(name: library).remedy)"
        case .formatUnusable(let format):
            "Its sound has \(format.sampleRate) Hz and \(format.channels) \(format.channels == 1 ? "channel" : "channels")."
        case .notFinite: "Its sound holds what is no number."
        case .noMemory: "There is not enough memory."
        case .formatChanged: "The format of its sound changes."
        case .silent: "It gives no sound, or too little of it."
        }
    }
}
