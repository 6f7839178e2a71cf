/// Prevents clicks at pauses. The last three milliseconds of audio are buffered. If more audio does not arrive in time,
/// the buffered audio is faded out and the audio that follows is faded in. Audio without pauses is unchanged, and no
/// frames are added or lost.
///
/// Not thread-safe.
package struct PauseFade {
    private let channels: Int
    private let length: Int
    private var held: [Float] = []
    /// The number of frames since the start of the fade-in.
    private var fadeInPosition: Int

    package init(format: AudioFormat) {
        channels = max(format.channels, 1)
        length = max(format.sampleRate * 3 / 1000, 1)
        fadeInPosition = length
    }

    /// Processes `input` and appends the completed frames to `output`.
    package mutating func process(_ input: ArraySlice<Float>, into output: inout [Float]) {
        let start = held.count
        held.append(contentsOf: input)
        var index = start
        while fadeInPosition < length && index + channels <= held.count {
            scale(frameAt: index, by: Float(fadeInPosition) / Float(length))
            fadeInPosition += 1
            index += channels
        }
        let ready = max(held.count - length * channels, 0)
        output.append(contentsOf: held.prefix(ready))
        held.removeFirst(ready)
    }

    /// Fades out the buffered frames and appends them to `output`. The audio that follows is faded in.
    package mutating func pause(into output: inout [Float]) {
        let frames = held.count / channels
        guard frames > 0 else { return }
        for frame in 0..<frames {
            scale(frameAt: frame * channels, by: Float(frames - 1 - frame) / Float(frames))
        }
        fadeInPosition = 0
        finish(into: &output)
    }

    /// Appends the buffered frames to `output` unchanged.
    package mutating func finish(into output: inout [Float]) {
        output.append(contentsOf: held)
        held.removeAll(keepingCapacity: true)
    }

    private mutating func scale(frameAt index: Int, by factor: Float) {
        for sample in index..<index + channels { held[sample] *= factor }
    }
}
