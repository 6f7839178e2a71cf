import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// The session of a client of `/v1/realtime`. The client's messages are processed in order on the session's own thread.
/// Any thread may end the session.
final class RealtimeSession: Sendable {
    private let service: TranscriptionService
    private let events: RealtimeEvents
    private let transcription: RealtimeTranscription
    private let input: RealtimeInput
    private let speech: RealtimeSpeech
    private let id: String
    private let settings: Monitor<RealtimeSettings>

    /// The maximum number of JSON values in an event.
    private static let maximumValues = 4096

    init(
        _ service: TranscriptionService, _ events: RealtimeEvents, _ speech: RealtimeSpeech,
        _ settings: RealtimeSettings
    ) {
        self.service = service
        self.events = events
        self.speech = speech
        self.settings = Monitor(settings)
        transcription = RealtimeTranscription(service, events)
        input = RealtimeInput(service, events, transcription) { speech.cancel(because: "turn_detected") }
        id = events.newID("sess")
    }

    /// Serves the client. Blocks until the connection ends.
    func run(_ socket: WebSocketConnection) {
        let settings = settings.read { $0 }
        events.send("session.created", session(settings))
        input.add(.change(settings, choice(settings)))
        guard startThread("realtime", { self.input.run() }) else { return events.end(.tryLater, .busy) }
        _ = socket.run(onIdle: { self.events.end(.done, .realtime(.idle)) }) { message in
            switch message {
            case .binary(let bytes): self.input.add(.sound(bytes))
            case .text(let text): self.take(text)
            default: break
            }
        }
        end()
        input.waitForEnd()
        transcription.waitForEnd()
        speech.waitForEnd()
    }

    /// Ends the session. Does not block. May be called from any thread.
    func end() {
        input.end()
        transcription.end()
        speech.cancel(because: "client_cancelled")
    }

    /// Ends the session because the service is shutting down.
    func leave() {
        events.end(.goingAway, .ending)
        end()
    }

    private func take(_ text: String) {
        var event: String?
        do {
            let node: JSONNode
            do { node = try JSONReader.read(Array(text.utf8), maximumValues: Self.maximumValues) } catch {
                throw WebFailure.problem(.notJSON(line: error.line))
            }
            guard case .object = node.value else { throw WebFailure.problem(.notJSON(line: nil)) }
            if case .string(let id)? = node.value(at: ["event_id"]) { event = String(id.prefix(64)) }
            try take(node, event)
        } catch {
            switch WebFailure(error) {
            case .problem(let problem): events.tell(problem, event: event)
            case .lost, .stopped: events.end(.tryLater, .busy)
            }
        }
    }

    private func take(_ node: JSONNode, _ event: String?) throws {
        guard case .string(let type)? = node.value(at: ["type"]) else { throw WebFailure.problem(.missing("type")) }
        switch type {
        case "session.update", "transcription_session.update":
            try change(by: JSONNode(node.value(at: ["session"]) ?? .null), type)
        case "input_audio_buffer.append":
            guard case .string(let text)? = node.value(at: ["audio"]), let bytes = Base64.bytes(of: text) else {
                throw RealtimeSettings.invalid("audio", .text)
            }
            input.add(.sound(bytes))
        case "input_audio_buffer.commit": input.add(.commit(event: event))
        case "input_audio_buffer.clear": input.add(.clear)
        case "synthhost.finish": input.add(.finish)
        case "conversation.item.create": try speech.add(JSONNode(node.value(at: ["item"]) ?? .null))
        case "response.create":
            try speech.begin(JSONNode(node.value(at: ["response"]) ?? .object([])), settings.read { $0 })
        case "response.cancel":
            if !speech.cancel(because: "client_cancelled") { throw WebFailure.problem(.realtime(.noResponse)) }
        case "output_audio_buffer.clear", "conversation.item.truncate", "conversation.item.delete":
            // These events discard state that this server does not keep, so there is nothing to do.
            break
        default: throw WebFailure.problem(.unknownField(type, known: Self.types))
        }
    }

    private static let types = [
        "session.update", "input_audio_buffer.append", "input_audio_buffer.commit", "input_audio_buffer.clear",
        "conversation.item.create", "response.create", "response.cancel", "synthhost.finish",
    ]

    private func change(by session: JSONNode, _ type: String) throws {
        var next = settings.read { $0 }
        try next.change(by: session)
        let choice = choice(next)
        // A recognizer is required if the client has selected a model or uses only transcription.
        if next.isTranscription || next.model != nil { _ = try choice.get() }
        settings.update { $0 = next }
        events.sendsExtraEvents = next.sendsExtraEvents
        events.send(type == "session.update" ? "session.updated" : "transcription_session.updated", self.session(next))
        transcription.tellModel()
        input.add(.change(next, choice))
    }

    private func choice(_ settings: RealtimeSettings) -> Result<RecognizerChoice, SpeechError> {
        do { return .success(try service.choice(for: settings.order)) } catch { return .failure(error) }
    }

    private func session(_ settings: RealtimeSettings) -> [JSONNode.Member] {
        [.init("session", .object(settings.members(id: id)))]
    }
}
