package import SynthAudio
package import SynthEngineProcesses
package import SynthSystem

/// Audio that is available in full and is read sequentially.
package protocol StoredAudio: RecognizerAudio {
    /// The error that cut the audio short, or nil if there was none.
    var failure: AudioError? { get }
    var channels: Int { get }
}

extension StoredAudio {
    package var channels: Int { 1 }
}

/// The audio of a file at the recognizer's sample rate, either mixed down to mono or with separate channels. Not
/// thread-safe.
///
/// Supports every file that `ClipReader` can read. Memory use is independent of the duration.
package final class FileAudio: StoredAudio {
    private let reader: ClipReader
    private var block: [Float] = []
    private var position = 0

    package var channels: Int { reader.output.channels }
    package private(set) var failure: AudioError?
    package let arrival: Descriptor? = nil

    /// - Parameters:
    ///   - rate: the recognizer's sample rate in hertz.
    ///   - splitsChannels: whether to keep the channels instead of mixing them.
    ///   - longest: the maximum duration. A longer file is rejected; if the duration is not known in advance, reading
    ///     fails once the maximum is reached.
    ///   - media: the program that decodes files that libsndfile cannot read, or nil for none.
    package init(
        _ file: ClipFile, rate: UInt32, splitsChannels: Bool = false, longest: Duration, by media: MediaProgram? = nil
    ) throws(AudioError) {
        reader = try ClipReader(
            file, as: AudioFormat(sampleRate: Int(rate), channels: 1), keepsChannels: splitsChannels, longest: longest,
            by: media)
    }

    package func next(most: Int) -> RecognizerInput {
        if position == block.count {
            do {
                guard let next = try reader.next() else { return .ended }
                (block, position) = (next, 0)
            } catch {
                failure = error
                return .ended
            }
        }
        let end = min(block.count, position + max(1, most) * channels)
        defer { position = end }
        return .frames(Array(block[position..<end]))
    }
}

/// Audio in memory.
package final class MemoryAudio: RecognizerAudio {
    private let samples: [Float]
    private var position = 0
    package let arrival: Descriptor? = nil

    package init(_ samples: [Float]) { self.samples = samples }

    package func next(most: Int) -> RecognizerInput {
        guard position < samples.count else { return .ended }
        let end = min(samples.count, position + max(1, most))
        defer { position = end }
        return .frames(Array(samples[position..<end]))
    }
}
