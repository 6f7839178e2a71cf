import SynthCatalogue
import SynthEngineWire
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthListening
import SynthService
import SynthSystem

/// An utterance in a session, which is a conversation item in OpenAI's terms.
final class RealtimeItem: Sendable {
    enum State { case open, committed, dropped }

    let id: String
    let previous: String?
    let sound: LiveTranscription
    /// The start of the audio, in seconds since the start of the session.
    let start: Double
    private let state = Monitor((state: State.open, end: 0.0))

    init(_ id: String, after previous: String?, _ sound: LiveTranscription, start: Double) {
        (self.id, self.previous, self.sound, self.start) = (id, previous, sound, start)
    }

    /// Completes the utterance. Call this method after the client has been notified that the utterance has ended.
    ///
    /// - Parameter end: the end of the audio, in seconds since the start of the session.
    func commit(end: Double) { state.update { if $0.state == .open { $0 = (.committed, end) } } }

    func drop() {
        state.update { $0.state = .dropped }
        sound.cancel()
    }

    /// Returns the end of the audio, or nil if the utterance was dropped. Blocks until the utterance is completed or
    /// dropped.
    func end() -> Double? {
        state.wait { $0.state == .open ? nil : $0.state == .committed ? .some($0.end) : .some(nil) } ?? nil
    }
}

/// Transcribes a session's utterances in order on a separate thread. Transcription of an utterance starts before all of
/// its audio has arrived.
final class RealtimeTranscription: Sendable {
    private enum Job {
        case load(RecognizerChoice)
        case item(RealtimeItem)
        case finish
    }
    private struct State {
        var waiting: [Job] = []
        var current: RealtimeItem?
        var isEnded = false
        var isRunning = false
        /// The model state that was last reported to the client.
        var model: [JSONNode.Member] = []
    }
    private let service: TranscriptionService
    private let events: RealtimeEvents
    private let state = Monitor(State())

    /// The maximum time, in seconds, from the end of the speech to the reported end of the last word.
    private static let slack = 0.1
    /// The number of queued utterances at which `add` blocks.
    private static let maximumWaiting = 8

    init(_ service: TranscriptionService, _ events: RealtimeEvents) {
        self.service = service
        self.events = events
    }

    /// Preloads a model and reports the progress to the client.
    func load(_ choice: RecognizerChoice) { add(.load(choice)) }

    /// Reports the state of the model again, because the client may have missed the previous report.
    func tellModel() {
        let model = state.read { $0.model }
        if !model.isEmpty { events.send("synthhost.state", model) }
    }

    /// Adds an utterance to the queue. Blocks while the queue is full.
    func add(_ item: RealtimeItem) { add(.item(item)) }

    /// Ends the session when all queued utterances have been transcribed.
    func finish() { add(.finish) }

    /// Stops transcribing. Does not block. May be called from any thread.
    func end() {
        let dropped = state.update { state in
            state.isEnded = true
            defer { state.waiting = [] }
            return state.waiting.compactMap { if case .item(let item) = $0 { item } else { nil } }
                + [state.current].compactMap(\.self)
        }
        for item in dropped { item.drop() }
    }

    /// Blocks until the thread has ended. Call `end` first.
    func waitForEnd() { _ = state.wait { $0.isRunning ? nil : true } }

    private func add(_ job: Job) {
        let isAdded = state.wait { state -> Bool? in
            if state.isEnded { return false }
            guard state.waiting.count < Self.maximumWaiting else { return nil }
            state.waiting.append(job)
            return true
        }
        guard isAdded == true else {
            if case .item(let item) = job { item.drop() }
            return
        }
        let mustStart = state.update { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart, !startThread("realtime-hearing", { self.run() }) {
            state.update { $0.isRunning = false }
            events.end(.tryLater, .busy)
            end()
        }
    }

    private func run() {
        while let job = next() {
            switch job {
            case .load(let choice): tell(loading: choice)
            case .item(let item): transcribe(item)
            case .finish:
                events.send("synthhost.finished")
                events.end()
            }
        }
        state.update { $0.isRunning = false }
    }

    private func next() -> Job? {
        let job: Job?? = state.wait { state in
            state.current = nil
            if state.isEnded { return .some(nil) }
            if state.waiting.isEmpty { return nil }
            let job = state.waiting.removeFirst()
            if case .item(let item) = job { state.current = item }
            return job
        }
        return job ?? nil
    }

    private func tell(loading choice: RecognizerChoice) {
        func tell(_ word: String) {
            state.update { state in
                state.model = [
                    .init("state", .string(word)), .init("model", .string(choice.key)),
                    .init("name", .string(choice.model.name)),
                ]
            }
            tellModel()
        }
        if !service.isLoaded(choice) {
            tell("loading")
            do { try service.load(choice) } catch { return events.tell(.error(error)) }
        }
        tell("ready")
    }

    private func transcribe(_ item: RealtimeItem) {
        let itemMembers: [JSONNode.Member] = [.init("item_id", .string(item.id)), .init("content_index", 0)]
        let kind = "conversation.item.input_audio_transcription"
        var deltas = TranscriptDeltas()
        var texts: [RecognizedText] = []
        let isTranscribed: Bool
        do {
            isTranscribed = try item.sound.read { text in
                let (before, more) = (deltas.tentative, deltas.take(text))
                if text.isFinal, !text.text.isEmpty { texts.append(text) }
                if !more.isEmpty { events.send("\(kind).delta", itemMembers + [.init("delta", .string(more))]) }
                guard !more.isEmpty || deltas.tentative != before else { return }
                events.send(
                    "synthhost.tentative",
                    itemMembers + [.init("stable", .string(deltas.stable)), .init("text", .string(deltas.tentative))])
            }
        } catch {
            guard item.end() != nil else { return }
            events.send("\(kind).failed", itemMembers + [.init("error", events.error(.error(error)))])
            return
        }
        guard isTranscribed, let end = item.end() else { return }
        if !deltas.tentative.isEmpty {
            // Remove tentative text that was not confirmed.
            events.send(
                "synthhost.tentative", itemMembers + [.init("stable", .string(deltas.stable)), .init("text", "")])
        }
        let rate = Double(item.sound.rate)
        // Recognizers tend to extend the last word into the following pause, so clamp its end time.
        func seconds(_ frame: UInt64) -> JSONNode.Value {
            .number((min(end + Self.slack, item.start + Double(frame) / rate) * 1000).rounded() / 1000)
        }
        let words = TranscriptWords(texts).members(seconds)
        let first = texts.first.map { seconds($0.frames.lowerBound) }
        let last = texts.last.map { seconds($0.frames.upperBound) }
        let usage: [JSONNode.Member] = [
            .init("type", "duration"), .init("seconds", .number(max(0, end - item.start).rounded(.up))),
        ]
        events.send(
            "\(kind).completed",
            itemMembers + [
                .init("transcript", .string(deltas.whole)), .init("usage", .object(usage)),
                .init("language", deltas.language.map { .string($0) } ?? .null),
                .init("start", first ?? .number(item.start)), .init("end", last ?? .number(end)),
                .init("words", .array(words)),
            ])
    }
}
