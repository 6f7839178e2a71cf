package import SynthAudio
package import SynthRecognizers
package import SynthSystem

/// A sound that is there whole, and is read from its begin to its end.
package protocol StoredSound: HeardSound {
    /// Why it ended before it should.
    var failure: AudioError? { get }
}

/// The sound of a file as a recognizer gets it: one channel at its rate. One thread at a time.
///
/// It takes every file that libsndfile reads, and its memory does not depend on the file.
package final class FileSound: StoredSound {
    private let reader: ClipReader
    private var block: [Float] = []
    private var place = 0

    package private(set) var failure: AudioError?
    package let arrival: Descriptor? = nil

    /// - Parameters:
    ///   - rate: the recognizer's, in hertz.
    ///   - longest: a longer file is refused, or ends there with an error.
    package init(_ file: ClipFile, rate: UInt32, longest: Duration) throws(AudioError) {
        reader = try ClipReader(file, as: AudioFormat(sampleRate: Int(rate), channels: 1), longest: longest)
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
        let end = min(block.count, place + max(1, most))
        defer { place = end }
        return .frames(Array(block[place..<end]))
    }
}
