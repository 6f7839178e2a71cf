import CSynthEngine
public import EngineKit

/// Understands speech with the published models of Whisper in ONNX, as optimum exports them: any size and precision.
struct WhisperRecognizer: RecognizerPlugin {
    static var description: RecognizerDescription {
        RecognizerDescription(
            id: "whisper", name: "Whisper", version: "0.1.0", licence: "Apache-2.0 AND MIT",
            url: "https://github.com/openai/whisper",
            capabilities: [
                .transcribes, .givesPartials, .timesWords, .detectsLanguage, .translates, .heedsHints, .punctuates,
                .isDeterministic,
            ],
            // Lanes share the weights, but each needs memory for what it has heard.
            maximumLanes: 4, sampleRate: LogMel.rate,
            roles: [
                FileRole(WhisperRole.encoder, scope: .model), FileRole(WhisperRole.decoder, scope: .model),
                FileRole(WhisperRole.tokenizer, scope: .model),
                FileRole(WhisperRole.configuration, scope: .model, isOptional: true),
            ])
    }

    static func load(_ files: ModelFiles) throws -> WhisperListeningModel {
        let paths = WhisperFiles(
            encoder: try files.files.path(WhisperRole.encoder), decoder: try files.files.path(WhisperRole.decoder),
            tokenizer: try files.files.path(WhisperRole.tokenizer),
            configuration: files.files[WhisperRole.configuration])
        do {
            let transcriber = try WhisperTranscriber(
                paths, threads: files.threads, cacheDirectory: files.cacheDirectory)
            EngineLog.debug(transcriber.note)
            return WhisperListeningModel(transcriber: transcriber)
        } catch {
            throw error.forHost
        }
    }
}

/// The names of the files of a model, as the host knows them.
enum WhisperRole {
    /// `encoder_model*.onnx`
    static let encoder = "encoder"
    /// `decoder_model_merged*.onnx`
    static let decoder = "decoder"
    /// `tokenizer.json`
    static let tokenizer = "tokenizer"
    /// `generation_config.json`
    static let configuration = "config"
}

/// A loaded model, for all lanes.
struct WhisperListeningModel: ListeningModel {
    let transcriber: WhisperTranscriber

    func open() -> WhisperLane { WhisperLane(transcriber: transcriber) }
}

extension WhisperError {
    /// A sentence for whoever downloaded the model, with the file that is to be repaired.
    var forHost: EngineError {
        switch reason {
        case .tokenizer: EngineError(.badFile, "The model's tokens: the file \(self).", role: WhisperRole.tokenizer)
        case .configuration:
            EngineError(.badFile, "The model's configuration: the file \(self).", role: WhisperRole.configuration)
        case .encoder: EngineError(.badFile, "The model's encoder cannot be used: \(self).", role: WhisperRole.encoder)
        case .decoder: EngineError(.badFile, "The model's decoder cannot be used: \(self).", role: WhisperRole.decoder)
        case .sound: EngineError(.badRequest, "The sound cannot be understood: \(self).")
        case .language: EngineError(.badRequest, "The model \(self).")
        // Only if the request was cancelled, and EngineKit then ignores the error.
        case .stopped, .failed: EngineError(.failed, "The recognizer failed: \(self).")
        }
    }
}

@c @implementation
public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
    WhisperRecognizer.table(abi: abi, host: host)
}
