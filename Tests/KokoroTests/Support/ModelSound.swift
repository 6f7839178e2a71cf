import ONNXInference

/// The sound that ONNX Runtime itself makes from tokens with the model of the tests.
enum ModelSound {
    /// `tˈɛst wˈʌn.`
    static let test1: [Int64] = [62, 156, 86, 61, 62, 16, 65, 156, 138, 56, 4]

    static func samples(_ tokens: [Int64], style: [Float], speed: Float = 1) throws -> [Float] {
        let session = try InferenceSession(model: Fixtures.model, threads: 1)
        let padded = [0] + tokens + [0]
        let outputs = try session.run(
            [
                ("tokens", InferenceTensor(padded, shape: [1, Int64(padded.count)])),
                ("style", InferenceTensor(style, shape: [1, 256])), ("speed", InferenceTensor([speed], shape: [1])),
            ], outputs: ["audio"], as: InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }
}
