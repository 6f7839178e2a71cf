import EngineKit
import SynthInference
import SynthJSON

/// The paths of a model's files.
package struct ParakeetFiles: Sendable {
    package var encoder: String
    package var decoder: String
    package var joiner: String?
    package var tokens: String
    package var configuration: String?

    package init(encoder: String, decoder: String, joiner: String? = nil, tokens: String, configuration: String? = nil)
    {
        (self.encoder, self.decoder, self.joiner) = (encoder, decoder, joiner)
        (self.tokens, self.configuration) = (tokens, configuration)
    }
}

/// A loaded model. Any number of transcriptions may share it.
///
/// The cache folder contains the optimized graphs, which are as large as the model's files. Later loads map them.
struct ParakeetModel: Sendable {
    private static let maximumBytes = 8 << 20

    let vocabulary: TokenVocabulary
    let contract: TransducerContract
    let bandCount: Int
    let isNormalized: Bool
    /// The number of feature frames per encoder frame.
    let subsampling: Int
    let maximumTokensPerFrame: Int
    let encoder: InferenceSession
    let decoder: InferenceSession
    let joiner: InferenceSession?
    /// The queue for all transcriptions.
    let queue: InferenceQueue

    /// The settings in `config.json`. All of them are optional.
    private struct Settings: Decodable {
        var model_type: String?
        var features_size: Int?
        var subsampling_factor: Int?
        var max_tokens_per_step: Int?
    }

    init(_ files: ParakeetFiles, threads: Int, cacheDirectory: String?) throws(EngineError) {
        guard let content = FileContents.content(of: files.tokens, most: Self.maximumBytes) else {
            throw .tokens("cannot be read")
        }
        vocabulary = try TokenVocabulary(content)
        let settings = try files.configuration.map(Self.settings) ?? Settings()
        contract = try TransducerContract(
            encoder: try Self.declared(files.encoder, ParakeetRole.encoder),
            decoder: try Self.declared(files.decoder, ParakeetRole.decoder),
            joiner: try files.joiner.map { (path) throws(EngineError) in try Self.declared(path, ParakeetRole.joiner) })
        func session(_ path: String, _ role: String) throws(EngineError) -> InferenceSession {
            do {
                return try InferenceSession(model: path, threads: max(threads, 1), cacheDirectory: cacheDirectory)
            } catch {
                throw EngineError(error, of: role)
            }
        }
        encoder = try session(files.encoder, ParakeetRole.encoder)
        decoder = try session(files.decoder, ParakeetRole.decoder)
        joiner = try files.joiner.map { (path) throws(EngineError) in try session(path, ParakeetRole.joiner) }
        queue = InferenceQueue(threads: threads)

        let encoder = encoder
        func note(_ key: String) -> String? { (try? encoder.metadata(key)) ?? nil }
        func number(_ key: String) -> Int? { note(key).flatMap { Int($0) } }
        guard let bands = contract.bandCount ?? settings.features_size ?? number("feat_dim"), (1...512).contains(bands)
        else { throw .encoder("does not declare its number of mel bands") }
        bandCount = bands
        subsampling = settings.subsampling_factor ?? number("subsampling_factor") ?? 8
        maximumTokensPerFrame = settings.max_tokens_per_step ?? 10
        guard (1...64).contains(subsampling), (1...1000).contains(maximumTokensPerFrame) else {
            throw .configuration("contains values that are out of range")
        }
        isNormalized = !["", "NA"].contains(note("normalize_type") ?? "per_feature")
        // NeMo's vocabulary size does not include the blank.
        if let known = number("vocab_size"), known != vocabulary.count - 1 {
            throw .tokens("has \(vocabulary.count - 1) tokens, not counting the blank, but the model has \(known)")
        }
    }

    private static func settings(_ path: String) throws(EngineError) -> Settings {
        guard let json = FileContents.content(of: path, most: maximumBytes) else {
            throw .configuration("cannot be read")
        }
        let settings: Settings
        do {
            settings = try JSONReader.read(json, allowsRepeatedKeys: true, maximumValues: 1 << 12).decode(Settings.self)
        } catch let error as JSONSyntaxError {
            throw .configuration("is not JSON (line \(error.line): \(error.reason))")
        } catch {
            throw .configuration("has an unexpected structure")
        }
        if let kind = settings.model_type, !kind.hasSuffix("-tdt"), !kind.hasSuffix("-rnnt") {
            throw .configuration(
                "is for a model of the type \"\(String(kind.prefix(64)))\", which this engine does not support")
        }
        return settings
    }

    private static func declared(_ path: String, _ role: String) throws(EngineError) -> DeclaredTensors {
        do {
            return try DeclaredTensors(model: path)
        } catch {
            throw EngineError(error, of: role)
        }
    }
}
