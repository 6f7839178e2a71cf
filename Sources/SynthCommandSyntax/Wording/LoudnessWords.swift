import SynthAudio
package import SynthCatalogue
package import SynthHost
package import SynthModelStore

/// Describes how playback changes the loudness of the engine's output.
package enum LoudnessWords {
    /// Returns a phrase such as "raised by 1.6 dB to match the loudness of other voices", or nil if the loudness is unchanged.
    ///
    /// - Parameter gain: the gain in decibels.
    package static func of(gain: Double) -> String? {
        let tenths = (gain * 10).rounded()
        guard tenths != 0 else { return nil }
        return "\(tenths > 0 ? "raised" : "lowered") by \(abs(tenths) / 10) dB to match the loudness of other voices"
    }

    /// The phrase "not measured", followed by the name of the library if it is missing.
    private static var notMeasured: String {
        do {
            try LoudnessMeter.loadLibrary()
            return "not measured"
        } catch {
            return "not measured (\(LoudnessMeter.library) is missing)"
        }
    }

    /// Returns a phrase such as "-25.6 LUFS, raised by 1.6 dB to match the loudness of other voices", or nil if there is nothing to report.
    ///
    /// - Parameters:
    ///   - loudness: the loudness, or nil if it was not measured.
    ///   - isToBeMeasured: whether the loudness should have been measured.
    package static func of(_ loudness: VoiceLoudness?, gain: Double, isToBeMeasured: Bool = false) -> String? {
        let own = loudness.map { "\(($0.lufs * 10).rounded() / 10) LUFS" } ?? (isToBeMeasured ? notMeasured : nil)
        let parts = [own, of(gain: gain)].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension SpeechError {
    /// Returns a warning that a voice's loudness is unknown, with the reason. The voice can still speak.
    ///
    /// - Parameter title: the voice's title.
    package func ofLoudness(_ title: String) -> String {
        "The loudness of \(title) could not be measured, so this voice may be louder or softer than others. \(message)"
            + (facts.library == nil ? "" : " \(nextStep)")
    }
}

extension PruneCandidate.Reason {
    /// A clause about the file or folder, such as "it is not in any registry".
    package var words: String {
        switch self {
        case .notAdded: "it was not added completely"
        case .brokenLink: "it is a broken link"
        case .link: "it is a link to a different location"
        case .notAVoiceFolder: "it is not a voice folder"
        case .notOurs: "synthhost did not create it"
        case .unusedModel: "no installed voice needs it"
        case .inNoRegistry: "it is not in any registry"
        case .unfinishedDownload: "its download is unfinished"
        case .olderRevision: "there is a newer revision"
        case .unfinishedPreparation: "the process that was preparing it has exited"
        case .engineNotInstalled: "its engine is not installed"
        case .earlierVersion: "only an earlier version of synthhost uses it"
        case .engineFileGone: "its engine file no longer exists"
        }
    }
}

extension DownloadNotice {
    /// A phrase that describes the state, to print after the label of the download.
    package var words: String {
        switch self {
        case .restarting: "restarting"
        case .retrying(let failure): "\(failure.words), trying again"
        case .anotherSource: "trying a different source"
        case .leftOut(let file): "continuing without \(file), which is currently unavailable"
        }
    }
}
