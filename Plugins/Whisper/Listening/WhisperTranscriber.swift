import EngineKit
import SynthInference
package import SynthRecognizerParts

/// Transcribes audio with a loaded model. Transcriptions may run concurrently.
package struct WhisperTranscriber: Sendable {
    let model: WhisperModel

    /// Loads the model, which takes between half a second and several seconds.
    ///
    /// - Parameters:
    ///   - threads: The number of threads per run; 0 selects a suitable number.
    ///   - cacheDirectory: An existing folder for optimized graphs; `nil` disables the cache.
    package init(_ files: WhisperFiles, threads: Int = 0, cacheDirectory: String? = nil) throws {
        model = try WhisperModel(
            files, threads: threads > 0 ? threads : WhisperModel.usefulThreads, cacheDirectory: cacheDirectory)
    }

    /// A handle that lets another thread stop a transcription.
    package func makeStop() -> RunStop { RunStop(queue: model.queue) }

    /// The BCP 47 tags of the languages that the model supports.
    package var languages: [String] {
        model.configuration.isMultilingual ? model.table.languages.map { WhisperLanguage.tag(of: $0.code) } : ["en"]
    }

    /// Transcribes audio as it arrives.
    ///
    /// - Parameters:
    ///   - read: Returns mono samples at 16 kHz, -1 … 1. It waits for at least one sample and returns at most the given
    ///     number. An empty result marks the end of the audio.
    ///   - ready: The number of samples that `read` can return without waiting.
    ///   - isComplete: Whether all audio has arrived.
    ///   - stop: A handle that lets another thread stop the transcription.
    ///   - pauses: Finds pauses, as ordered ranges of sample indices. `nil` detects pauses by loudness.
    ///   - report: Called on this thread. It returns false to stop.
    /// - Throws: `Stopped` if the transcription was stopped; otherwise, an error about the audio, the language or the
    ///   model.
    package func transcribe(
        read: (_ most: Int) throws -> [Float], ready: () -> Int = { 0 }, isComplete: () -> Bool = { false },
        _ options: DecodingOptions = .init(), stop: RunStop? = nil,
        pauses: ((ArraySlice<Float>) -> [Range<Int>])? = nil,
        report: (TranscriptionEvent) -> Bool = { _ in true }
    ) throws -> Transcript {
        try check(options)
        var long = LongTranscription(
            ModelTranscriber(model, stop: stop ?? makeStop()), options, pauses: pauses ?? { PauseFinder.pauses(in: $0) }
        )
        return try long.run(read: read, ready: ready, isComplete: isComplete, report: report)
    }

    /// Transcribes complete audio.
    package func transcribe(
        _ samples: [Float], _ options: DecodingOptions = .init(), stop: RunStop? = nil,
        pauses: ((ArraySlice<Float>) -> [Range<Int>])? = nil,
        report: (TranscriptionEvent) -> Bool = { _ in true }
    ) throws -> Transcript {
        var place = 0
        return try transcribe(
            read: { most in
                let piece = samples[place..<min(samples.count, place + max(0, most))]
                place = piece.endIndex
                return Array(piece)
            }, ready: { samples.count - place }, options, stop: stop, pauses: pauses, report: report)
    }

    /// A log message that states where the graphs were loaded from.
    var note: String {
        [("encoder", model.encoder), ("decoder", model.decoder)].map { name, session in
            "the \(name) was loaded from \(session.isFromCache ? "the cache" : "its file")"
        }.joined(separator: ", ")
    }

    /// Returns the tokens and the mean logarithm of one window, for comparisons.
    ///
    /// - Parameter isChecked: Whether doubtful text is decoded again.
    package func tokens(
        of samples: [Float], width: Int, isTimed: Bool, isChecked: Bool
    ) throws -> (tokens: [Int], mean: Double) {
        var listener = ModelTranscriber(model, stop: makeStop())
        var request = WindowRequest(isTimed: isTimed, width: width)
        request.isChecked = isChecked
        let text = try listener.transcribeWindow(samples[...], request) { _ in }
        return (text.tokens, text.mean)
    }

    private func check(_ options: DecodingOptions) throws {
        guard let tag = options.language else { return }
        let code = WhisperLanguage.code(of: tag)
        let known = model.configuration.isMultilingual ? model.table.languages.map(\.code) : ["en"]
        guard known.contains(code) else {
            throw EngineError.request(
                model.configuration.isMultilingual
                    ? "does not support the language \"\(tag)\"" : "transcribes only English")
        }
    }
}

/// Transcribes windows with a model. Use an instance on one thread at a time.
struct ModelTranscriber: WindowTranscriber {
    private let model: WhisperModel
    private let stop: RunStop
    private var mel: LogMel
    /// The encoder's output for the most recent window, the index of that window's first sample, and the window's
    /// length.
    private var encoded: (place: Int, count: Int, output: InferenceOutput)?

    init(_ model: WhisperModel, stop: RunStop) {
        self.model = model
        self.stop = stop
        mel = LogMel(bandCount: model.contract.bandCount)
    }

    var table: TokenTable { model.table }
    var longest: Int { (model.contract.frameCount ?? LogMel.frameCount) * LogMel.hop }

    mutating func transcribeWindow(
        _ samples: ArraySlice<Float>, _ request: WindowRequest, progress: (Int) throws -> Void
    ) throws -> WindowText {
        try stop.check()
        var (text, scorer) = try text(of: encoded(samples, request), request, progress)
        if Self.isUnlikely(text, request), samples.count < longest {
            let hidden = try encode(samples, frames: longest / LogMel.hop, padding: .silence)
            var second = request
            second.agreed = nil
            let other = try self.text(of: hidden, second, progress)
            if Self.isBetter(other.text, than: text) { (text, scorer) = other }
        }
        if request.wantsWords {
            text.spans = try spans(text, frames: min(samples.count, longest) / LogMel.hop, scorer)
        }
        return text
    }

    /// Returns the text for the encoder's output, and the scorer that found it.
    private func text(
        of hidden: InferenceOutput, _ request: WindowRequest, _ progress: (Int) throws -> Void
    ) throws -> (text: WindowText, scorer: ModelScorer) {
        var reader = WindowReader(
            table: model.table, configuration: model.configuration,
            scorer: ModelScorer(model, for: hidden, stop: stop))
        let text = try reader.read(request) { count in
            try stop.check()
            try progress(count)
        }
        return (text, reader.scorer)
    }

    /// The mean logarithm of a text, without bonuses, below which the window is also transcribed with the other
    /// padding.
    private static let minimumMean = -0.5

    /// Whether a window that is shorter than the model's should be transcribed again with silence as its padding.
    ///
    /// In noise, the text depends on what follows the audio. On 180 recordings of people speaking Spanish, Italian and
    /// Russian, both clean and with noise at 10 dB, decoded both greedily and with five hypotheses, the base model made
    /// 1145 errors with silence as padding, 1105 with zeros (faster-whisper, which also pads with zeros: 1109), and
    /// 1090 when windows below this mean, which are 16% of all windows, got the likelier of the two texts.
    static func isUnlikely(_ text: WindowText, _ request: WindowRequest) -> Bool {
        // The beginning may already have been reported, or may be all that was requested.
        let isOpen = (request.agreed?.reported ?? 0) == 0 && request.beginning.count < request.maximumTokens
        return request.isChecked && !request.isBrief && isOpen && !text.tokens.isEmpty && text.leftOut == nil
            && text.mean < minimumMean
    }

    /// Whether the text of the second recognition replaces the first one. A text with omitted tokens does not, and a
    /// doubtful text replaces only another doubtful one, because repetitions have a high mean.
    static func isBetter(_ second: WindowText, than first: WindowText) -> Bool {
        !second.tokens.isEmpty && second.leftOut == nil && (first.isDoubtful || !second.isDoubtful)
            && second.meanWithBonuses > first.meanWithBonuses
    }

    /// Returns the encoder's output for a window. If only digital silence has been appended to the last window, that
    /// window's output is returned.
    private mutating func encoded(_ samples: ArraySlice<Float>, _ request: WindowRequest) throws -> InferenceOutput {
        if let encoded, model.contract.frameCount != nil, encoded.place == request.place,
            encoded.count <= samples.count,
            PauseFinder.isSilent(samples.dropFirst(encoded.count))
        {
            return encoded.output
        }
        encoded = nil
        let output = try encode(samples, isBrief: request.isBrief, padding: .zero)
        encoded = (request.place, samples.count, output)
        return output
    }

    /// The number of frames of silence after brief audio, and the minimum number of frames in a window of brief audio.
    ///
    /// The cost of a window does not depend on its content, and for a spoken command, the encoder accounts for most of
    /// it. A graph may accept fewer than 3000 frames (the published graphs do not; `whisper_onnx.py --flexible` writes
    /// one that does), but accuracy drops if the window is too short, because tiny.en was trained on windows of 30 s.
    /// The following results are for 40 sentences of 2 to 4 s, with 382 words in total, using greedy search. The time
    /// is the encoder's CPU time in seconds, and the last column counts the sentences whose tokens are the same as with
    /// 3000 frames:
    ///
    /// | frames | time | wrong words | same tokens |
    /// |---|---|---|---|
    /// | 3000 | 0.62 | 65, 20 of them in a loop | 40 |
    /// | 2000 | 0.39 | 45 | 28 |
    /// | 1500 | 0.28 | 51 | 25 |
    /// | 1000 | 0.19 | 45 | 24 |
    /// | 750 | 0.16 | 123 | 21 |
    /// | audio + 200 | 0.10 | 475 | 13 |
    ///
    /// Therefore, brief audio gets a window of 15 s, twice the length below which accuracy collapses. For all other audio,
    /// the tokens are the same as with the published graphs.
    private static let (briefMargin, briefLeast) = (500, 1500)

    /// Returns the encoder's output, [1, positions, width].
    mutating func encode(
        _ samples: ArraySlice<Float>, isBrief: Bool = false, padding: LogMel.Padding = .silence
    ) throws -> InferenceOutput {
        guard model.contract.frameCount == nil, isBrief else {
            return try encode(samples, frames: longest / LogMel.hop, padding: padding)
        }
        let heard = samples.count / LogMel.hop / 2 * 2
        let frames = min(LogMel.frameCount, max(Self.briefLeast, heard + Self.briefMargin))
        do {
            return try encode(samples, frames: frames, padding: .silence)
        } catch let error as EngineError where error.role == WhisperRole.encoder {
            // The graph declares that it accepts any number of frames, but it accepts only 3000.
            return try encode(samples, frames: LogMel.frameCount, padding: padding)
        }
    }

    private mutating func encode(
        _ samples: ArraySlice<Float>, frames: Int, padding: LogMel.Padding
    ) throws -> InferenceOutput {
        let contract = model.contract
        let features = try mel.features(of: samples, frames: frames, padding: padding)
        let input = WhisperContract.tensor(features, [1, contract.bandCount, frames], as: contract.featureElement)
        let outputs = try stop.run(
            model.encoder, [(WhisperContract.features, input)], outputs: [WhisperContract.hidden],
            of: WhisperRole.encoder)
        guard let hidden = outputs.first, hidden.shape.count == 3, hidden.shape[0] == 1, hidden.count > 0,
            hidden.element == contract.hiddenElement
        else { throw EngineError.encoder("returns a tensor whose shape the decoder does not accept") }
        return hidden
    }

    /// Returns the times of the text's tokens; `nil` if the model cannot align words.
    private func spans(
        _ text: WindowText, frames: Int, _ scorer: ModelScorer
    ) throws -> [ClosedRange<Double>]? {
        let contract = model.contract
        let words = text.tokens.filter(table.isText)
        guard contract.givesAttention, !words.isEmpty else { return nil }
        var heads = model.configuration.alignmentHeads.filter {
            $0.layer < contract.layerCount && $0.head < contract.headCount
        }
        if heads.isEmpty {
            // If the configuration lists no heads, use those in the upper half of the layers, as OpenAI's program does.
            heads = (contract.layerCount / 2..<contract.layerCount).flatMap { layer in
                (0..<contract.headCount).map { (layer, $0) }
            }
        }
        let layers = Set(heads.map(\.layer)).sorted()
        var read = [table.start]
        if let language = text.language, let id = table.languages.first(where: { $0.code == language })?.id {
            read += [id, table.transcribe]
        }
        read.append(table.untimed)
        let first = read.count - 1
        read += words.prefix(TokenSearch.context - read.count - 1) + [table.end]
        let attention = try scorer.attention(read, layers: layers)
        var times = WordTimes(rows: read.count, columns: frames / 2)
        for (layer, output) in zip(layers, attention) {
            guard output.shape.count == 4, output.shape[0] == 1, output.shape[1] == Int64(contract.headCount),
                output.shape[2] == Int64(read.count), let numbers = output.floats()
            else { throw EngineError.decoder("returns attention weights of an unexpected shape") }
            let width = Int(output.shape[3])
            for head in heads where head.layer == layer {
                times.add(numbers.dropFirst(head.head * read.count * width).prefix(read.count * width), width: width)
            }
        }
        return times.spans(first..<read.count - 2)
    }
}
