import SynthAudio
import SynthEngineWire
import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// Handles the transcriptions of a Wyoming connection. Recordings are transcribed in order on a separate thread. The
/// transcription of a recording begins before all of its audio has been received.
final class WyomingTranscription: Sendable {
    /// A recording, and whether to stream its text to the client.
    private struct Job {
        let sound: LiveTranscription
        let order: TranscriptionRequest
        let isStreamed: Bool
    }
    /// The recording that is being received.
    private struct Incoming {
        let sound: LiveTranscription
        let format: WyomingPCM
        let converter: FormatConverter
    }
    private struct State {
        var order = TranscriptionRequest()
        /// Whether to send the text of the next recording while it is being recognized.
        var isStreamed = false
        var incoming: Incoming?
        var waiting: [Job] = []
        var current: LiveTranscription?
        var isServed = false
        var isClosed = false
        /// When the client started the recording.
        var start = ContinuousClock.now
        /// When the recording's last chunk was received.
        var lastPiece = ContinuousClock.now
        var hasFailed = false
        var lastUse = ContinuousClock.now
    }
    private let service: TranscriptionService
    private let connection: WyomingConnection
    private let words: ServiceMessages
    private let state = Monitor(State())

    private static let maximumWaiting = 4

    init(_ service: TranscriptionService, _ connection: WyomingConnection, _ words: ServiceMessages) {
        self.service = service
        self.connection = connection
        self.words = words
    }

    /// Whether a recording is being received or transcribed.
    var isBusy: Bool { state.read { $0.incoming != nil || $0.current != nil || !$0.waiting.isEmpty } }

    /// When the last chunk was received, or nil if no recording is being received.
    var lastPiece: ContinuousClock.Instant? { state.read { $0.incoming == nil ? nil : $0.lastPiece } }

    /// When the last transcription ended.
    var lastUse: ContinuousClock.Instant { state.read { $0.lastUse } }

    /// The time by which more audio must arrive, or nil if no recording is being received.
    var deadline: ContinuousClock.Instant? {
        state.read { state in
            if state.incoming == nil { return nil }
            // The total duration is limited even if the client keeps sending audio.
            return min(state.lastPiece, state.start + service.limits.liveTime) + service.limits.livePause
        }
    }

    /// Whether a transcription has failed and the client has been notified. The connection is then closed, because
    /// older clients ignore the error and would otherwise keep waiting for text.
    var hasFailed: Bool { state.read { $0.hasFailed } }

    /// Handles an event. Returns false if the event is not related to transcription.
    func take(_ event: WyomingEvent) throws(SocketError) -> Bool {
        switch event.type {
        case "transcribe":
            let order = Self.order(event)
            state.update { state in
                state.order = order
                state.isStreamed = true
            }
        case "audio-start": try begin(event)
        case "audio-chunk": try add(event.payload)
        case "audio-stop": try end()
        default: return false
        }
        return true
    }

    private static func order(_ event: WyomingEvent) -> TranscriptionRequest {
        var order = TranscriptionRequest(
            model: event.text("name"), language: event.text("language")?.replacing("_", with: "-"))
        // The priority is high because the speaker is waiting for the result.
        order.priority = .urgent
        for name in ["transcript_names", "transcript_terms"] {
            guard case .array(let terms)? = event[name] else { continue }
            for case .string(let term) in terms.map(\.value) { order.phrases.append(term) }
        }
        return order
    }

    private func begin(_ event: WyomingEvent) throws(SocketError) {
        dropIncoming()
        let (order, isStreamed, isFull) = state.update { state in
            defer {
                state.order = TranscriptionRequest()
                state.isStreamed = false
            }
            return (state.order, state.isStreamed, state.waiting.count >= Self.maximumWaiting)
        }
        guard let format = WyomingPCM(event) else {
            return try tell(words.malformed, code: "bad-request")
        }
        do throws(SpeechError) {
            if isFull { throw .overloaded }
            let choice = try service.choice(for: order)
            let sound = try service.live(order, by: choice)
            let converter = try rethrowing(
                FormatConverter(from: format.format, to: AudioFormat(sampleRate: Int(sound.rate), channels: 1)),
                as: { (_: AudioError) in Self.unusable(format) })
            let mustServe = state.update { state in
                if state.isClosed { return false }
                state.incoming = Incoming(sound: sound, format: format, converter: converter)
                (state.start, state.lastPiece) = (.now, .now)
                state.waiting.append(Job(sound: sound, order: order, isStreamed: isStreamed))
                defer { state.isServed = true }
                return !state.isServed
            }
            if mustServe, !startThread("wyoming-ear", { self.serve() }) {
                state.update { state in
                    state.isServed = false
                    state.waiting = []
                }
                dropIncoming()
                throw .overloaded
            }
        } catch {
            try tell(error)
        }
    }

    private func add(_ payload: [UInt8]) throws(SocketError) {
        var rest = payload[...]
        var continuesText = true
        // If the sample rate is low, conversion turns a few bytes into many samples. Convert small chunks, so that the
        // converted audio stays within the limits.
        while continuesText, !rest.isEmpty {
            continuesText = try pass { incoming throws(AudioError) in
                let piece = rest.prefix(incoming.format.bytesOfPiece)
                rest = rest.dropFirst(piece.count)
                var samples: [Float] = []
                try incoming.converter.process(incoming.format.samples(Array(piece))[...], into: &samples)
                return samples
            }
        }
    }

    private func end() throws(SocketError) {
        _ = try pass { incoming throws(AudioError) in
            var rest: [Float] = []
            try incoming.converter.finish(into: &rest)
            return rest
        }
        takeIncoming()?.finish()
    }

    /// Appends converted samples to the recording that is being received. If the recording exceeds a limit, it is
    /// dropped and the client is notified.
    ///
    /// - Returns: false if no recording is being received.
    private func pass(_ make: (Incoming) throws(AudioError) -> [Float]) throws(SocketError) -> Bool {
        let result = state.update { state -> Result<Bool, SpeechError> in
            guard let incoming = state.incoming else { return .success(false) }
            state.lastPiece = .now
            do {
                let samples = try make(incoming)
                do throws(SpeechError) { try incoming.sound.add(samples[...]) } catch { return .failure(error) }
            } catch {
                return .failure(Self.unusable(incoming.format))
            }
            return .success(true)
        }
        switch result {
        case .success(let continuesText): return continuesText
        case .failure(let failure):
            dropIncoming()
            try tell(failure)
            return false
        }
    }

    private static func unusable(_ format: WyomingPCM) -> SpeechError {
        SpeechError((AudioError.clip("", .formatUnusable(format.format))).ofRecording)
    }

    private func takeIncoming() -> LiveTranscription? {
        state.update { state in
            defer { state.incoming = nil }
            return state.incoming?.sound
        }
    }

    private func dropIncoming() { takeIncoming()?.cancel() }

    private func tell(_ failure: SpeechError) throws(SocketError) {
        let (text, code) = words.transcription(failure)
        try tell(text, code: code)
    }

    private func tell(_ text: String, code: String) throws(SocketError) {
        try connection.send(.error(text, code: code))
        state.update { $0.hasFailed = true }
    }

    // MARK: - Responses

    private func serve() {
        while let job = next() {
            do { try perform(job) } catch { connection.stop() }
        }
        state.update { $0.isServed = false }
    }

    /// Returns the next recording, or nil if the connection is closed. Blocks.
    private func next() -> Job? {
        let job: Job?? = state.wait { state in
            state.current = nil
            if state.isClosed { return .some(nil) }
            if state.waiting.isEmpty { return nil }
            let job = state.waiting.removeFirst()
            state.current = job.sound
            return job
        }
        return job ?? nil
    }

    private func perform(_ job: Job) throws(SocketError) {
        defer { state.update { $0.lastUse = .now } }
        var told = TranscriptDeltas()
        var lost: SocketError?
        func send(_ event: WyomingEvent) {
            guard lost == nil else { return }
            do { try connection.send(event) } catch {
                lost = error
                job.sound.cancel()
            }
        }
        let asked: [JSONNode.Member] = job.order.language.map { [.init("language", $0)] } ?? []
        if job.isStreamed { send(WyomingEvent(type: "transcript-start", data: asked)) }
        let isTranscribed: Bool
        do {
            isTranscribed = try job.sound.read { text in
                let more = told.take(text)
                if job.isStreamed, !more.isEmpty {
                    send(WyomingEvent(type: "transcript-chunk", data: [.init("text", more)]))
                }
            }
        } catch {
            if let lost { throw lost }
            try tell(error)
            return connection.stopReading()
        }
        if let lost { throw lost }
        // The client has already been notified of the reason.
        guard isTranscribed else { return }
        let language = (told.language ?? job.order.language).map { [JSONNode.Member("language", $0)] } ?? []
        try connection.send(WyomingEvent(type: "transcript", data: [.init("text", told.whole)] + language))
        if job.isStreamed { try connection.send(WyomingEvent(type: "transcript-stop")) }
    }

    // MARK: - Shutdown

    /// Cancels all transcriptions.
    func finish() {
        let sounds = state.update { state in
            defer {
                state.incoming = nil
                state.waiting = []
            }
            return state.waiting.map(\.sound) + [state.current, state.incoming?.sound].compactMap(\.self)
        }
        for sound in sounds { sound.cancel() }
    }

    func close() {
        state.update { $0.isClosed = true }
        finish()
    }

    /// Blocks until the thread has ended. Call `close` first.
    func waitForEnd() { _ = state.wait { $0.isServed ? nil : true } }
}
