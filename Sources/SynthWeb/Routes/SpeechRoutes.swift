import SynthCatalogue
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// The speech endpoints of OpenAI's API, and the Kokoro-FastAPI endpoints that clients rely on.
struct SpeechRoutes {
    let service: SpeechService
    /// The transcription service, whose models are part of the model list, or nil if there is none.
    let transcription: TranscriptionService?
    let words: WebMessages
    /// Downloads voices on request if the user allows it, or nil if voices are managed elsewhere.
    let library: ServiceLibrary?
    /// Storage for responses that are sent when they are complete.
    let spool: WebSpool

    var routes: [WebRoute] {
        [
            WebRoute("POST", .exact("/v1/audio/speech"), .access, speak),
            WebRoute("POST", .exact("/dev/captioned_speech"), .access, caption),
            WebRoute("GET", .exact("/v1/models"), .access, listModels),
            WebRoute("GET", .below("/v1/models/"), .access, showModel),
            // Open WebUI uses these paths and expects a different name for the member that contains the list.
            WebRoute("GET", .exact("/v1/audio/models"), .access, listModels),
            WebRoute("GET", .exact("/v1/audio/voices"), .access, listVoices),
        ]
    }

    @Sendable private func speak(_ request: WebRequest, _ answer: WebAnswer) throws {
        let call = try call(request)
        switch call.form {
        case .sound where call.isStreamed: try send(call, SoundWriter(call.format), answer)
        case .sound: try sendWhole(call, captions: nil, answer)
        case .events(let sendsWords):
            try send(call, SpeechEventWriter(call.format, call.input, sendsWords: sendsWords), answer)
        }
    }

    @Sendable private func caption(_ request: WebRequest, _ answer: WebAnswer) throws {
        let call = try call(request)
        let words = CaptionedWords(call.input, collectsWords: call.sendsCaptions)
        if !call.isStreamed { return try sendWhole(call, captions: words, answer) }
        try send(call, CaptionWriter(call.format, words), answer)
    }

    private func call(_ request: WebRequest) throws -> SpeechCall {
        try SpeechCall(request.object(), longestText: service.limits.textBytes, engines: { service.engines }) { model in
            (try? service.voices(.all))?.first { $0.choice.voice.model?.id == model }?.engine
        }
    }

    private func send(_ call: SpeechCall, _ writer: some SpeechWriter, _ answer: WebAnswer) throws {
        let (query, voice) = try voice(of: call, answer)
        try spoken.send(call.order(query), with: voice, by: writer, Self.headers(voice), in: answer)
    }

    private func sendWhole(
        _ call: SpeechCall, captions: CaptionedWords?, _ answer: WebAnswer
    ) throws {
        let (query, voice) = try voice(of: call, answer)
        try spoken.sendWhole(
            call.order(query), with: voice, BufferedSpeech(call.format, in: spool.newBytes(), captions: captions),
            spool,
            Self.headers(voice), in: answer)
    }

    private var spoken: SpokenAnswer { SpokenAnswer(service: service, words: words) }

    private func voice(of call: SpeechCall, _ answer: WebAnswer) throws -> (VoiceQuery, SpeechVoice) {
        let (query, voice) = try CallVoice(service).voice(of: call)
        guard case .notDownloaded = voice.state else { return (query, voice) }
        try download(voice, answer)
        return (query, try service.voice(query))
    }

    private static func headers(_ voice: SpeechVoice) -> [(name: String, value: String)] {
        // A proxy that buffers the response would delay the audio.
        [(name: "X-Accel-Buffering", value: "no"), (name: "Cache-Control", value: "no-store")]
            // Voice names may contain characters that are not allowed in headers.
            + (voice.key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                ? [(name: "Synthhost-Voice", value: voice.key)] : [])
    }

    private func download(_ voice: SpeechVoice, _ answer: WebAnswer) throws {
        let isWanted = service.presets.autoDownload && !voice.isBlend
        guard isWanted, let library else {
            throw WebFailure.problem(.notDownloaded(title: voice.title, key: voice.key))
        }
        let mailbox = Monitor<LibraryMailbox?>(nil)
        let isReady = try answer.whileConnected({ mailbox.read { $0 }?.close() }) {
            try library.downloadWhole(voice.key) { news in mailbox.update { $0 = news } }
        }
        if !isReady { throw WebFailure.stopped }
    }

    @Sendable private func listModels(_ request: WebRequest, _ answer: WebAnswer) throws {
        let models = models.map { JSONNode(Self.model($0)) }
        let list: [JSONNode.Member] = [.init("object", "list"), .init("data", .array(models))]
        let other: [JSONNode.Member] = request.path.contains("/audio/") ? [.init("models", .array(models))] : []
        try answer.send(json: JSONNode(list + other))
    }

    @Sendable private func showModel(_ request: WebRequest, _ answer: WebAnswer) throws {
        let id = String(request.path.dropFirst("/v1/models/".count))
        guard models.contains(id) else { throw WebFailure.problem(.notFound) }
        try answer.send(json: JSONNode(Self.model(id)))
    }

    /// The IDs of the speech engines and recognizer models.
    private var models: [String] { service.engines + (transcription?.models().map(\.key) ?? []) }

    private static func model(_ id: String) -> [JSONNode.Member] {
        [
            .init("id", .string(id)), .init("object", "model"), .init("created", 0), .init("owned_by", "synthhost"),
            .init("name", .string(id)),
        ]
    }

    @Sendable private func listVoices(_ request: WebRequest, _ answer: WebAnswer) throws {
        let voices = try service.voices(.ready)
        // Early versions of Kokoro-FastAPI return a list of IDs without names.
        if request.query["legacy"] == "true" {
            let keys = voices.map { JSONNode(.string($0.key)) }
            return try answer.send(json: JSONNode([.init("voices", .array(keys))]))
        }
        let list = voices.map { voice in
            JSONNode([
                .init("id", .string(voice.key)), .init("name", .string(voice.title)),
                .init("language", .string(voice.language)), .init("engine", .string(voice.engine)),
            ])
        }
        try answer.send(json: JSONNode([.init("voices", .array(list))]))
    }
}
