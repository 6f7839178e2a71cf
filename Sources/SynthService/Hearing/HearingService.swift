import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
package import SynthHost
package import SynthListening
import SynthRecognizers
import SynthSystem

/// Listens for many clients with models that stay loaded: the one queue behind every door that hears. What stays loaded counts
/// beside the voices of the same service.
///
/// Each sound takes its turn piece by piece, so that a long recording delays nobody. No microphone is ever opened here. Any
/// thread may use it.
package final class HearingService: Sendable {
    package let limits: ServiceLimits
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
        current = Monitor(host)
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
        let hasRoom = recordings.update { count in
            guard count < limits.recordings else { return false }
            count += 1
            return true
        }
        guard hasRoom else { throw .hearingOverloaded }
        return RecordingHearing(
            choice, Self.request(order), turn(of: choice, order.priority), gate(for: choice, order.priority), limits,
            current.read { $0 }.media
        ) { [recordings] in recordings.update { $0 -= 1 } }
    }

    /// A sound that is understood while it comes.
    package func live(_ order: HearingOrder, by choice: HearingChoice) throws(SpeechError) -> LiveHearing {
        var request = Self.request(order)
        request.isLive = true
        request.wants.insert(.partials)
        guard let hearing = LiveHearing(choice, request, turn(of: choice, order.priority), budget, limits) else {
            throw .hearingOverloaded
        }
        return hearing
    }

    private func turn(of choice: HearingChoice, _ priority: SpeechPriority) -> HearingTurn {
        let (recognizer, load) = current.read { $0 }.inventory().sharedRecognizer(of: choice)
        let ears = warm.ears(of: load, recognizer, limit: choice.lanes)
        onUse()
        return HearingTurn(ears, priority, warm.counters, onEnd: onUse)
    }

    /// A detector of speech for the sound that a model is given; nil = there is none.
    private func gate(for choice: HearingChoice, _ priority: SpeechPriority) -> SpeechGate? {
        let inventory = current.read { $0 }.inventory()
        guard let detector = inventory.detector(rate: choice.rate) else { return nil }
        let (recognizer, load) = inventory.sharedRecognizer(of: detector)
        let lanes = warm.ears(of: load, recognizer, limit: detector.lanes)
        @Sendable func take() -> (any HearingLane)? { try? lanes.take(lanes.ticket(priority)) }
        return SpeechGate(takeDetector: take) { lane in
            if let lane = lane as? RecognizerLane { lanes.giveBack(lane) }
        }
    }

    private static func request(_ order: HearingOrder) -> HearingRequest {
        func cut(_ text: String, to length: Int) -> String { String(decoding: text.utf8.prefix(length), as: UTF8.self) }
        let phrases = order.phrases.prefix(HearingOrder.mostPhrases).map { cut($0, to: HearingOrder.longestPhrase) }
        return HearingRequest(
            language: order.language,
            hints: HearingHints(
                context: order.context.map { cut($0, to: HearingOrder.longestContext) }, phrases: phrases),
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
    /// In the order of the sound.
    package private(set) var texts: [HeardText] = []

    /// - Parameter rate: frames a second.
    package init(rate: UInt32) { self.rate = rate }

    package mutating func add(_ piece: TranscribedPiece) { texts += piece.texts }

    /// All of it in one line.
    package var text: String { texts.map(\.text).joined(separator: " ") }

    /// What was spoken, if the recognizer found it out.
    package var language: String? { texts.compactMap(\.language).first }

    /// All of it in another form.
    package func written(as format: TranscriptFormat) -> String {
        var writer = TranscriptText(format, rate: rate)
        return writer.head + texts.map { writer.add($0) }.joined() + writer.tail
    }
}
