package import EngineKit
import SynthInference

/// Says where speech begins and ends, with the published model of Silero VAD in ONNX, version 5 or later.
package struct SileroRecognizer: RecognizerPlugin {
    /// `silero_vad.onnx`
    static let role = "model"

    package static var description: RecognizerDescription {
        RecognizerDescription(
            id: "silero", name: "Silero VAD", version: "0.1.0", licence: "Apache-2.0 AND MIT",
            url: "https://github.com/snakers4/silero-vad", capabilities: [.detectsSpeech, .isDeterministic],
            sampleRate: DetectorModel.rate, roles: [FileRole(role, scope: .model)])
    }

    package static func load(_ files: ModelFiles) throws -> SileroModel {
        do {
            return SileroModel(
                model: try DetectorModel(try files.files.path(role), cacheDirectory: files.cacheDirectory))
        } catch let error as InferenceError {
            throw EngineError(error)
        }
    }
}

/// A loaded model, for all lanes.
package struct SileroModel: ListeningModel {
    let model: DetectorModel

    package func open() -> SileroLane { SileroLane(model: model) }
}

/// One caller that listens.
package struct SileroLane: ListeningLane {
    let model: DetectorModel

    package func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing Hearing
    ) throws {
        var probability = SpeechProbability(model)
        var edges = SpeechEdges()
        func tell(_ edge: SpeechEdges.Edge?) throws {
            switch edge {
            case .begins(let block)?: try hearing.speechBegins(at: UInt64(block * DetectorModel.block))
            // The last block may be only a part of one.
            case .ends(let block)?: try hearing.speechEnds(at: min(UInt64(block * DetectorModel.block), sound.frame))
            case nil: break
            }
        }
        // What is computed of whole blocks does not depend on the pieces in which the sound comes.
        while true {
            let block = try sound.block(DetectorModel.block)
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
        default: self.init(.failed, "The detector failed: \(error).")
        }
    }
}

/// Where speech begins and ends, by how likely it is in each block.
///
/// It begins with a block that is speech with more than one half. It ends after the last block that may still be some, once 0.3 s
/// were quiet: less is a pause within a sentence. That end is known 320 ms after it.
package struct SpeechEdges {
    package enum Edge: Equatable, Sendable {
        /// With this block.
        case begins(Int)
        /// Before this block.
        case ends(Int)
    }

    private static let (begin, stay): (Float, Float) = (0.5, 0.35)
    /// The fewest blocks of quiet that are 0.3 s.
    private static let quiet = (3 * DetectorModel.rate / 10 + DetectorModel.block - 1) / DetectorModel.block

    private var blocks = 0
    /// Of speech, the last one that may be some; `nil` while nobody speaks.
    private var last: Int?

    package init() {}

    /// - Parameter probability: Of the next block.
    package mutating func add(_ probability: Float) -> Edge? {
        defer { blocks += 1 }
        guard let last else {
            guard probability >= Self.begin else { return nil }
            self.last = blocks
            return .begins(blocks)
        }
        if probability >= Self.stay {
            self.last = blocks
        } else if blocks - last >= Self.quiet {
            return finish()
        }
        return nil
    }

    /// The sound has ended.
    package mutating func finish() -> Edge? {
        defer { last = nil }
        return last.map { .ends($0 + 1) }
    }
}
