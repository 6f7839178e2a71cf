package import EngineKit
import ONNXInference

/// Says where speech begins and ends, with the published model of Silero VAD in ONNX, version 5 or later.
package struct SileroRecognizer: RecognizerPlugin {
    /// `silero_vad.onnx`
    static let role = "model"

    package static var description: RecognizerDescription {
        RecognizerDescription(
            id: "silero", name: "Silero VAD", version: "0.1.0", licence: "Apache-2.0 AND MIT",
            url: "https://github.com/snakers4/silero-vad", capabilities: [.detectsSpeech, .isDeterministic],
            sampleRate: SpeechModel.rate, roles: [FileRole(role, scope: .model)])
    }

    package static func load(_ files: ModelFiles) throws -> SileroModel {
        do {
            return SileroModel(model: try SpeechModel(try files.files.path(role), cacheDirectory: files.cacheDirectory))
        } catch let error as InferenceError {
            throw EngineError(error)
        }
    }
}

/// A loaded model, for all lanes.
package struct SileroModel: ListeningModel {
    let model: SpeechModel

    package func open() -> SileroLane { SileroLane(model: model) }
}

/// One caller that listens.
package struct SileroLane: ListeningLane {
    let model: SpeechModel

    package func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing Hearing
    ) throws {
        var probability = SpeechProbability(model)
        var edges = SpeechEdges()
        func tell(_ edge: SpeechEdges.Edge?) throws {
            switch edge {
            case .begins(let block)?: try hearing.speechBegins(at: UInt64(block * SpeechModel.block))
            // The last block may be only a part of one.
            case .ends(let block)?: try hearing.speechEnds(at: min(UInt64(block * SpeechModel.block), sound.frame))
            case nil: break
            }
        }
        // What is computed of whole blocks does not depend on the pieces in which the sound comes.
        while true {
            let block = try sound.block(SpeechModel.block)
            if block.isEmpty { break }
            do {
                try tell(edges.add(try probability.next(block)))
            } catch let error as InferenceError {
                throw EngineError(error)
            }
        }
        try tell(edges.finish())
    }
}

extension EngineError {
    fileprivate init(_ error: InferenceError) {
        switch error.reason {
        case .model, .tensor, .run:
            self.init(.badFile, "The detector's model cannot be used: \(error).", role: SileroRecognizer.role)
        case .library, .terminated: self.init(.failed, "The detector failed: \(error).")
        }
    }
}
