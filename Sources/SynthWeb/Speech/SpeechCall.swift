import SynthAudio
import SynthCatalogue
import SynthHost
import SynthJSON
import SynthService

/// The body of a speech request: OpenAI's members, the Kokoro-FastAPI members that clients rely on, and extensions.
struct SpeechCall {
    /// The format of the response.
    enum Form {
        /// Only the audio.
        case sound
        /// Server-sent events.
        case events(sendsWords: Bool)
    }

    private(set) var input = ""
    private(set) var format = WebSoundFormat.file(.mp3)
    private(set) var form = Form.sound
    /// The engine's ID. nil if the request has no model or uses one of OpenAI's model names, in which case any engine
    /// may speak.
    private(set) var model: String?
    private(set) var voice: String?
    private(set) var language: String?
    /// The markup language of the input, or nil for plain text.
    private(set) var markup: SpeechForm?
    private(set) var speed: Double?
    private(set) var pitch: Double?
    private(set) var volume: Double?
    private(set) var intonation: Double?
    private(set) var isWhispered: Bool?
    private(set) var usesProfile = true
    /// Whether captions include word timings.
    private(set) var sendsCaptions = true
    /// Whether to stream the response.
    private(set) var isStreamed = true

    private static let factors = 0.25...4.0
    private static let volumes = 0.0...8.0
    private static let intonations = 0.0...2.0
    private static let markups: [(name: String, form: SpeechForm?)] = [
        ("text", nil), ("ssml", .ssml), ("markdown", .markdown), ("tokens", .tokens),
    ]

    /// The languages of Kokoro's single-letter codes.
    private static let languages = [
        "a": "en-US", "b": "en-GB", "e": "es", "f": "fr", "h": "hi", "i": "it", "j": "ja", "p": "pt-BR", "z": "zh",
    ]

    /// The members that have an effect.
    private static let fields = [
        "input", "model", "voice", "response_format", "speed", "stream_format", "lang", "language", "pitch", "whisper",
        "intonation", "volume", "input_format", "profile", "stream", "timestamps", "lang_code", "volume_multiplier",
        "return_timestamps",
    ]
    /// Members from other servers' APIs (OpenAI, Kokoro-FastAPI, speaches, LocalAI, Chatterbox) that are accepted but
    /// ignored.
    private static let ignoredFields = [
        "instructions", "user", "normalization_options", "download_format", "return_download_link", "sample_rate",
        "backend", "n", "seed", "temperature", "top_p", "top_k", "stream_options", "exaggeration", "cfg_weight",
    ]

    /// Whether a model name selects the default voice. Clients send such names because OpenAI's API requires a model.
    private static func isAnyModel(_ name: String) -> Bool {
        ["", "default", "synthhost"].contains(name) || name == "tts-1" || name.hasPrefix("tts-1-")
            || name.hasPrefix("gpt-") && name.contains("tts")
    }

    /// - Parameters:
    ///   - longestText: the maximum length of the input in UTF-8 bytes.
    ///   - engines: returns the IDs of the usable engines.
    ///   - engineOfModel: returns the engine of a registered model, or nil if no voice uses the model.
    init(
        _ body: JSONNode, longestText: Int, engines: () -> [String], engineOfModel: (String) -> String? = { _ in nil }
    ) throws {
        let members = WebMembers(body)
        try members.check(read: Self.fields, ignored: Self.ignoredFields)
        guard let input = try members.text("input") else { throw WebFailure.problem(.missing("input")) }
        if input.utf8.count > longestText { throw WebFailure.problem(.textTooLong(limit: longestText)) }
        guard input.contains(where: { !$0.isWhitespace }) else { throw WebFailure.problem(.nothingToSay) }
        self.input = input
        if let name = try members.name("model") {
            // In a name such as "hexgrad/Kokoro-82M", ignore the owner and the case.
            let plain = name.split(separator: "/").last?.lowercased() ?? ""
            if !Self.isAnyModel(plain) {
                let engines = engines()
                model = engines.first { $0 == plain } ?? engineOfModel(plain) ?? engines.first(where: plain.contains)
                if model == nil { throw WebFailure.problem(.unknownModel(name, known: engines)) }
            }
        }
        voice = try Self.voice(body, members)
        let letter = try members.name("lang_code")
        language = try members.name("lang")
        let full = try members.name("language")
        language = language ?? full
        language = language ?? letter.map { Self.languages[$0] ?? $0 }
        sendsCaptions = try members.flag("return_timestamps") ?? true
        if let name = try members.name("response_format") { format = try WebSoundFormat(called: name) }
        speed = try members.number("speed", Self.factors, orText: true)
        pitch = try members.number("pitch", Self.factors, orText: true)
        intonation = try members.number("intonation", Self.intonations, orText: true)
        isWhispered = try members.flag("whisper")
        volume = try members.number("volume", Self.volumes, orText: true)
        let multiplier = try members.number("volume_multiplier", Self.volumes, orText: true)
        volume = volume ?? multiplier
        usesProfile = try members.flag("profile") ?? true
        isStreamed = try members.flag("stream") ?? true
        let sendsWords = try members.flag("timestamps") ?? false
        if try members.choice("stream_format", ["audio", "sse"]) == "sse" { form = .events(sendsWords: sendsWords) }
        let markup = try members.choice("input_format", Self.markups.map(\.name))
        self.markup = Self.markups.first { $0.name == markup }?.form
    }

    /// Returns the voice member, which is a string or, as in OpenAI's API, an object with an ID.
    private static func voice(_ body: JSONNode, _ members: WebMembers) throws -> String? {
        if case .object? = body.value(at: ["voice"]) {
            guard case .string(let id)? = body.value(at: ["voice", "id"]) else {
                throw WebFailure.problem(.invalid("voice", .text))
            }
            guard id.utf8.count <= WebMembers.longestName else {
                throw WebFailure.problem(.invalid("voice", .name(longest: WebMembers.longestName)))
            }
            return id
        }
        return try members.name("voice").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameter voice: the selected voice.
    func order(_ voice: VoiceQuery) -> SpeechJob {
        var order = SpeechJob(markup.map { .script(input, $0) } ?? .plain(input))
        order.voice = voice
        order.rate = speed
        order.pitch = pitch
        order.volume = volume
        order.intonation = intonation ?? order.intonation
        order.isWhispered = isWhispered
        order.usesProfile = usesProfile
        order.fallsBack = false
        return order
    }
}

/// Finds the voice for a request. The request may refer to the voice by one of synthhost's names or by the name of
/// another service's voice.
struct CallVoice {
    private let service: SpeechService

    /// The names of OpenAI's voices. Clients send them because OpenAI's API requires a voice.
    private static let openAI: Set<String> = [
        "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer",
        "verse",
    ]

    init(_ service: SpeechService) { self.service = service }

    /// Returns the query and its voice, which may not be downloaded yet. Blocks.
    func voice(of call: SpeechCall) throws(SpeechError) -> (VoiceQuery, SpeechVoice) {
        var query = VoiceQuery(name: call.voice.map(Self.blend), language: call.language, engine: call.model)
        if let name = call.voice, Self.openAI.contains(name) {
            if let chosen = service.presets.openai[name] {
                query.name = chosen
            } else if let voice = try? service.voice(query), voice.state == .ready {
                // An installed voice with the same name takes precedence over OpenAI's voice names.
                return (query, voice)
            } else {
                query.name = nil
            }
        }
        return (query, try named(query))
    }

    /// Returns the voice that matches the query. If several voices match, returns the installed voice whose title is
    /// exactly the requested name, because clients send titles from the voice list.
    private func named(_ query: VoiceQuery) throws(SpeechError) -> SpeechVoice {
        do {
            return try service.voice(query)
        } catch {
            guard error.code == .voiceAmbiguous,
                let voice = try? service.voices(.ready).first(where: { $0.title == query.name })
            else { throw error }
            return voice
        }
    }

    /// Converts a blend from Kokoro-FastAPI's syntax, "af_bella(2)+af_sky(1)", to synthhost's syntax,
    /// "af_bella*2+af_sky*1".
    static func blend(_ name: String) -> String {
        guard name.contains("+") else { return name }
        let terms = name.split(separator: "+", omittingEmptySubsequences: false).map { term in
            guard term.last == ")", let open = term.lastIndex(of: "("),
                Double(term[term.index(after: open)...].dropLast()) != nil
            else { return String(term) }
            return "\(term[..<open])*\(term[term.index(after: open)...].dropLast())"
        }
        return terms.joined(separator: "+")
    }
}
