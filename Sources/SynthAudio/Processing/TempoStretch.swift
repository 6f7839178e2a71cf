import CSynthSonic

/// Changes the tempo and pitch of synthesized speech (libsonic, pitch-synchronous overlap-add).
///
/// With a tempo and pitch of 1, samples are unchanged; otherwise libsonic converts them to 16 bits. Not thread-safe.
package final class TempoStretch {
    package static let tempoRange = 0.25...4.0
    package static let pitchRange = 0.25...4.0

    package let tempo: Double
    private let channels: Int
    private let stream: sonicStream?
    private var scratch: [Float] = []

    /// - Parameters:
    ///   - tempo: a factor; 2 halves the duration.
    ///   - pitch: a factor; 2 raises the pitch by one octave without changing the duration.
    /// - Throws: `formatUnusable`; `tempoUnusable`; `conversionFailed` if there is not enough memory.
    package init(format: AudioFormat, tempo: Double, pitch: Double = 1) throws(AudioError) {
        try format.check()
        guard Self.tempoRange.contains(tempo), Self.pitchRange.contains(pitch) else {
            throw .tempoUnusable(tempo: tempo, pitch: pitch)
        }
        self.tempo = tempo
        channels = format.channels
        guard tempo != 1 || pitch != 1 else {
            stream = nil
            return
        }
        guard let created = sonicCreateStream(Int32(format.sampleRate), Int32(format.channels)) else {
            throw .conversionFailed(.noMemory(library: "libsonic"))
        }
        sonicSetSpeed(created, Float(tempo))
        sonicSetPitch(created, Float(pitch))
        stream = created
    }

    deinit {
        if let stream { sonicDestroyStream(stream) }
    }

    /// Processes `input` and appends the completed frames to `output`. Clamps samples to [-1, 1], because larger values
    /// would overflow in libsonic.
    ///
    /// - Throws: `conversionFailed`.
    package func process(_ input: ArraySlice<Float>, into output: inout [Float]) throws(AudioError) {
        guard let stream else {
            output.append(contentsOf: input)
            return
        }
        var rest = input
        while rest.count >= channels {
            let block = rest.prefix(4096 * channels)
            rest = rest.dropFirst(block.count)
            scratch.removeAll(keepingCapacity: true)
            scratch.append(contentsOf: block.lazy.map { max(-1, min(1, $0)) })
            guard sonicWriteFloatToStream(stream, &scratch, Int32(scratch.count / channels)) != 0 else {
                throw .conversionFailed(.noMemory(library: "libsonic"))
            }
            drain(stream, into: &output)
        }
    }

    /// Appends the remaining frames to `output`. The stretcher can then process a new stream.
    ///
    /// - Throws: `conversionFailed`.
    package func finish(into output: inout [Float]) throws(AudioError) {
        guard let stream else { return }
        guard sonicFlushStream(stream) != 0 else {
            throw .conversionFailed(.noMemory(library: "libsonic"))
        }
        drain(stream, into: &output)
    }

    /// Returns the output frame that corresponds to an input frame. libsonic moves whole pitch periods, so the position
    /// may be off by up to about 30 ms, but errors do not accumulate.
    package func outputFrame(forInput frame: Int) -> Int {
        Int((Double(frame) / tempo).rounded())
    }

    private func drain(_ stream: sonicStream, into output: inout [Float]) {
        let ready = Int(sonicSamplesAvailable(stream))
        guard ready > 0 else { return }
        if scratch.count < ready * channels {
            scratch.append(contentsOf: repeatElement(0, count: ready * channels - scratch.count))
        }
        let read = Int(sonicReadFloatFromStream(stream, &scratch, Int32(ready)))
        output.append(contentsOf: scratch.prefix(read * channels))
    }
}
