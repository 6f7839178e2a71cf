import EngineKit
import SynthInference

/// The paths of a model's files.
package struct WhisperFiles: Sendable {
    /// `encoder_model*.onnx`.
    var encoder: String
    /// `decoder_model_merged*.onnx`.
    var decoder: String
    /// `tokenizer.json`.
    var tokenizer: String
    /// `generation_config.json`. If it is missing, no tokens are suppressed and words have no times.
    var configuration: String?

    package init(encoder: String, decoder: String, tokenizer: String, configuration: String?) {
        (self.encoder, self.decoder, self.tokenizer) = (encoder, decoder, tokenizer)
        self.configuration = configuration
    }
}

/// A loaded model. Any number of transcriptions may share it.
///
/// The cache folder contains the optimized graphs, which are as large as the model's files. Later loads map them.
struct WhisperModel: Sendable {
    private static let longestFile = 16 << 20

    let table: TokenTable
    let configuration: GenerationConfiguration
    let contract: WhisperContract
    let encoder: InferenceSession
    let decoder: InferenceSession
    /// The queue for all transcriptions.
    let queue: InferenceQueue
    let batches = BatchForm()

    init(_ files: WhisperFiles, threads: Int, cacheDirectory: String?) throws {
        guard let json = FileContents.content(of: files.tokenizer, most: Self.longestFile) else {
            throw EngineError.tokenizer("cannot be read")
        }
        table = try TokenTable(json: json)
        var settings: [UInt8]?
        if let path = files.configuration {
            guard let content = FileContents.content(of: path, most: Self.longestFile) else {
                throw EngineError.configuration("cannot be read")
            }
            settings = content
        }
        let declared = (
            encoder: try Self.declared(files.encoder, WhisperRole.encoder),
            decoder: try Self.declared(files.decoder, WhisperRole.decoder)
        )
        contract = try WhisperContract(encoder: declared.encoder, decoder: declared.decoder)
        configuration = try GenerationConfiguration(json: settings, table, vocabulary: contract.vocabulary)
        if let vocabulary = contract.vocabulary, vocabulary <= table.largest {
            throw EngineError.tokenizer("has more tokens than the model")
        }
        encoder = try Self.session(files.encoder, WhisperRole.encoder, threads, cacheDirectory)
        decoder = try Self.session(files.decoder, WhisperRole.decoder, threads, cacheDirectory)
        queue = InferenceQueue(threads: threads)
    }

    static var usefulThreads: Int { InferenceQueue.usefulThreads }

    private static func declared(
        _ path: String, _ role: String
    ) throws -> DeclaredTensors {
        do {
            return try DeclaredTensors(model: path)
        } catch {
            throw error.asEngineError(of: role)
        }
    }

    private static func session(
        _ path: String, _ role: String, _ threads: Int, _ cacheDirectory: String?
    ) throws -> InferenceSession {
        do {
            return try InferenceSession(
                model: path, threads: max(threads, 1), cacheDirectory: cacheDirectory,
                of: role == WhisperRole.decoder ? .decoder : .encoder)
        } catch {
            throw error.asEngineError(of: role)
        }
    }
}
