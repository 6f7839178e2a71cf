/// Lets sound pause without a click: it holds back the latest three milliseconds, so that they can fade out when nothing
/// follows in time; what follows fades in. Sound that never pauses passes bit for bit, and no frame is added or lost.
///
/// One thread at a time.
package struct PauseFade {
    private let channels: Int
    private let length: Int
    private var held: [Float] = []
    /// Frames of the fade-in that were given.
    private var risen: Int

    package init(format: AudioFormat) {
        channels = max(format.channels, 1)
        length = max(format.sampleRate * 3 / 1000, 1)
        risen = length
    }

    /// Appends to `output` the frames that are ready.
    package mutating func process(_ input: ArraySlice<Float>, into output: inout [Float]) {
        let start = held.count
        held.append(contentsOf: input)
        var index = start
        while risen < length && index + channels <= held.count {
            scale(frameAt: index, by: Float(risen) / Float(length))
            risen += 1
            index += channels
        }
        let ready = max(held.count - length * channels, 0)
        output.append(contentsOf: held.prefix(ready))
        held.removeFirst(ready)
    }

    /// Appends to `output` the frames that were held back, fading to silence; the next ones rise from it.
    package mutating func pause(into output: inout [Float]) {
        let frames = held.count / channels
        guard frames > 0 else { return }
        for frame in 0..<frames {
            scale(frameAt: frame * channels, by: Float(frames - 1 - frame) / Float(frames))
        }
        risen = 0
        finish(into: &output)
    }

    /// Appends to `output` the frames that were held back, as they are.
    package mutating func finish(into output: inout [Float]) {
        output.append(contentsOf: held)
        held.removeAll(keepingCapacity: true)
    }

    private mutating func scale(frameAt index: Int, by factor: Float) {
        for sample in index..<index + channels { held[sample] *= factor }
    }
}
