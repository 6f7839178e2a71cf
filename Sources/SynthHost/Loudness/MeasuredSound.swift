import Engines
import Glibc
import SynthAudio
import VoiceCatalogue

/// The sound of several utterances, measured as one. One thread at a time.
final class MeasuredSound {
    private var format: AudioFormat?
    private var meter: LoudnessMeter?
    private var samples = 0
    private let longest: Int
    /// Why it cannot be measured; nil = nothing is wrong so far.
    private(set) var failure: LoudnessFailure?

    /// - Parameter longest: what is taken of it, in seconds.
    init(longest: Int) {
        self.longest = longest
    }

    /// - Returns: false if no more is wanted of the utterance.
    func take(_ part: SpeechPart) -> Bool {
        do throws(LoudnessError) {
            switch part {
            case .begin(let sampleRate, let channels):
                let format = AudioFormat(sampleRate: sampleRate, channels: channels)
                if self.format == nil {
                    meter = try LoudnessMeter(format: format)
                    self.format = format
                } else if self.format != format {
                    failure = .formatChanged
                }
            case .audio(let more):
                try meter?.add(more)
                samples += more.count
            case .event: break
            }
        } catch {
            failure = .meter(error)
        }
        return failure == nil && !isTooLong
    }

    private var isTooLong: Bool {
        guard let format else { return false }
        return samples / (format.sampleRate * format.channels) >= longest
    }

    /// The loudness of one channel: a loudspeaker that plays it is as loud as one that plays a voice of one channel.
    var loudness: VoiceLoudness? {
        guard let format, let loudness = meter?.loudness else { return nil }
        return VoiceLoudness(
            lufs: loudness.integrated - 10 * log10(Double(format.channels)), peak: loudness.peak.value)
    }
}
