import EngineKit
import SynthInference

/// A lane, which speaks for one caller at a time.
struct @TYPE@Lane: SpeechLane {
    let model: @TYPE@Model

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        guard request.voice.speaker == nil else {
            throw EngineError(.badRequest, "Each voice has only one speaker.")
        }
        var hasBegun = false
        // Split the text, so that a long text needs no more memory than a short one, and can be stopped as quickly.
        for piece in pieces(of: ids(of: request.text)) {
            let sound = try run(piece, for: output)
            if !hasBegun { try output.begin(sampleRate: model.sampleRate) }
            hasBegun = true
            let isWhole = try sound.withFloats { samples in
                guard samples.allSatisfy(\.isFinite) else { return false }
                try output.write(samples.span)
                return true
            }
            guard isWhole == true else { throw EngineError(.badFile, "The model returns no audio.", role: "model") }
        }
    }

    private func run(_ ids: ArraySlice<Int64>, for output: borrowing SpeechOutput) throws -> InferenceOutput {
        let inputs = [("input_ids", InferenceTensor(Array(ids), shape: [1, Int64(ids.count)]))]
        do {
            // Once the request has been cancelled, the run ends and the next write throws. Do not catch that error.
            let run = try InferenceRun()
            return try output.interrupting(run.terminate) {
                try model.session.run(inputs, outputs: ["waveform"], as: run)
            }[0]
        } catch let error as InferenceError {
            throw EngineError(.failed, "The voice could not speak: \(error).")
        }
    }

    private func pieces(of ids: [Int64]) -> [ArraySlice<Int64>] {
        stride(from: 0, to: ids.count, by: 200).map { ids[$0..<min($0 + 200, ids.count)] }
    }

    /// Converts the text to the IDs that your model expects. `Plugins/Shared/SynthPhonemes` converts text to phonemes with espeak-ng.
    private func ids(of text: String) -> [Int64] {
        text.utf8.filter { $0 > 0x20 }.map(Int64.init)
    }
}
