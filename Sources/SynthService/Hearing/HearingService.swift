import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
package import SynthHost
package import SynthListening
import SynthSystem

/// Listens for many clients with models that stay loaded: the one queue behind every door that hears. What stays loaded counts
/// beside the voices of the same service.
///
/// Each sound takes its turn piece by piece, so that a long recording delays nobody. No microphone is ever opened here. Any
/// thread may use it.
package final class HearingService: Sendable {
    package let limits: ServiceLimits
    /// The models that listen, and their downloads.
    package let library: RecognizerLibrary
    private let current: Monitor<LocalHost>
    private let warm: WarmModels
    private let onUse: @Sendable () -> Void
    /// Recordings that are understood, or wait for it.
    private let recordings = Monitor(0)
    /// What sounds take that wait for a recognizer.
    let budget: ByteBudget

    /// - Parameters:
    ///   - warm: where the voices of the service have their lanes from, too.
    ///   - onUse: something was loaded or understood, so that something else may have to go.
    package init(
        _ host: LocalHost, _ warm: WarmModels, _ limits: ServiceLimits = ServiceLimits(),
        onUse: @escaping @Sendable () -> Void
    ) {
        let current = Monitor(host)
        (self.current, library) = (current, RecognizerLibrary(current))
        self.onUse = onUse
        self.warm = warm
        self.limits = limits
        budget = ByteBudget(limit: limits.soundMemory)
    }

    /// Listens as another host says from now on. What is loaded is dropped with the voices.
    package func replace(_ host: LocalHost) { current.update { $0 = host } }

    /// Bytes of sounds that wait for a recognizer.
    package var waitingBytes: Int { budget.taken }

    /// The models that could listen now, without examples, unless the user chose one. Blocks.
    package func models() -> [HearingChoice] {
        let inventory = current.read { $0 }.inventory()
        let chosen = inventory.host.presets.recognizer
        let all = (try? inventory.hearing()) ?? []
        return all.filter { choice in
            choice.state.canListen
                && (!choice.capabilities.contains(.isExample) || choice.recognizerID == chosen)
        }
    }

    /// The model that is meant. Blocks.
    package func choice(for order: HearingOrder) throws(SpeechError) -> HearingChoice {
        if let language = order.language, !HeardText.isLanguage(language) {
            throw .languageInvalid(language)
        }
        let inventory = current.read { $0 }.inventory()
        let choice = try find(order, in: inventory)
        if order.isTranslated, !choice.capabilities.contains(.translates) {
            throw .translationUnsupported(model: choice.model.name)
        }
        return choice
    }

    private func find(_ order: HearingOrder, in inventory: Inventory) throws(SpeechError) -> HearingChoice {
        guard let name = order.model else { return try inventory.chooseHearing(language: order.language) }
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2 { return try inventory.chooseHearing(recognizer: parts[0], model: parts[1]) }
        do {
            return try inventory.chooseHearing(model: name)
        } catch {
            guard error.code == .modelUnknown,
                try inventory.hearing().contains(where: { $0.recognizerID == name })
            else {
                throw error
            }
            return try inventory.chooseHearing(recognizer: name, language: order.language)
        }
    }

    /// A recording that is to be understood, as long as the value lives.
    package func recording(_ order: HearingOrder, by choice: HearingChoice) throws(SpeechError) -> RecordingHearing {
        let request = try request(order)
        let hasRoom = recordings.update { count in
            guard count < limits.recordings else { return false }
            count += 1
            return true
        }
        guard hasRoom else { throw .hearingOverloaded }
        return RecordingHearing(
            choice, request, turn(of: choice, order.priority), gate(for: choice, order.priority), limits,
            current.read { $0 }.media
        ) { [recordings] in recordings.update { $0 -= 1 } }
    }

    /// A sound that is understood while it comes.
    ///
    /// - Parameters:
    ///   - utterance: what somebody says, to which another one adds until it ends; nil = the client's sound, in which a detector looks
    ///     for speech.
    ///   - silence: frames of the utterance that are no speech; nil = loudness found it.
    package func live(
        _ order: HearingOrder, by choice: HearingChoice, utterance: IncomingFrames? = nil, silence: Int? = nil
    ) throws(SpeechError) -> LiveHearing {
        var request = try request(order)
        request.isLive = true
        request.wants.insert(.partials)
        let hearing = LiveHearing(
            choice, request, turn(of: choice, order.priority), gate(for: choice, order.priority), budget, limits,
            utterance: utterance, silence: silence)
        guard let hearing else { throw .hearingOverloaded }
        return hearing
    }

    /// Whether a model is loaded, so that a sound is understood at once.
    package func isLoaded(_ choice: HearingChoice) -> Bool { ears(of: choice).hasLane }

    /// Loads a model, unless it is. Blocks.
    package func load(_ choice: HearingChoice) throws(SpeechError) {
        let ears = ears(of: choice)
        do {
            if let lane = try ears.take(ears.ticket(.urgent)) { ears.giveBack(lane) }
        } catch {
            throw SpeechError(recognizer: error)
        }
        onUse()
    }

    private func ears(of choice: HearingChoice) -> ModelLanes<RecognizerLane> {
        let (recognizer, load) = current.read { $0 }.inventory().sharedRecognizer(of: choice)
        return warm.ears(of: load, recognizer, limit: choice.lanes)
    }

    private func turn(of choice: HearingChoice, _ priority: SpeechPriority) -> HearingTurn {
        let ears = ears(of: choice)
        onUse()
        return HearingTurn(ears, priority, warm.counters, onEnd: onUse)
    }

    /// A detector of speech for the sound that a model is given; nil = there is none.
    package func gate(for choice: HearingChoice, _ priority: SpeechPriority) -> SpeechGate? {
        guard let detector = current.read({ $0 }).inventory().detector(rate: choice.rate) else { return nil }
        let lanes = ears(of: detector)
        @Sendable func take() -> (any HearingLane)? { try? lanes.take(lanes.ticket(priority)) }
        return SpeechGate(takeDetector: take) { lane in
            if let lane = lane as? RecognizerLane { lanes.giveBack(lane) }
        }
    }

    private func request(_ order: HearingOrder) throws(SpeechError) -> HearingRequest {
        let own = try current.read { $0 }.inventory().vocabulary()
        return HearingRequest(
            language: order.language,
            hints: Vocabulary.hints(
                order.context.map { $0.cut(toBytes: HearingOrder.longestContext) }, order.phrases + own),
            wants: order.wantsWords ? .words : [], isTranslated: order.isTranslated)
    }
}

extension HearingChoice {
    /// "RECOGNIZER/MODEL", which no other model has.
    package var key: String { "\(recognizerID)/\(model.id)" }
}

/// What was understood of a recording so far.
package struct HeardTranscript: Sendable {
    private let rate: UInt32
    private var sentences: TranscriptSentences
    /// Whole sentences, in the order of the sound.
    package private(set) var texts: [HeardText] = []

    /// - Parameter rate: frames a second.
    package init(rate: UInt32) {
        self.rate = rate
        sentences = TranscriptSentences(rate: rate)
    }

    /// - Returns: the sentences that are complete with it.
    @discardableResult
    package mutating func add(_ piece: TranscribedPiece) -> [HeardText] { take(sentences.add(piece)) }

    /// Nothing more comes.
    ///
    /// - Returns: the last sentence, if it waited for more.
    @discardableResult
    package mutating func finish() -> [HeardText] { take(sentences.finish()) }

    private mutating func take(_ found: [HeardText]) -> [HeardText] {
        texts += found
        return found
    }

    /// All of it in one line.
    package var text: String { texts.reduce("") { $0 + TranscriptSentences.space(between: $0, $1.text) + $1.text } }

    /// What was spoken, if the recognizer found it out.
    package var language: String? { texts.compactMap(\.language).first }

    /// All of it in another form.
    package func written(as format: TranscriptFormat) -> String {
        var writer = TranscriptText(format, rate: rate)
        return writer.head + texts.map { writer.add($0) }.joined() + writer.finish()
    }
}
