import System

/// Reads a sound file block by block as sound of another format. One thread at a time.
///
/// It takes every file that libsndfile reads, of any length up to a limit, and believes nothing that the file says of its
/// length. Its memory does not depend on the file.
package final class ClipReader {
    /// Longer ones end with an error.
    package static let longest = Duration.seconds(2 * 60 * 60)

    /// 60 dB above full scale. A file of floats may hold any number, and sums of such ones would be infinite.
    private static let loudest: Float = 1000

    /// What the file holds.
    package let source: AudioFormat
    private let path: String
    private let gain: Gain
    private let decoder: ClipDecoder
    private let converter: FormatConverter
    private let blockFrames: Int
    private let mostFrames: Int
    private var frames = 0
    private var isOver = false

    /// Opens the file. Blocks as the disk does.
    ///
    /// - Parameters:
    ///   - format: what comes out.
    ///   - gain: at most 60 dB; not a number = 0 dB.
    package init(
        _ file: ClipFile, as format: AudioFormat, gain: Decibels = Decibels(0), longest: Duration = longest
    ) throws(ClipError) {
        path = file.path
        self.gain = Gain(Decibels(gain.value.isNaN ? 0 : min(gain.value, 60)))
        do throws(ClipError.Reason) {
            let decoder = try ClipDecoder(try Self.open(file))
            let source = decoder.format
            (self.decoder, self.source) = (decoder, source)
            blockFrames = max(source.sampleRate / 20, 1)
            mostFrames = Int(longest.seconds * Double(source.sampleRate))
            if let stated = decoder.statedFrames, stated > mostFrames { throw .tooLong(limit: longest) }
            converter = try Self.attempt { () throws(AudioError) in try FormatConverter(from: source, to: format) }
        } catch {
            throw ClipError(file.path, error)
        }
    }

    /// The next block, of at least a frame; nil after the last.
    package func next() throws(ClipError) -> [Float]? {
        do {
            var block: [Float] = []
            while block.isEmpty, !isOver {
                var samples = try decoder.read(frames: blockFrames)
                frames += samples.count / source.channels
                if frames > mostFrames {
                    throw .tooLong(limit: .seconds(Double(mostFrames) / Double(source.sampleRate)))
                }
                isOver = samples.isEmpty
                for index in samples.indices { samples[index] = max(-Self.loudest, min(Self.loudest, samples[index])) }
                gain.apply(to: &samples)
                try Self.attempt { () throws(AudioError) in
                    if isOver {
                        try converter.finish(into: &block)
                    } else {
                        try converter.process(samples[...], into: &block)
                    }
                }
            }
            return block.isEmpty ? nil : block
        } catch {
            isOver = true
            throw ClipError(path, error)
        }
    }

    private static func open(_ file: ClipFile) throws(ClipError.Reason) -> Descriptor {
        do throws(Errno) {
            return try file.open()
        } catch {
            throw .notOpened(error)
        }
    }

    private static func attempt<Value>(
        _ body: () throws(AudioError) -> Value
    ) throws(ClipError.Reason) -> Value {
        do throws(AudioError) {
            return try body()
        } catch {
            switch error {
            case .conversionFailed(let fault): throw .conversionFailed(fault)
            case .formatUnusable(let format): throw .formatUnusable(format)
            default: throw .conversionFailed(.library("\(error)"))
            }
        }
    }
}
