import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
package import SynthHost
package import SynthListening
import SynthSystem

/// Transcribes audio for many clients using models that stay loaded. All servers that offer transcription share one
/// queue. The recognizer models and the service's voices share a memory limit.
///
/// Recordings are processed in chunks, so that a long recording does not block other clients. The service never opens a
/// microphone. Thread-safe.
package final class TranscriptionService: Sendable {
    package let limits: ServiceLimits
    /// The recognizer models and their downloads.
    package let library: RecognizerLibrary
    private let current: Monitor<SpeechHost>
    private let warm: WarmModels
    private let onUse: @Sendable () -> Void
    /// The number of recordings that are being transcribed or are queued.
    private let recordings = Monitor(0)
    /// Limits the memory for queued audio.
    let budget: Budget

    /// - Parameters:
    ///   - warm: the model cache, shared with the service's voices.
    ///   - onUse: called when a model has been loaded or used, so that another model can be evicted.
    package init(
        _ host: SpeechHost, _ warm: WarmModels, _ limits: ServiceLimits = ServiceLimits(),
        onUse: @escaping @Sendable () -> Void
    ) {
        let current = Monitor(host)
        (self.current, library) = (current, RecognizerLibrary(current))
        self.onUse = onUse
        self.warm = warm
        self.limits = limits
        budget = Budget(limit: limits.soundMemory)
    }

    /// Switches to `host`. The speech service, which shares the cache, evicts the models from it.
    package func replace(_ host: SpeechHost) { current.update { $0 = host } }

    /// The size of the queued audio in bytes.
    package var waitingBytes: Int { budget.taken }

    /// Returns the installed models. Example models are included only if the user chose them. Blocks.
    package func models() -> [RecognizerChoice] {
        let inventory = current.read { $0 }.snapshot()
        let chosen = inventory.host.presets.recognizer
        let all = (try? inventory.recognizerChoices()) ?? []
        return all.filter { choice in
            choice.state.canListen
                && (!choice.capabilities.contains(.isExample) || choice.recognizerID == chosen)
        }
    }

    /// Chooses the model for a request. Blocks.
    package func choice(for order: TranscriptionRequest) throws(SpeechError) -> RecognizerChoice {
        if let language = order.language, !RecognizedText.isLanguage(language) {
            throw .languageInvalid(language)
        }
        let inventory = current.read { $0 }.snapshot()
        let choice = try find(order, in: inventory)
        if order.isTranslated, !choice.capabilities.contains(.translates) {
            throw .translationUnsupported(model: choice.model.name)
        }
        return choice
    }

    private func find(_ order: TranscriptionRequest, in inventory: HostSnapshot) throws(SpeechError) -> RecognizerChoice
    {
        guard let name = order.model else { return try inventory.chosenRecognizer(language: order.language) }
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 { return try inventory.chosenRecognizer(recognizer: parts[0], model: parts[1]) }
        do {
            return try inventory.chosenRecognizer(model: name)
        } catch {
            guard error.code == .modelUnknown,
                try inventory.recognizerChoices().contains(where: { $0.recognizerID == name })
            else {
                throw error
            }
            return try inventory.chosenRecognizer(recognizer: name, language: order.language)
        }
    }

    /// Prepares the transcription of a recording. The recording counts toward the limit until the returned object is
    /// released.
    package func recording(_ order: TranscriptionRequest, by choice: RecognizerChoice) throws(SpeechError)
        -> RecordingTranscription
    {
        let request = try request(order)
        let hasRoom = recordings.update { count in
            guard count < limits.recordings else { return false }
            count += 1
            return true
        }
        guard hasRoom else { throw .transcriptionOverloaded }
        return RecordingTranscription(
            choice, request, turn(of: choice, order.priority), gate(for: choice, order.priority), limits,
            current.read { $0 }.snapshot().host.media, splitsChannels: order.splitsChannels
        ) { [recordings] in recordings.update { $0 -= 1 } }
    }

    /// Prepares a live transcription.
    ///
    /// - Parameters:
    ///   - utterance: the frames of a single utterance, which the caller appends until the utterance ends, or nil if
    ///     the client adds the audio, which must then pass a voice activity detector.
    ///   - silence: the number of non-speech frames in the utterance, or nil if the utterance was detected by its
    ///     loudness.
    package func live(
        _ order: TranscriptionRequest, by choice: RecognizerChoice, utterance: IncomingFrames? = nil,
        silence: Int? = nil
    ) throws(SpeechError) -> LiveTranscription {
        var request = try request(order)
        request.isLive = true
        request.wants.insert(.partials)
        let transcription = LiveTranscription(
            choice, request, turn(of: choice, order.priority), gate(for: choice, order.priority), budget, limits,
            utterance: utterance, silence: silence)
        guard let transcription else { throw .transcriptionOverloaded }
        return transcription
    }

    /// Whether a model is loaded, in which case transcription can start immediately.
    package func isLoaded(_ choice: RecognizerChoice) -> Bool { recognizerLanes(of: choice).hasLane }

    /// Loads a model if necessary. Blocks.
    package func load(_ choice: RecognizerChoice) throws(SpeechError) {
        let recognizerLanes = recognizerLanes(of: choice)
        _ = try rethrowing(recognizerLanes.load(recognizerLanes.ticket(.urgent)), as: SpeechError.ofRecognizer)
        onUse()
    }

    private func recognizerLanes(of choice: RecognizerChoice) -> ModelLanes<RecognizerLane> {
        let (recognizer, load) = current.read { $0 }.snapshot().sharedRecognizer(of: choice)
        return warm.recognizerLanes(of: load, recognizer, limit: choice.lanes)
    }

    private func turn(of choice: RecognizerChoice, _ priority: SpeechPriority) -> TranscriptionTurn {
        let recognizerLanes = recognizerLanes(of: choice)
        onUse()
        return TranscriptionTurn(recognizerLanes, priority, warm.counters, onEnd: onUse)
    }

    /// Returns the voice activity detector for the model's sample rate, or nil if none is installed.
    package func gate(for choice: RecognizerChoice, _ priority: SpeechPriority) -> SpeechGate? {
        guard let detector = current.read({ $0 }).snapshot().detector(rate: choice.rate) else { return nil }
        let lanes = recognizerLanes(of: detector)
        @Sendable func take() -> (any RecognitionLane)? { try? lanes.take(lanes.ticket(priority)) }
        return SpeechGate(takeDetector: take) { lane in
            if let lane = lane as? RecognizerLane { lanes.release(lane) }
        }
    }

    private func request(_ order: TranscriptionRequest) throws(SpeechError) -> RecognitionJob {
        let own = try current.read { $0 }.snapshot().vocabulary()
        return RecognitionJob(
            language: order.language,
            hints: Vocabulary.hints(
                order.context.map { $0.cut(toBytes: TranscriptionRequest.longestContext) }, order.phrases + own),
            wants: order.wantsWords ? .words : [], isTranslated: order.isTranslated)
    }
}

extension RecognizerChoice {
    /// The unique key, in the format "RECOGNIZER/MODEL".
    package var key: String { "\(recognizerID)/\(model.id)" }
}

/// The transcript of a recording, which grows as chunks are transcribed.
package struct ServiceTranscript: Sendable {
    private let rate: UInt32
    private var sentences: TranscriptSentences
    /// The complete sentences, in the order in which they were spoken.
    package private(set) var texts: [RecognizedText] = []
    /// The texts that were omitted from the transcript.
    package private(set) var leftOut: [RecognizedText] = []
    /// Whether the last sentence is incomplete.
    package var isWaiting: Bool { sentences.isWaiting }

    /// - Parameter rate: the number of frames per second.
    package init(rate: UInt32) {
        self.rate = rate
        sentences = TranscriptSentences(rate: rate)
    }

    /// Adds a transcribed chunk of the recording.
    ///
    /// - Returns: the sentences that this chunk completes.
    @discardableResult
    package mutating func add(_ piece: TranscribedPiece) -> [RecognizedText] {
        leftOut += piece.leftOut
        return take(sentences.add(piece))
    }

    /// Ends the transcript.
    ///
    /// - Returns: the last sentence, if it was incomplete.
    @discardableResult
    package mutating func finish() -> [RecognizedText] { take(sentences.finish()) }

    private mutating func take(_ found: [RecognizedText]) -> [RecognizedText] {
        texts += found
        return found
    }

    /// The text as a single line. If the channels were transcribed separately, each sentence is on its own line,
    /// preceded by the channel name.
    package var text: String { texts.reduce("") { $0 + Self.space(between: $0, $1) + $1.labelled.text } }

    /// Returns the separator between a text and the next sentence.
    package static func space(between first: String, _ sentence: RecognizedText) -> String {
        guard sentence.channel != nil else { return TranscriptSentences.space(between: first, sentence.text) }
        return first.isEmpty ? "" : "\n"
    }

    /// The spoken language, or nil if the recognizer did not detect it.
    package var language: String? { texts.compactMap(\.language).first }

    /// Formats the transcript.
    package func written(as format: TranscriptFormat) -> String {
        var writer = TranscriptText(format, rate: rate)
        for text in leftOut { writer.add(leftOut: text) }
        return writer.head + texts.map { writer.add($0) }.joined() + writer.finish()
    }
}
