import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthListening
import SynthService

/// The settings of a realtime session: the members of OpenAI's `session` object that apply to transcription and speech.
struct RealtimeSettings: Equatable, Sendable {
    /// An audio format. OpenAI's PCM has a rate of 24 kHz; other rates are extensions.
    enum Format: Equatable, Sendable {
        /// Signed 16-bit little-endian samples.
        case pcm(rate: Int)
        /// G.711 at 8 kHz.
        case muLaw, aLaw

        var rate: Int { if case .pcm(let rate) = self { rate } else { 8000 } }
        var bytesOfSample: Int { if case .pcm = self { 2 } else { 1 } }
    }

    /// The settings for detecting the start and end of utterances.
    struct TurnDetection: Equatable, Sendable {
        /// The silence that ends an utterance, in seconds.
        var pause = 0.6
        /// How many seconds of audio from before the start of speech to include in the utterance.
        var lead = UtteranceFinder.lead
        /// Whether the current response stops when the user speaks.
        var interrupts = true
    }

    static let rates = 8000...48_000
    private static let pauses = 0.2...5.0

    /// Whether the session only transcribes and gives no spoken responses.
    var isTranscription: Bool
    /// The client's name for the recognizer model, or nil if the client has not set one.
    var model: String?
    /// The transcription request. OpenAI's model names select the default model.
    var order: TranscriptionRequest {
        var order = TranscriptionRequest(
            model: model.flatMap { TranscriptionCall.isAnyModel($0) ? nil : $0 }, language: language)
        (order.context, order.phrases) = (prompt, keywords)
        // The priority is high because the speaker is waiting for the result.
        (order.priority, order.wantsWords) = (.urgent, true)
        return order
    }
    var language: String?
    var prompt: String?
    var keywords: [String] = []
    var input = Format.pcm(rate: 24_000)
    /// The settings for detecting utterances, or nil if the client ends each utterance with a commit.
    var turns: TurnDetection? = TurnDetection()
    /// Whether to send synthhost's own events.
    var sendsExtraEvents = false
    var output = Format.pcm(rate: 24_000)
    var voice: JSONNode?
    var speed = 1.0

    init(isTranscription: Bool) { self.isTranscription = isTranscription }

    /// Applies the client's changes. Missing members leave the settings unchanged.
    ///
    /// - Parameter session: a session object in the current format or the format of the beta version.
    mutating func change(by session: JSONNode) throws {
        guard case .object = session.value else { throw Self.invalid("session", .text) }
        if case .string(let type)? = session.value(at: ["type"]) {
            guard ["transcription", "realtime"].contains(type) else {
                throw Self.invalid("session.type", .oneOf(["transcription", "realtime"]))
            }
            isTranscription = type == "transcription"
        }
        if case .array(let names)? = session.value(at: ["include"]) {
            sendsExtraEvents = names.contains { $0.value == .string("synthhost") }
        }
        let sound = ["audio", "input"]
        if let format = try Self.format(session, at: sound + ["format"])
            ?? Self.betaFormat(session, "input_audio_format")
        {
            input = format
        }
        for path in [sound + ["transcription"], ["input_audio_transcription"]] {
            guard let value = session.value(at: path), case .object = value else { continue }
            try change(transcription: WebMembers(JSONNode(value)), JSONNode(value))
        }
        for path in [sound + ["turn_detection"], ["turn_detection"]] {
            guard let value = session.value(at: path) else { continue }
            turns = try Self.turns(JSONNode(value))
        }
        let speech = ["audio", "output"]
        let wanted =
            try Self.format(session, at: speech + ["format"]) ?? Self.betaFormat(session, "output_audio_format")
        if let wanted {
            guard wanted.rate == 24_000 || wanted.bytesOfSample == 1 else {
                throw Self.invalid("session.audio.output.format.rate", .number(24_000...24_000))
            }
            output = wanted
        }
        for path in [speech + ["voice"], ["voice"]] {
            if let value = session.value(at: path), value != .null { voice = JSONNode(value) }
        }
        for path in [speech + ["speed"], ["speed"]] {
            guard let value = session.value(at: path), value != .null else { continue }
            guard case .number(let number) = value, (0.25...4).contains(number) else {
                throw Self.invalid("session.audio.output.speed", .number(0.25...4))
            }
            speed = number
        }
    }

    private mutating func change(transcription members: WebMembers, _ node: JSONNode) throws {
        if let name = try members.name("model") { model = name }
        if let tag = try members.name("language") { language = tag.isEmpty ? nil : tag.replacing("_", with: "-") }
        if let text = try members.text("prompt") { prompt = text.isEmpty ? nil : text }
        if case .array(let words)? = node.value(at: ["keywords"]) {
            keywords = words.compactMap { if case .string(let word) = $0.value { word } else { nil } }
        }
    }

    private static func turns(_ node: JSONNode) throws -> TurnDetection? {
        if node.value == .null { return nil }
        let kinds = ["server_vad", "semantic_vad"]
        guard case .object = node.value, case .string(let type)? = node.value(at: ["type"]), kinds.contains(type) else {
            throw invalid("session.audio.input.turn_detection.type", .oneOf(kinds))
        }
        var turns = TurnDetection()
        if case .number(let milliseconds)? = node.value(at: ["silence_duration_ms"]) {
            turns.pause = min(max(milliseconds / 1000, pauses.lowerBound), pauses.upperBound)
        }
        if let value = node.value(at: ["prefix_padding_ms"]), value != .null {
            guard case .number(let milliseconds) = value, milliseconds >= 0 else {
                throw invalid(
                    "session.audio.input.turn_detection.prefix_padding_ms",
                    .number(0...UtteranceFinder.longestLead * 1000))
            }
            turns.lead = min(milliseconds / 1000, UtteranceFinder.longestLead)
        }
        // The threshold is validated but has no effect. The session object reports the threshold that the detector
        // actually uses.
        if let value = node.value(at: ["threshold"]), value != .null {
            guard case .number(let share) = value, (0...1).contains(share) else {
                throw invalid("session.audio.input.turn_detection.threshold", .number(0...1))
            }
        }
        if case .boolean(let flag)? = node.value(at: ["interrupt_response"]) { turns.interrupts = flag }
        return turns
    }

    private static func format(_ session: JSONNode, at path: [String]) throws -> Format? {
        let name = "session.\(path.joined(separator: "."))"
        guard let value = session.value(at: path), value != .null else { return nil }
        // Clients of the beta version may send the format names of that version.
        if case .string(let name) = value { return try format(called: name, "session.\(path[1]).format") }
        guard case .string(let type)? = JSONNode(value).value(at: ["type"]) else {
            throw invalid("\(name).type", .oneOf(["audio/pcm", "audio/pcmu", "audio/pcma"]))
        }
        switch (type, JSONNode(value).value(at: ["rate"])) {
        case ("audio/pcmu", _): return .muLaw
        case ("audio/pcma", _): return .aLaw
        case ("audio/pcm", nil), ("audio/pcm", .null): return .pcm(rate: 24_000)
        case ("audio/pcm", .number(let number)):
            guard let rate = Int(exactly: number), rates.contains(rate) else {
                throw invalid("\(name).rate", .number(Double(rates.lowerBound)...Double(rates.upperBound)))
            }
            return .pcm(rate: rate)
        default: throw invalid("\(name).type", .oneOf(["audio/pcm", "audio/pcmu", "audio/pcma"]))
        }
    }

    private static func betaFormat(_ session: JSONNode, _ name: String) throws -> Format? {
        guard case .string(let format)? = session.value(at: [name]) else { return nil }
        return try Self.format(called: format, "session.\(name)")
    }

    private static func format(called format: String, _ member: String) throws -> Format {
        switch format {
        case "pcm16": return .pcm(rate: 24_000)
        case "g711_ulaw": return .muLaw
        case "g711_alaw": return .aLaw
        default: throw invalid(member, .oneOf(["pcm16", "g711_ulaw", "g711_alaw"]))
        }
    }

    static func invalid(_ name: String, _ expectation: WebProblem.Expectation) -> WebFailure {
        .problem(.invalid(name, expectation))
    }
}

extension RealtimeSettings {
    /// Returns the complete session object in the current format.
    ///
    /// - Parameter id: the session's ID.
    func members(id: String) -> [JSONNode.Member] {
        let sound: [JSONNode.Member] = [
            .init("format", Self.value(input)), .init("noise_reduction", .null),
            .init(
                "transcription",
                .object([
                    .init("model", .string(model ?? "default")),
                    .init("language", language.map { .string($0) } ?? .null),
                    .init("prompt", .string(prompt ?? "")),
                ])),
            .init(
                "turn_detection",
                turns.map { turns in
                    .object([
                        .init("type", "server_vad"), .init("threshold", .number(0.5)),
                        .init("prefix_padding_ms", .number((turns.lead * 1000).rounded())),
                        .init("silence_duration_ms", .number((turns.pause * 1000).rounded())),
                        .init("create_response", false), .init("interrupt_response", .boolean(turns.interrupts)),
                    ])
                } ?? .null),
        ]
        let include: JSONNode.Value = sendsExtraEvents ? .array([JSONNode(.string("synthhost"))]) : .null
        guard !isTranscription else {
            return [
                .init("type", "transcription"), .init("object", "realtime.transcription_session"),
                .init("id", .string(id)), .init("include", include),
                .init("audio", .object([.init("input", .object(sound))])),
            ]
        }
        let speech: [JSONNode.Member] = [
            .init("format", Self.value(output)), .init("voice", voice?.value ?? .string("default")),
            .init("speed", .number(speed)),
        ]
        return [
            .init("type", "realtime"), .init("object", "realtime.session"), .init("id", .string(id)),
            .init("model", "synthhost"), .init("output_modalities", .array([JSONNode(.string("audio"))])),
            .init("instructions", ""), .init("include", include),
            .init("audio", .object([.init("input", .object(sound)), .init("output", .object(speech))])),
        ]
    }

    private static func value(_ format: Format) -> JSONNode.Value {
        switch format {
        case .pcm(let rate): .object([.init("type", "audio/pcm"), .init("rate", .number(Double(rate)))])
        case .muLaw: .object([.init("type", "audio/pcmu")])
        case .aLaw: .object([.init("type", "audio/pcma")])
        }
    }
}

extension RealtimeSettings.Format {
    /// Decodes samples. If the last sample is incomplete, its bytes are dropped.
    func samples(_ bytes: [UInt8]) -> [Float] {
        switch self {
        case .pcm:
            return (0..<bytes.count / 2).map { sample in
                Float(Int16(bitPattern: UInt16(bytes[2 * sample]) | UInt16(bytes[2 * sample + 1]) << 8)) / 32_768
            }
        case .muLaw: return bytes.map(Self.sample(muLaw:))
        case .aLaw: return bytes.map(Self.sample(aLaw:))
        }
    }

    /// Decodes a µ-law sample (ITU-T G.711).
    private static func sample(muLaw byte: UInt8) -> Float {
        let bits = ~byte
        let magnitude = ((Int(bits & 0x0F) << 3 + 0x84) << Int(bits >> 4 & 7)) - 0x84
        return Float(bits & 0x80 != 0 ? -magnitude : magnitude) / 32_768
    }

    /// Decodes an A-law sample (ITU-T G.711).
    private static func sample(aLaw byte: UInt8) -> Float {
        let bits = byte ^ 0x55
        let (exponent, mantissa) = (Int(bits >> 4 & 7), Int(bits & 0x0F))
        let magnitude = exponent == 0 ? mantissa << 4 + 8 : (mantissa << 4 + 0x108) << (exponent - 1)
        return Float(bits & 0x80 != 0 ? magnitude : -magnitude) / 32_768
    }
}
