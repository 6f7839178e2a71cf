package import EngineKit
import SynthInference

/// Reports where speech starts and ends, using the published Silero VAD model in ONNX, version 5 or later.
package struct SileroRecognizer: RecognizerPlugin {
    /// The role of `silero_vad.onnx`.
    static let role = "model"

    package static var description: RecognizerDescription {
        RecognizerDescription(
            id: "silero", name: "Silero VAD", version: "0.1.0", license: "Apache-2.0 AND MIT",
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

/// A loaded model, which all lanes share.
package struct SileroModel: ListeningModel {
    let model: DetectorModel

    package func open() -> SileroLane { SileroLane(model: model) }
}

/// An audio stream that is being processed.
package struct SileroLane: ListeningLane {
    let model: DetectorModel

    package func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing RecognitionOutput
    ) throws {
        var probability = SpeechProbability(model)
        var edges = SpeechEdges()
        func tell(_ edge: SpeechEdges.Edge?) throws {
            switch edge {
            case .begins(let block)?: try hearing.speechBegins(at: UInt64(block * DetectorModel.block))
            // The last block may be incomplete, so it may extend past the end of the audio.
            case .ends(let block)?: try hearing.speechEnds(at: min(UInt64(block * DetectorModel.block), sound.frame))
            case nil: break
            }
        }
        // Only full blocks are processed so that the result does not depend on how the input is divided.
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

/// Finds where speech starts and ends, given the probability of speech in each block.
///
/// Speech starts with a block whose probability is at least 0.5. It ends with the last block whose probability is at least
/// 0.35, provided that the probability stays below 0.35 for the next 0.3 s; a shorter pause is part of the speech.
/// Therefore, the end is reported with a delay of 320 ms.
package struct SpeechEdges {
    /// The start or end of speech, as a block index.
    package enum Edge: Equatable, Sendable {
        /// Speech starts with this block.
        case begins(Int)
        /// Speech ends before this block.
        case ends(Int)
    }

    private static let (begin, stay): (Float, Float) = (0.5, 0.35)
    /// The number of blocks in 0.3 s, rounded up.
    private static let quiet = (3 * DetectorModel.rate / 10 + DetectorModel.block - 1) / DetectorModel.block

    private var blocks = 0
    /// The last block that may contain speech; `nil` outside speech.
    private var last: Int?

    package init() {}

    /// - Parameter probability: The probability of speech in the next block.
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

    /// Ends ongoing speech at the end of the stream.
    package mutating func finish() -> Edge? {
        defer { last = nil }
        return last.map { .ends($0 + 1) }
    }
}
