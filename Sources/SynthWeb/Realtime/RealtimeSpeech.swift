import SynthAudio
import SynthHost
import SynthJSON
import SynthService
import SynthSystem

/// Speaks a session's responses on a separate thread, one at a time. A response consists of the texts of the client's
/// conversation items. Thread-safe.
final class RealtimeSpeech: Sendable {
    private struct State {
        /// The texts of the items that the next response will speak.
        var texts: [String] = []
        var bytes = 0
        var last: String?
        var response: String?
        var speech: ServiceSpeech?
        var reason: String?
    }
    private struct Order {
        let id: String
        let item: String
        let call: SpeechCall
        let format: RealtimeSettings.Format
    }
    private let service: SpeechService
    private let events: RealtimeEvents
    private let words: WebMessages
    private let state = Monitor(State())

    init(_ service: SpeechService, _ events: RealtimeEvents, _ words: WebMessages) {
        self.service = service
        self.events = events
        self.words = words
    }

    /// Adds a conversation item, whose text will be spoken in the next response.
    func add(_ item: JSONNode) throws {
        let text = try Self.text(of: item)
        guard state.read({ $0.bytes }) + text.utf8.count <= service.limits.textBytes else {
            throw WebFailure.problem(.textTooLong(limit: service.limits.textBytes))
        }
        var id = events.newID("item")
        if case .string(let own)? = item.value(at: ["id"]), own.utf8.count <= 64, !own.isEmpty { id = own }
        let previous = state.update { state -> String? in
            state.texts.append(text)
            state.bytes += text.utf8.count
            defer { state.last = id }
            return state.last
        }
        let others = item.members.filter { !["id", "object", "status"].contains($0.name) }
        let whole: [JSONNode.Member] =
            [.init("id", .string(id)), .init("object", "realtime.item"), .init("status", "completed")] + others
        tell(item: whole, after: previous, isWhole: true)
    }

    /// Returns the text of a message item, or an empty string if it has none.
    private static func text(of item: JSONNode) throws -> String {
        guard item.value(at: ["type"]) == .string("message"), case .array(let parts)? = item.value(at: ["content"])
        else {
            throw RealtimeSettings.invalid("item.type", .oneOf(["message"]))
        }
        return parts.compactMap { part in
            if case .string(let text)? = part.value(at: ["text"]) { text } else { nil }
        }.joined(separator: "\n")
    }

    /// Starts a response that speaks the items in `input` or, if there is no `input`, the items added since the last
    /// response.
    func begin(_ response: JSONNode, _ settings: RealtimeSettings) throws {
        if state.read({ $0.response != nil }) { throw WebFailure.problem(.realtime(.responseActive)) }
        var texts: [String] = []
        if case .array(let items)? = response.value(at: ["input"]) {
            texts = try items.map(Self.text)
        } else {
            texts = state.update { state in
                defer { (state.texts, state.bytes) = ([], 0) }
                return state.texts
            }
        }
        var settings = settings
        try settings.change(by: JSONNode(response.members.filter { ["audio", "voice"].contains($0.name) }))
        var call: [JSONNode.Member] = [
            .init("input", .string(texts.joined(separator: "\n"))), .init("speed", .number(settings.speed)),
        ]
        if let voice = settings.voice { call.append(.init(name: "voice", node: voice)) }
        let order = Order(
            id: events.newID("resp"), item: events.newID("item"),
            call: try SpeechCall(JSONNode(call), longestText: service.limits.textBytes, engines: { [] }),
            format: settings.output)
        state.update { ($0.response, $0.reason) = (order.id, nil) }
        guard startThread("realtime-speech", { self.run(order) }) else {
            state.update { $0.response = nil }
            throw WebFailure.problem(.busy)
        }
    }

    /// Cancels the current response. Does not block.
    ///
    /// - Returns: false if there is no response.
    @discardableResult
    func cancel(because reason: String) -> Bool {
        let (isActive, speech) = state.update { state -> (Bool, ServiceSpeech?) in
            guard state.response != nil else { return (false, nil) }
            state.reason = state.reason ?? reason
            return (true, state.speech)
        }
        speech?.cancel()
        return isActive
    }

    /// Blocks until the response has ended.
    func waitForEnd() { _ = state.wait { $0.response == nil ? true : nil } }

    // MARK: - Responses

    private func run(_ order: Order) {
        let previous = state.update { state in
            defer { state.last = order.item }
            return state.last
        }
        let text = order.call.input
        events.send("response.created", [.init("response", .object(response(order, "in_progress", [])))])
        let empty = item(order, nil)
        events.send("response.output_item.added", place(order, inItem: false) + [.init("item", .object(empty))])
        tell(item: empty, after: previous, isWhole: false)
        let part: [JSONNode.Member] = [.init("type", "audio"), .init("transcript", "")]
        events.send("response.content_part.added", place(order) + [.init("part", .object(part))])
        events.send("response.\(sound)_transcript.delta", place(order) + [.init("delta", .string(text))])
        var problem: WebProblem?
        do { try speak(order) } catch {
            if case .problem(let found) = WebFailure(error) { problem = found } else { problem = .ending }
        }
        let reason = state.read { $0.reason }
        events.send("response.\(sound).done", place(order))
        events.send("response.\(sound)_transcript.done", place(order) + [.init("transcript", .string(text))])
        let spoken: [JSONNode.Member] = [.init("type", "audio"), .init("transcript", .string(text))]
        events.send("response.content_part.done", place(order) + [.init("part", .object(spoken))])
        let whole = item(order, text)
        events.send("response.output_item.done", place(order, inItem: false) + [.init("item", .object(whole))])
        if !events.isBeta { tell(item: whole, after: previous, isWhole: true, isNew: false) }
        var details: [JSONNode.Member] = []
        var status = "completed"
        if let problem {
            status = "failed"
            details = [.init("type", "failed"), .init("error", events.error(problem))]
        }
        if let reason {
            status = "cancelled"
            details = [.init("type", "cancelled"), .init("reason", .string(reason))]
        }
        // Clear the response before sending the event, because the client may start another response as soon as it
        // receives the event.
        state.update { ($0.response, $0.speech) = (nil, nil) }
        events.send(
            "response.done",
            [
                .init(
                    "response",
                    .object(
                        response(order, status, [JSONNode(whole)])
                            + [.init("status_details", details.isEmpty ? .null : .object(details))]))
            ])
    }

    private func speak(_ order: Order) throws {
        let (query, voice) = try CallVoice(service).voice(of: order.call)
        if case .notDownloaded = voice.state {
            throw WebFailure.problem(.notDownloaded(title: voice.title, key: voice.key))
        }
        let speech = try service.speak(order.call.order(query), with: voice)
        defer { speech.notices.forEach(words.note) }
        let isCancelled = state.update { state in
            state.speech = speech
            return state.reason != nil
        }
        if isCancelled { speech.cancel() }
        var converter: FormatConverter?
        func send(_ samples: [Float]) -> Bool {
            if samples.isEmpty { return true }
            let bytes = order.format.bytes(of: samples[...])
            return events.send(
                "response.\(sound).delta", place(order) + [.init("delta", .string(Base64.text(of: bytes)))])
        }
        try speech.read { parts in
            for part in parts {
                var samples: [Float] = []
                switch part {
                case .format(let format):
                    converter = try FormatConverter(
                        from: AudioFormat(sampleRate: format.sampleRate, channels: format.channels),
                        to: AudioFormat(sampleRate: order.format.rate, channels: 1))
                case .audio(let audio): try converter?.process(audio.samples[...], into: &samples)
                default: break
                }
                if !send(samples) { throw WebFailure.lost }
            }
        }.get()
        var rest: [Float] = []
        try converter?.finish(into: &rest)
        _ = send(rest)
    }

    // MARK: - Events

    /// The name of the audio content in events.
    private var sound: String { events.isBeta ? "audio" : "output_audio" }

    private func place(_ order: Order, inItem: Bool = true) -> [JSONNode.Member] {
        [.init("response_id", .string(order.id)), .init("output_index", 0)]
            + (inItem ? [.init("item_id", .string(order.item)), .init("content_index", 0)] : [])
    }

    /// - Parameter text: the text, or nil if it has not been spoken yet.
    private func item(_ order: Order, _ text: String?) -> [JSONNode.Member] {
        let content: [JSONNode.Member] = [
            .init("type", events.isBeta ? "audio" : "output_audio"), .init("transcript", .string(text ?? "")),
        ]
        return [
            .init("id", .string(order.item)), .init("object", "realtime.item"), .init("type", "message"),
            .init("status", text == nil ? "in_progress" : "completed"), .init("role", "assistant"),
            .init("content", .array(text == nil ? [] : [JSONNode(content)])),
        ]
    }

    private func response(_ order: Order, _ status: String, _ output: [JSONNode]) -> [JSONNode.Member] {
        [
            .init("object", "realtime.response"), .init("id", .string(order.id)), .init("status", .string(status)),
            .init("output", .array(output)), .init("output_modalities", .array([JSONNode(.string("audio"))])),
        ]
    }

    private func tell(item: [JSONNode.Member], after previous: String?, isWhole: Bool, isNew: Bool = true) {
        var types = events.isBeta ? ["conversation.item.created"] : isNew ? ["conversation.item.added"] : []
        if isWhole, !events.isBeta { types.append("conversation.item.done") }
        for type in types {
            events.send(
                type,
                [.init("previous_item_id", previous.map { .string($0) } ?? .null), .init("item", .object(item))])
        }
    }
}

extension RealtimeSettings.Format {
    func bytes(of samples: ArraySlice<Float>) -> [UInt8] {
        switch self {
        case .pcm: FloatPCM.bytes16(of: samples)
        case .muLaw: samples.map(Self.byte(muLaw:))
        case .aLaw: samples.map(Self.byte(aLaw:))
        }
    }

    private static func magnitude(_ sample: Float) -> Int { Int(min(abs(sample.isFinite ? sample : 0), 1) * 32_767) }

    private static func byte(muLaw sample: Float) -> UInt8 {
        let biased = min(magnitude(sample), 32_635) + 0x84
        let exponent = Int.bitWidth - 8 - biased.leadingZeroBitCount
        let mantissa = biased >> (exponent + 3) & 0x0F
        return ~UInt8((sample < 0 ? 0x80 : 0) | exponent << 4 | mantissa)
    }

    private static func byte(aLaw sample: Float) -> UInt8 {
        let magnitude = magnitude(sample)
        let exponent = max(0, Int.bitWidth - 8 - magnitude.leadingZeroBitCount)
        let mantissa = magnitude >> (exponent == 0 ? 4 : exponent + 3) & 0x0F
        return UInt8((sample < 0 ? 0 : 0x80) | exponent << 4 | mantissa) ^ 0x55
    }
}
