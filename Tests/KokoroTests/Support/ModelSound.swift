import SynthInference

/// The audio that ONNX Runtime computes from tokens with the test model.
enum ModelSound {
    /// The tokens of `tˈɛst wˈʌn.`
    static let test1: [Int64] = [62, 156, 86, 61, 62, 16, 65, 156, 138, 56, 4]

    static func samples(_ tokens: [Int64], style: [Float]) throws -> [Float] {
        let session = try InferenceSession(model: Fixtures.model, threads: 1)
        let padded = [0] + tokens + [0]
        let outputs = try session.run(
            [
                ("tokens", InferenceTensor(padded, shape: [1, Int64(padded.count)])),
                ("style", InferenceTensor(style, shape: [1, 256])), ("speed", InferenceTensor([Float(1)], shape: [1])),
            ], outputs: ["audio"], as: InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }

    /// The audible part of the samples: from 40 ms before the first sample within 60 dB of the peak to 60 ms after the last,
    /// with 5 ms fades where silence was cut.
    static func heard(_ samples: [Float]) -> [Float] {
        let floor = (samples.map(\.magnitude).max() ?? 0) / 1000
        guard let first = samples.firstIndex(where: { $0.magnitude > floor }),
            let last = samples.lastIndex(where: { $0.magnitude > floor })
        else { return samples }
        let range = max(0, first - 960)..<min(samples.count, last + 1 + 1440)
        var heard = Array(samples[range])
        for place in 0..<120 {
            if range.lowerBound > 0 { heard[place] *= Float(place) / 120 }
            if range.upperBound < samples.count { heard[heard.count - 1 - place] *= Float(place) / 120 }
        }
        return heard
    }
}
