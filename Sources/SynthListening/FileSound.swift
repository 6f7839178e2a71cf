package import SynthAudio
package import SynthEngineProcesses
package import SynthSystem

/// A sound that is there whole, and is read from its begin to its end.
package protocol StoredSound: HeardSound {
    /// Why it ended before it should.
    var failure: AudioError? { get }
    /// The samples of a frame.
    var channels: Int { get }
}

extension StoredSound {
    package var channels: Int { 1 }
}

/// The sound of a file at the rate of a recognizer: its channels mixed to one, or all of them. One thread at a time.
///
/// It takes every file that a `ClipReader` reads, and its memory does not depend on the length of the sound.
package final class FileSound: StoredSound {
    private let reader: ClipReader
    private var block: [Float] = []
    private var place = 0

    package var channels: Int { reader.output.channels }
    package private(set) var failure: AudioError?
    package let arrival: Descriptor? = nil

    /// - Parameters:
    ///   - rate: the recognizer's, in hertz.
    ///   - splitsChannels: whether the channels are kept; else they are mixed.
    ///   - longest: a longer file is refused, or ends there with an error.
    ///   - media: what decodes the files that libsndfile does not read; nil = nothing does.
    package init(
        _ file: ClipFile, rate: UInt32, splitsChannels: Bool = false, longest: Duration, by media: MediaProgram? = nil
    ) throws(AudioError) {
        reader = try ClipReader(
            file, as: AudioFormat(sampleRate: Int(rate), channels: 1), keepsChannels: splitsChannels, longest: longest,
            by: media)
    }

    package func next(most: Int) -> HeardFrames {
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
