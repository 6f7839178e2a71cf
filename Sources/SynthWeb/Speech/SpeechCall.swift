import SynthAudio
import SynthCatalogue
import SynthHost
import SynthJSON
import SynthService

/// The body of a call for speech: OpenAI's members, members of Kokoro-FastAPI that clients rely on, and extensions.
struct SpeechCall {
    /// The format of the answer.
    enum Form {
        /// Only the audio.
        case sound
        /// Server-sent events.
        case events(tellsWords: Bool)
    }

    private(set) var input = ""
    private(set) var format = WebSoundFormat.file(.mp3)
    private(set) var form = Form.sound
    /// An engine's id; nil = any engine, because the call has no model or one of OpenAI's.
    private(set) var model: String?
    private(set) var voice: String?
    private(set) var language: String?
    /// The markup of the input; nil = plain text.
    private(set) var markup: SpeechForm?
    private(set) var speed: Double?
    private(set) var pitch: Double?
    private(set) var volume: Double?
    private(set) var isWhispered: Bool?
    private(set) var usesProfile = true
    /// Whether captions have the times of words.
    private(set) var tellsCaptions = true
    /// Whether the answer is streamed.
    private(set) var isStreamed = true

    private static let factors = 0.25...4.0
    private static let volumes = 0.0...8.0
    private static let markups: [(name: String, form: SpeechForm?)] = [
        ("text", nil), ("ssml", .ssml), ("markdown", .markdown), ("tokens", .tokens),
    ]

    /// Kokoro's letters for languages.
    private static let languages = [
        "a": "en-US", "b": "en-GB", "e": "es", "f": "fr", "h": "hi", "i": "it", "j": "ja", "p": "pt-BR", "z": "zh",
    ]

    /// Fields that have an effect.
    private static let fields = [
        "input", "model", "voice", "response_format", "speed", "stream_format", "lang", "language", "pitch", "whisper",
        "volume",
        "input_format", "profile", "stream", "timestamps", "lang_code", "volume_multiplier", "return_timestamps",
    ]
    /// Fields that clients of other servers send (OpenAI, Kokoro-FastAPI, speaches, LocalAI, Chatterbox); they are accepted and ignored.
    private static let ignoredFields = [
        "instructions", "user", "normalization_options", "download_format", "return_download_link", "sample_rate",
        "backend", "n", "seed", "temperature", "top_p", "top_k", "stream_options", "exaggeration", "cfg_weight",
    ]

    /// Names that clients send because a call needs a model; they select the user's default voice.
    private static func isAnyModel(_ name: String) -> Bool {
        ["", "default", "synthhost"].contains(name) || name == "tts-1" || name.hasPrefix("tts-1-")
            || name.hasPrefix("gpt-") && name.contains("tts")
    }

    /// - Parameters:
    ///   - longestText: the limit of the input, in bytes of UTF-8.
    ///   - engines: the ids of the usable engines.
    ///   - engineOfModel: the engine of a model in the registry; nil = no voice has this model.
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
            // A name such as "hexgrad/Kokoro-82M"; the owner and the case are irrelevant.
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
        tellsCaptions = try members.flag("return_timestamps") ?? true
        if let name = try members.name("response_format") { format = try WebSoundFormat(called: name) }
        speed = try members.number("speed", Self.factors, orText: true)
        pitch = try members.number("pitch", Self.factors, orText: true)
        isWhispered = try members.flag("whisper")
        volume = try members.number("volume", Self.volumes, orText: true)
        let multiplier = try members.number("volume_multiplier", Self.volumes, orText: true)
        volume = volume ?? multiplier
        usesProfile = try members.flag("profile") ?? true
        isStreamed = try members.flag("stream") ?? true
        let tellsWords = try members.flag("timestamps") ?? false
        if try members.choice("stream_format", ["audio", "sse"]) == "sse" { form = .events(tellsWords: tellsWords) }
        let markup = try members.choice("input_format", Self.markups.map(\.name))
        self.markup = Self.markups.first { $0.name == markup }?.form
    }

    /// A text, or an object with an id, which may be OpenAI's form of a voice.
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
    func order(_ voice: VoiceRequest) -> SpeechJob {
        var order = SpeechJob(markup.map { .script(input, $0) } ?? .plain(input))
        order.voice = voice
        order.rate = speed
        order.pitch = pitch
        order.volume = volume
        order.isWhispered = isWhispered
        order.usesProfile = usesProfile
        order.fallsBack = false
        return order
    }
}

/// Finds the voice of a call, by its names and by the names of other services.
struct CallVoice {
    private let service: SpeechService

    /// The names of OpenAI's voices. Clients send them because a call needs a voice.
    private static let openAI: Set<String> = [
        "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer",
        "verse",
    ]

    init(_ service: SpeechService) { self.service = service }

    /// The request, and its voice, which may have to be downloaded. Blocks.
    func voice(of call: SpeechCall) throws(SpeechError) -> (VoiceRequest, SpeechVoice) {
        var wish = VoiceRequest(name: call.voice.map(Self.blend), language: call.language, engine: call.model)
        if let name = call.voice, Self.openAI.contains(name) {
            if let chosen = service.voice(forOpenAI: name) {
                wish.name = chosen
            } else if let voice = try? service.voice(wish), voice.state == .ready {
                // An installed voice may have the same name.
                return (wish, voice)
            } else {
                wish.name = nil
            }
        }
        return (wish, try named(wish))
    }

    /// Clients show the names of the list and send them, so an exact name selects this voice.
    private func named(_ wish: VoiceRequest) throws(SpeechError) -> SpeechVoice {
        do {
            return try service.voice(wish)
        } catch {
            guard error.code == .voiceAmbiguous,
                let voice = try? service.readyVoices().first(where: { $0.title == wish.name })
            else { throw error }
            return voice
        }
    }

    /// Converts a blend in the form of Kokoro-FastAPI, "af_bella(2)+af_sky(1)", to our form, "af_bella*2+af_sky*1".
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
