package import SynthAudio
package import SynthEngineProcesses
package import SynthSystem

/// Audio that is completely available and is read from beginning to end.
package protocol StoredAudio: RecognizerAudio {
    /// The error that ended the audio early, or nil.
    var failure: AudioError? { get }
    /// The number of samples per frame.
    var channels: Int { get }
}

extension StoredAudio {
    package var channels: Int { 1 }
}

/// The audio of a file at a recognizer's sample rate, mixed to mono or with all channels. Use it from one thread at a
/// time.
///
/// It supports every file that `ClipReader` can read. Memory use does not depend on the duration.
package final class FileAudio: StoredAudio {
    private let reader: ClipReader
    private var block: [Float] = []
    private var place = 0

    package var channels: Int { reader.output.channels }
    package private(set) var failure: AudioError?
    package let arrival: Descriptor? = nil

    /// - Parameters:
    ///   - rate: the recognizer's sample rate in hertz.
    ///   - splitsChannels: whether to keep the channels instead of mixing them.
    ///   - longest: the maximum duration. A longer file is rejected, or ends there with an error.
    ///   - media: the program that decodes files that libsndfile cannot read, or nil for none.
    package init(
        _ file: ClipFile, rate: UInt32, splitsChannels: Bool = false, longest: Duration, by media: MediaProgram? = nil
    ) throws(AudioError) {
        reader = try ClipReader(
            file, as: AudioFormat(sampleRate: Int(rate), channels: 1), keepsChannels: splitsChannels, longest: longest,
            by: media)
    }

    package func next(most: Int) -> RecognizerInput {
        if place == block.count {
            do {
                guard let next = try reader.next() else { return .ended }
                (block, place) = (next, 0)
            } catch {
                failure = error
                return .ended
            }
        }
        let end = min(block.count, place + max(1, most) * channels)
        defer { place = end }
        return .frames(Array(block[place..<end]))
    }
}
