import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// A connection to a Wyoming client. The client's texts are synthesized in order on a separate thread, so that other
/// requests and a disconnect can be handled in the meantime.
final class WyomingClient: ServerClient {
    private enum Job: Sendable {
        case speak(WyomingRequest)
        /// A request whose text arrives in chunks. A separate event marks the end of the text.
        case stream(WyomingRequest, TextFeed)
    }
    private struct State {
        var jobs: [(job: Job, bytes: Int)] = []
        /// The size of the pending texts in bytes, including live text.
        var bytes = 0
        var bytesOfCurrent = 0
        var isClosed = false
        /// Whether the service is cancelling all speech.
        var isFinished = false
        var speech: ServiceSpeech?
        /// The live text to which the client's text chunks are appended.
        var feed: TextFeed?
        /// When the live text began or its last chunk arrived.
        var lastPiece = ContinuousClock.now
        var idleSince: ContinuousClock.Instant? = .now
        /// Whether the speech thread is running.
        var isServed = false
        /// Whether the client was evicted to make room for another client.
        var isEvicted = false
    }
    private let connection: WyomingConnection
    private let service: SpeechService
    private let words: ServiceMessages
    private let voices: WyomingVoices
    private let isReserved: Bool
    /// The lane leased to the client, or nil if this server does not lend lanes.
    private let lease: LaneLease?
    /// The client's transcriptions, or nil if this server does not transcribe.
    private let transcriber: WyomingTranscription?
    private let state = Monitor(State())

    private static let maximumJobs = 32
    private static let bytesOfPiece = 16

    /// - Parameters:
    ///   - leasesLanes: whether the client may use engines directly. Pass true only for clients of the same user.
    ///   - transcription: the transcription service, or nil if there is none.
    ///   - isReserved: whether to send only an overload message.
    init(
        _ stream: SocketStream, _ service: SpeechService, _ words: ServiceMessages, _ voices: WyomingVoices,
        leasesLanes: Bool, transcription: TranscriptionService?, isReserved: Bool
    ) {
        // A two-byte character may take up six bytes when escaped in JSON.
        connection = WyomingConnection(
            stream, longestData: service.limits.textBytes * 3 + 4096, timeout: service.limits.timeout)
        lease = leasesLanes ? LaneLease(service, connection) : nil
        transcriber = transcription.map { [connection] in WyomingTranscription($0, connection, words) }
        self.service = service
        self.words = words
        self.voices = voices
        self.isReserved = isReserved
    }

    var idleSince: ContinuousClock.Instant? {
        if isBusy { return nil }
        // The next chunk of live text is overdue.
        if let wait = lastPiece, wait + service.limits.timeout < .now { return wait }
        return restingSince
    }

    private var isBusy: Bool { lease?.isBusy == true || transcriber?.isBusy == true }

    /// When the live text began or its last chunk arrived, or nil if no live text is being received.
    private var lastPiece: ContinuousClock.Instant? { state.read { $0.feed == nil ? nil : $0.lastPiece } }

    /// When the last request ended, or nil if there are pending requests.
    private var restingSince: ContinuousClock.Instant? {
        let idleSince = state.read { $0.jobs.isEmpty ? $0.idleSince : nil }
        return idleSince.map { max($0, lease?.lastUse ?? $0, transcriber?.lastUse ?? $0) }
    }

    var inactiveSince: ContinuousClock.Instant? {
        let graceStart = ContinuousClock.now - service.limits.grace
        if let since = connection.stalledSince { return since <= graceStart ? since : nil }
        if let since = transcriber?.lastPiece { return since <= graceStart ? since : nil }
        if isBusy { return nil }
        // While live text is being received, the client is inactive if the next chunk is overdue.
        if let since = lastPiece.map({ max($0, connection.lastTaken) }) { return since <= graceStart ? since : nil }
        return restingSince
    }

    func evict() {
        state.update { $0.isEvicted = true }
        if connection.stalledSince == nil { connection.stopReading() } else { close() }
    }

    func refuse() {
        // This write does not block, because the socket buffer of a new connection has space for the message.
        try? send(busy)
        connection.stop()
    }

    func stop() { close() }

    func finish() {
        cancelSpeech { $0.isFinished = true }
        transcriber?.finish()
        // The program that has leased the lane opens its own lane when the connection is closed.
        if let lease, lease.isBusy { connection.stop() }
    }

    /// Serves the client. Blocks until it has disconnected.
    func run() {
        if isReserved {
            try? send(busy)
            connection.linger()
            return close()
        }
        state.update { $0.isServed = true }
        let isServed = startThread("wyoming") { self.speak() }
        if isServed { read() }
        // Closing the connection with received audio still unread would reset it, and the client would lose the error
        // message.
        if transcriber?.hasFailed == true { connection.linger() }
        if state.read({ $0.isEvicted }), connection.stalledSince == nil {
            try? connection.send(busy, within: .seconds(1))
        }
        close()
        // Wait for the speech thread, so that nothing is sent after this method returns.
        if isServed { _ = state.wait { $0.isServed ? nil : true } }
        lease?.waitForEnd()
        transcriber?.waitForEnd()
    }

    // MARK: - Requests

    private func read() {
        do {
            while let event = try connection.next(before: transcriber?.deadline), !state.read({ $0.isEvicted }) {
                guard (try? take(event)) == true else { return }
                // Other events do not extend the deadline for audio.
                if let deadline = transcriber?.deadline, deadline < .now { return }
            }
        } catch {
            switch error {
            case .tooLong, .malformed:
                try? send(.error(words.malformed, code: "bad-request"))
            // A client that uses a different protocol would not understand an error.
            default: return
            }
        }
    }

    /// Handles an event. Returns false if the connection must be closed.
    private func take(_ event: WyomingEvent) throws(SocketError) -> Bool {
        switch event.type {
        case "describe": try describe()
        case "ping":
            try send(WyomingEvent(type: "pong", data: event.text("text").map { [.init("text", $0)] } ?? []))
        case "synthesize":
            // In streaming mode, this event repeats the entire text for servers without streaming support.
            if state.read({ $0.feed != nil }) { return true }
            return try add(.speak(WyomingRequest(event)), event)
        case "synthesize-start":
            // Markup cannot be parsed in chunks and must not be read aloud as text.
            if WyomingRequest(event).form != nil {
                try send(.error(words.malformed, code: "unsupported"))
                return false
            }
            let text = TextFeed()
            state.update { state in
                state.feed?.finish()
                state.feed = text
                state.lastPiece = .now
            }
            return try add(.stream(WyomingRequest(event), text), event)
        case "synthesize-chunk":
            return try feed(event.text("text") ?? "")
        case "synthesize-stop":
            state.update { state in
                state.feed?.finish()
                state.feed = nil
            }
        case ResidentStatus.event:
            if lease != nil { try send(WyomingEvent(type: event.type, data: service.figures().members)) }
        case LaneEvent.ask where lease == nil: try send(LaneEvent.differs(HostIdentity(lines: [])))
        default:
            if try transcriber?.take(event) != true { lease?.take(event) }
        }
        return transcriber?.hasFailed != true
    }

    private func describe() throws(SocketError) {
        let list: [UInt8]
        do {
            list = try voices.bytes()
        } catch {
            return try send(failure(error))
        }
        try connection.send(list)
    }

    private var busy: WyomingEvent { .error(words.busy, code: "busy") }

    private func add(_ job: Job, _ event: WyomingEvent) throws(SocketError) -> Bool {
        let bytes = event.text("text")?.utf8.count ?? 0
        let isTooLong = state.update { state in
            if state.bytes + bytes > service.limits.textBytes || state.jobs.count >= Self.maximumJobs { return true }
            state.bytes += bytes
            state.jobs.append((job, bytes))
            return false
        }
        if isTooLong { try tellTooLong() }
        return !isTooLong
    }

    private func tellTooLong() throws(SocketError) { try send(.error(words.tooLong, code: "too-long")) }

    private func feed(_ piece: String) throws(SocketError) -> Bool {
        if piece.isEmpty { return true }
        // Each chunk needs memory in addition to its text. A chunk counts toward the limit until it has been spoken.
        let bytes = piece.utf8.count + Self.bytesOfPiece
        let isTooLong = state.update { state in
            guard let feed = state.feed else { return false }
            if state.bytes + bytes > service.limits.textBytes { return true }
            state.bytes += bytes
            state.lastPiece = .now
            if let last = state.jobs.indices.last {
                state.jobs[last].bytes += bytes
            } else {
                state.bytesOfCurrent += bytes
            }
            feed.append(piece)
            return false
        }
        if isTooLong { try tellTooLong() }
        return !isTooLong
    }

    // MARK: - Responses

    private func speak() {
        while let job = next() {
            do {
                switch job {
                case .speak(let request): try perform(request.order, request.sendsWords)
                case .stream(let request, let text):
                    try perform(request.order(.live(text)), request.sendsWords)
                    try send(WyomingEvent(type: "synthesize-stopped"))
                }
            } catch {
                close()
            }
        }
        state.update { $0.isServed = false }
    }

    /// Returns the next job, or nil if the connection is closed. Blocks.
    private func next() -> Job? {
        let job: Job?? = state.wait { state in
            state.bytes -= state.bytesOfCurrent
            state.bytesOfCurrent = 0
            if state.isClosed { return .some(nil) }
            if state.jobs.isEmpty {
                state.idleSince = state.idleSince ?? .now
                return nil
            }
            state.idleSince = nil
            let (job, bytes) = state.jobs.removeFirst()
            state.bytesOfCurrent = bytes
            return .some(job)
        }
        return job ?? nil
    }

    private func perform(_ order: SpeechJob, _ sendsWords: Bool) throws(SocketError) {
        var sound = WyomingSound(sendsWords: sendsWords)
        var problem: SpeechError?
        var lost: SocketError?
        do {
            let speech = try service.speak(order)
            let isClosed = state.update { state in
                state.speech = speech
                return state.isClosed
            }
            if isClosed { speech.cancel() }
            defer {
                state.update { $0.speech = nil }
                speech.notices.forEach(words.note)
            }
            let result = try speech.read { parts throws(SocketError) in
                for part in parts { for event in sound.events(of: part) { try send(event) } }
            }
            if case .failure(let failure) = result { lost = failure }
        } catch {
            problem = error
        }
        if let lost { throw lost }
        if problem == nil, !sound.hasBegun, !state.read({ $0.isClosed || $0.isFinished }) {
            try send(.error(words.nothingToSay, code: "nothing-to-say"))
        }
        // Send the error first. A client that stops reading at the end of the audio would otherwise take incomplete
        // audio to be complete.
        if let problem { try send(failure(problem)) }
        // End the audio even after an error, because Home Assistant's client ignores errors and waits for the end of
        // the audio.
        if problem == nil || sound.hasBegun { for event in sound.ending() { try send(event) } }
    }

    private func failure(_ failure: SpeechError) -> WyomingEvent {
        .error(words.sentence(failure), code: words.code(failure))
    }

    private func send(_ event: WyomingEvent) throws(SocketError) { try connection.send(event) }

    private func close() {
        // Stop the connection first, so that no more audio is sent.
        connection.stop()
        cancelSpeech { $0.isClosed = true }
        transcriber?.close()
        lease?.close()
    }

    /// Drops the pending texts and cancels the current speech.
    private func cancelSpeech(_ change: (inout State) -> Void) {
        let speech = state.update { state in
            change(&state)
            state.jobs = []
            state.feed?.finish()
            state.feed = nil
            return state.speech
        }
        speech?.cancel()
    }
}
