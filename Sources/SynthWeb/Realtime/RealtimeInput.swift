import SynthAudio
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthListening
import SynthEngineProcesses
import SynthService
import SynthSystem

/// Splits a session's audio into utterances on a separate thread, which handles the client's audio and commands in
/// order.
final class RealtimeInput: Sendable {
    enum Work {
        case sound([UInt8])
        case commit(event: String?)
        case clear
        case finish
        /// - Parameter choice: the recognizer model, or an error that explains why there is none.
        case change(RealtimeSettings, Result<RecognizerChoice, SpeechError>)
    }
    private struct State {
        var waiting: [Work] = []
        var bytes = 0
        var isEnded = false
        var isRunning = true
    }
    private let service: TranscriptionService
    private let events: RealtimeEvents
    private let transcription: RealtimeTranscription
    private let onSpeech: @Sendable () -> Void
    private let state = Monitor(State())

    /// The queue size in bytes at which reading from the client pauses.
    private static let maximumWaiting = 1 << 20

    /// - Parameter onSpeech: called when the user starts speaking, if the settings allow the user to interrupt a
    ///   response.
    init(
        _ service: TranscriptionService, _ events: RealtimeEvents, _ transcription: RealtimeTranscription,
        onSpeech: @escaping @Sendable () -> Void
    ) {
        self.service = service
        self.events = events
        self.transcription = transcription
        self.onSpeech = onSpeech
    }

    /// Adds work to the queue. Blocks while the queue is full.
    func add(_ work: Work) {
        let bytes = if case .sound(let bytes) = work { bytes.count } else { 1 }
        _ = state.wait { state -> Bool? in
            if state.isEnded { return false }
            guard state.bytes == 0 || state.bytes + bytes <= Self.maximumWaiting else { return nil }
            state.waiting.append(work)
            state.bytes += bytes
            return true
        }
    }

    /// Stops processing. Does not block. May be called from any thread.
    func end() { state.update { ($0.isEnded, $0.waiting) = (true, []) } }

    /// Blocks until the thread has ended. Call `end` first.
    func waitForEnd() { _ = state.wait { $0.isRunning ? nil : true } }

    /// Processes the queue until `end` is called. Blocks.
    func run() {
        let cutter = RealtimeCutter(service, events, transcription, onSpeech)
        while let work = next() { cutter.take(work) }
        cutter.end()
        state.update { $0.isRunning = false }
    }

    private func next() -> Work? {
        let work: Work?? = state.wait { state in
            if state.isEnded { return .some(nil) }
            if state.waiting.isEmpty { return nil }
            let work = state.waiting.removeFirst()
            if case .sound(let bytes) = work { state.bytes -= bytes.count } else { state.bytes -= 1 }
            return work
        }
        return work ?? nil
    }
}

/// Splits a session's audio into utterances. Not thread-safe.
private final class RealtimeCutter {
    /// The state of the search for utterances since speech detection started.
    private struct Finding {
        let choice: RecognizerChoice
        let converter: FormatConverter
        /// Detects utterances, or nil if the client ends each utterance with a commit.
        var finder: UtteranceFinder?
        /// The time of the first frame, in seconds since the start of the session.
        let start: Double
        /// The number of received frames, at the recognizer's rate.
        var frames = 0
    }
    private let service: TranscriptionService
    private let events: RealtimeEvents
    private let transcription: RealtimeTranscription
    private let onSpeech: () -> Void
    private var settings = RealtimeSettings(isTranscription: true)
    private var choice: Result<RecognizerChoice, SpeechError>?
    /// Whether the client has been notified that there is no recognizer.
    private var wasNotified = false
    private var finding: Finding?
    private var gate: SpeechGate?
    private var detector: (any RecognitionLane)?
    private var item: RealtimeItem?
    private var last: String?
    /// The duration of the session's audio in seconds.
    private var seconds = 0.0
    private var isExpired = false

    init(
        _ service: TranscriptionService, _ events: RealtimeEvents, _ transcription: RealtimeTranscription,
        _ onSpeech: @escaping () -> Void
    ) {
        (self.service, self.events, self.transcription, self.onSpeech) = (service, events, transcription, onSpeech)
    }

    func take(_ work: RealtimeInput.Work) {
        switch work {
        case .sound(let bytes): add(bytes)
        case .commit(let event): commit(event)
        case .clear:
            drop()
            events.send("input_audio_buffer.cleared")
        case .finish:
            finish()
            transcription.finish()
        case .change(let settings, let choice): change(settings, choice)
        }
    }

    func end() {
        drop()
        if let detector, detector.isAlive { gate?.release(detector) }
        detector = nil
    }

    private func change(_ settings: RealtimeSettings, _ choice: Result<RecognizerChoice, SpeechError>) {
        finish()
        self.settings = settings
        let (before, after) = (try? self.choice?.get(), try? choice.get())
        if let after, !after.isSame(as: before) {
            if let detector, detector.isAlive { gate?.release(detector) }
            (gate, detector) = (nil, nil)
            // A client that only wants text to be spoken does not need a recognizer.
            if settings.isTranscription || settings.model != nil { transcription.load(after) }
        }
        self.choice = choice
        wasNotified = false
    }

    private func add(_ bytes: [UInt8]) {
        let samples = settings.input.samples(bytes)
        let start = seconds
        seconds += Double(samples.count) / Double(settings.input.rate)
        if isExpired { return }
        if seconds > service.limits.recordingTime.seconds {
            isExpired = true
            finish()
            events.tell(.realtime(.expired))
            return transcription.finish()
        }
        do {
            guard try begin(at: start) else { return }
            var converted: [Float] = []
            try finding?.converter.process(samples[...], into: &converted)
            try pass(converted)
        } catch {
            fail(error)
        }
    }

    /// Starts the search for utterances unless it has already been started.
    ///
    /// - Returns: false if there is no recognizer.
    private func begin(at start: Double) throws -> Bool {
        if finding != nil { return true }
        guard let choice = try wasNotified ? try? choice?.get() : choice?.get() else { return false }
        let converter = try FormatConverter(
            from: AudioFormat(sampleRate: settings.input.rate, channels: 1),
            to: AudioFormat(sampleRate: Int(choice.rate), channels: 1))
        var finding = Finding(choice: choice, converter: converter, finder: nil, start: start)
        if let turns = settings.turns {
            if detector?.isAlive != true {
                gate = service.gate(for: choice, .urgent)
                detector = gate?.takeDetector()
            }
            finding.finder = UtteranceFinder(
                rate: Int(choice.rate), pause: turns.pause, lead: turns.lead,
                most: Int(choice.rate) * Self.longestWaiting, detector)
        }
        self.finding = finding
        return true
    }

    /// The amount of queued audio of an utterance, in seconds, at which reading from the client pauses.
    private static let longestWaiting = 30

    private func pass(_ samples: [Float]) throws {
        guard let finding, !samples.isEmpty else { return }
        guard let finder = finding.finder else {
            if item == nil {
                let sound = try service.live(settings.order, by: finding.choice)
                begin(sound, at: finding.frames)
            }
            try item?.sound.add(samples[...])
            self.finding?.frames += samples.count
            return
        }
        self.finding?.frames += samples.count
        try note(finder.add(samples[...]))
    }

    private func note(_ found: [UtteranceFinder.Event]) throws {
        guard let finding else { return }
        for event in found {
            switch event {
            case .begins(let utterance):
                do {
                    let silence = (settings.turns?.pause ?? 0) + (settings.turns?.lead ?? 0)
                    let sound = try service.live(
                        settings.order, by: finding.choice, utterance: utterance.sound,
                        silence: detector == nil ? nil : Int(silence * Double(finding.choice.rate)))
                    begin(sound, at: utterance.start)
                } catch {
                    utterance.sound.abandon()
                    throw error
                }
            case .ends(let frame):
                let end = finding.start + Double(frame) / Double(finding.choice.rate)
                if let item { events.send("input_audio_buffer.speech_stopped", place(item, "audio_end_ms", end)) }
                commit(end: end)
            }
        }
    }

    private func begin(_ sound: LiveTranscription, at frame: Int) {
        guard let finding else { return }
        let start = finding.start + Double(frame) / Double(finding.choice.rate)
        let item = RealtimeItem(events.newID("item"), after: last, sound, start: start)
        self.item = item
        last = item.id
        if let turns = settings.turns {
            events.send("input_audio_buffer.speech_started", place(item, "audio_start_ms", start))
            if turns.interrupts { onSpeech() }
        }
        transcription.add(item)
    }

    private func place(_ item: RealtimeItem, _ name: String, _ seconds: Double) -> [JSONNode.Member] {
        [.init(name, .number((seconds * 1000).rounded())), .init("item_id", .string(item.id))]
    }

    private func commit(end: Double) {
        guard let item else { return }
        self.item = nil
        let previous: JSONNode.Member = .init("previous_item_id", item.previous.map { .string($0) } ?? .null)
        events.send("input_audio_buffer.committed", [.init("item_id", .string(item.id)), previous])
        let content: [JSONNode.Member] = [.init("type", "input_audio"), .init("transcript", .null)]
        let told: [JSONNode.Member] = [
            .init("id", .string(item.id)), .init("object", "realtime.item"), .init("type", "message"),
            .init("status", "completed"), .init("role", "user"), .init("content", .array([JSONNode(content)])),
        ]
        for type in events.isBeta
            ? ["conversation.item.created"] : ["conversation.item.added", "conversation.item.done"]
        {
            events.send(type, [previous, .init("item", .object(told))])
        }
        item.commit(end: end)
    }

    private func commit(_ event: String?) {
        let before = last
        finish()
        if last == before, item == nil, !hadItem { events.tell(.realtime(.emptyBuffer), event: event) }
        hadItem = false
    }

    /// Whether the last call to `finish` ended an utterance.
    private var hadItem = false

    private func finish() {
        hadItem = item != nil
        guard let finding else { return }
        do {
            var rest: [Float] = []
            try finding.converter.finish(into: &rest)
            try pass(rest)
            if let finder = finding.finder {
                let lastBefore = last
                try note(finder.finish())
                finder.cancel()
                hadItem = hadItem || last != lastBefore
            }
        } catch {
            fail(error)
        }
        if let item {
            item.sound.finish()
            commit(end: seconds)
        }
        self.finding = nil
    }

    private func drop() {
        item?.drop()
        item = nil
        finding?.finder?.cancel()
        finding = nil
    }

    private func fail(_ error: any Error) {
        wasNotified = true
        drop()
        switch WebFailure(error) {
        case .problem(let problem) where problem.code == "busy": events.end(.tryLater, problem)
        case .problem(let problem): events.tell(problem)
        case .lost, .stopped: events.end(.tryLater, .busy)
        }
    }
}
