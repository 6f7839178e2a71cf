package import EngineKit
import SynthInference
package import SynthRecognizerParts

/// Transcribes audio to tokens and texts with a loaded model. Transcriptions may run concurrently.
package struct ParakeetTranscriber: Sendable {
    let model: ParakeetModel

    /// Loads the model, which may take several seconds.
    ///
    /// - Parameters:
    ///   - threads: The number of threads per run; 0 selects a suitable number.
    ///   - cacheDirectory: An existing folder for optimized graphs; `nil` disables the cache.
    package init(
        _ files: ParakeetFiles, threads: Int = 0, cacheDirectory: String? = nil
    ) throws(EngineError) {
        model = try ParakeetModel(
            files, threads: threads > 0 ? threads : InferenceQueue.usefulThreads, cacheDirectory: cacheDirectory)
    }

    /// A handle that lets another thread stop a transcription.
    package func makeStop() -> RunStop { RunStop(queue: model.queue) }

    /// The number of audio samples per encoder frame.
    var samplesPerFrame: Int { BandFeatures.hop * model.subsampling }

    var text: TokenText { TokenText(vocabulary: model.vocabulary, samplesPerFrame: samplesPerFrame) }

    /// A log message that states where the graphs were loaded from.
    var note: String {
        [("encoder", model.encoder), ("decoder", model.decoder)].map { name, session in
            "the \(name) was loaded from \(session.isFromCache ? "the cache" : "its file")"
        }.joined(separator: ", ")
    }

    /// The tokens of a window, each with its first frame and probability.
    package func tokens(of samples: [Float]) throws -> [(token: Int, frame: Int, probability: Double)] {
        try tokens(of: samples[...], stop: makeStop()).map { ($0.token, $0.frame, $0.probability) }
    }

    /// The texts of complete audio.
    package func texts(of samples: [Float]) throws -> [RecognizedText] {
        var (position, found) = (0, [RecognizedText]())
        let stop = makeStop()
        var sound = LongSound(text)
        try sound.run(
            read: { most in
                let piece = samples[position..<min(samples.count, position + most)]
                position = piece.endIndex
                return Array(piece)
            }, ready: { samples.count - position }, transcribe: { try tokens(of: $0, stop: stop) },
            tell: { if case .final(let text) = $0 { found.append(text) } })
        return found
    }

    /// Converts the phrases to the model's tokens. Returns `nil` if there are none.
    func tree(of phrases: [String]) -> PhraseTree? {
        var tree = PhraseTree(token: Self.bonus.token, letter: Self.bonus.letter)
        for phrase in phrases {
            tree.add(phrase, tokens: model.vocabulary.tokens) { Array(model.vocabulary.piece($0).utf8) }
        }
        return tree.isEmpty ? nil : tree
    }

    /// The bonus for phrases. It is lower than Whisper's because Whisper's search, unlike this one, can withdraw an
    /// incomplete phrase.
    private static let bonus = (token: 0.5, letter: 0.25)

    /// - Parameters:
    ///   - phrases: Names and terms to prefer.
    ///   - progress: Called before each token; it throws to stop the transcription.
    func tokens(
        of samples: ArraySlice<Float>, favouring phrases: PhraseTree? = nil, stop: RunStop,
        progress: () throws -> Void = {}
    ) throws -> [FoundToken] {
        var bands = BandFeatures(bandCount: model.bandCount, isNormalized: model.isNormalized)
        let encoded = try encode(bands.features(of: samples), stop)
        var predictor = ModelPredictor(model, for: encoded, stop: stop)
        let loop = TokenLoop(
            vocabulary: model.vocabulary, maximumTokensPerFrame: model.maximumTokensPerFrame, phrases: phrases)
        return try loop.find(encoded.frameCount, with: &predictor, progress: progress)
    }

    private func encode(_ features: BandFeatures.Features, _ stop: RunStop) throws(EngineError) -> EncodedSound {
        let contract = model.contract
        let shape = [1, Int64(model.bandCount), Int64(features.frames)]
        let outputs: [InferenceOutput]
        do {
            outputs = try stop.run(
                model.encoder,
                [
                    (contract.sound.signal, InferenceTensor(features.numbers, shape: shape)),
                    (contract.sound.length, InferenceTensor([Int64(features.validFrames)], shape: [1])),
                ], outputs: [contract.encoded.outputs, contract.encoded.lengths])
        } catch {
            throw EngineError(error, of: ParakeetRole.encoder)
        }
        return try EncodedSound(outputs[0], lengths: outputs[1])
    }
}
