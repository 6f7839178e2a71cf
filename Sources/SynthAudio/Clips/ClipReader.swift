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
        let descriptor = try rethrowing(file.open()) { ClipError(file.path, .notOpened($0)) }
        let decoder = try ClipDecoder(descriptor, path: file.path)
        (self.decoder, source) = (decoder, decoder.format)
        blockFrames = max(source.sampleRate / 20, 1)
        mostFrames = Int(longest.seconds * Double(source.sampleRate))
        if let stated = decoder.statedFrames, stated > mostFrames {
            throw ClipError(file.path, .tooLong(limit: longest))
        }
        converter = try rethrowing(FormatConverter(from: decoder.format, to: format)) {
            ClipError(file.path, Self.reason($0))
        }
    }

    /// How long the file says that it lasts, which need not be true; nil = it does not say.
    package var statedSeconds: Double? { decoder.statedFrames.map { Double($0) / Double(source.sampleRate) } }

    /// The next block, of at least a frame; nil after the last.
    package func next() throws(ClipError) -> [Float]? {
        do {
            var block: [Float] = []
            while block.isEmpty, !isOver { try read(into: &block) }
            return block.isEmpty ? nil : block
        } catch {
            isOver = true
            throw error
        }
    }

    private func read(into block: inout [Float]) throws(ClipError) {
        var samples = try decoder.read(frames: blockFrames)
        frames += samples.count / source.channels
        if frames > mostFrames {
            throw ClipError(path, .tooLong(limit: .seconds(Double(mostFrames) / Double(source.sampleRate))))
        }
        isOver = samples.isEmpty
        for index in samples.indices { samples[index] = max(-Self.loudest, min(Self.loudest, samples[index])) }
        gain.apply(to: &samples)
        try rethrowing(
            isOver ? converter.finish(into: &block) : converter.process(samples[...], into: &block)
        ) { ClipError(path, Self.reason($0)) }
    }

    private static func reason(_ error: AudioError) -> ClipError.Reason {
        switch error {
        case .conversionFailed(let fault): .conversionFailed(fault)
        case .formatUnusable(let format): .formatUnusable(format)
        default: .conversionFailed(.library("\(error)"))
        }
    }
}
