import SynthAudio
import SynthJSON
import SynthListening
import SynthService
import SynthSystem

/// A transcription request, with the fields of OpenAI's API and those that clients of other servers send.
struct TranscriptionCall {
    /// The format of the response.
    enum Form: String, CaseIterable {
        case json, text, srt, vtt
        case verbose = "verbose_json"
    }

    let order: TranscriptionRequest
    private(set) var form = Form.json
    /// Whether the response is a stream of server-sent events.
    private(set) var isStreamed = false
    private(set) var sendsWords = false
    private(set) var sendsSegments = true
    /// The recording. It is valid for the lifetime of the form's file.
    let clip: ClipFile

    static let fields = FormFields(
        file: "file",
        read: [
            "model", "language", "prompt", "response_format", "temperature", "timestamp_granularities", "stream",
            "keywords", "hotwords", "channels",
        ],
        ignored: [
            "chunking_strategy", "include", "known_speaker_names", "known_speaker_references", "user", "task",
            "vad_filter", "without_timestamps", "beam_size", "best_of", "seed", "top_p", "repetition_penalty",
            "to_language", "diarize", "temperature_inc", "word_timestamps", "batch_size", "n",
        ])

    /// Whether a model name selects the default model. Clients send such names because OpenAI's API requires a model.
    static func isAnyModel(_ name: String) -> Bool {
        ["", "default", "synthhost", "whisper-1", "gpt-realtime-whisper"].contains(name)
            || name.hasPrefix("gpt-") && (name.contains("transcribe") || name.contains("realtime"))
    }

    /// - Parameter isTranslated: whether to translate the text into English.
    init(_ form: UploadedForm, isTranslated: Bool) throws {
        try form.finish()
        guard let file = form.file else { throw WebFailure.problem(.missing("file")) }
        clip = ClipFile(path: "/proc/self/fd/\(file.raw)")
        var order = TranscriptionRequest()
        if let name = try Self.name("model", form), !Self.isAnyModel(name) { order.model = name }
        order.language = try Self.name("language", form)?.replacing("_", with: "-")
        order.context = try form.text("prompt")
        order.phrases = form.texts("keywords[]") + form.texts("keywords") + form.texts("hotwords")
        order.isTranslated = isTranslated
        if let channels = try form.text("channels") {
            guard ["mix", "split"].contains(channels) else {
                throw WebFailure.problem(.invalid("channels", .oneOf(["mix", "split"])))
            }
            order.splitsChannels = channels == "split"
        }
        if let name = try form.text("response_format") {
            guard let known = Form(rawValue: name) else {
                throw WebFailure.problem(.format(name, known: Form.allCases.map(\.rawValue)))
            }
            self.form = known
        }
        isStreamed = try Self.flag("stream", form)
        let parts = form.texts("timestamp_granularities[]") + form.texts("timestamp_granularities")
        guard parts.allSatisfy(["word", "segment"].contains) else {
            throw WebFailure.problem(.invalid("timestamp_granularities", .oneOf(["word", "segment"])))
        }
        if !parts.isEmpty { (sendsWords, sendsSegments) = (parts.contains("word"), parts.contains("segment")) }
        if let text = try form.text("temperature") {
            // The temperature is validated but not used, because transcription is deterministic.
            guard let number = Double(decimal: text), (0...2).contains(number) else {
                throw WebFailure.problem(.invalid("temperature", .number(0...2)))
            }
        }
        order.wantsWords = sendsWords && (self.form == .verbose || isStreamed) || [.srt, .vtt].contains(self.form)
        self.order = order
    }

    private static func name(_ field: String, _ form: UploadedForm) throws -> String? {
        guard let text = try form.text(field) else { return nil }
        guard text.utf8.count <= WebMembers.longestName else {
            throw WebFailure.problem(.invalid(field, .name(longest: WebMembers.longestName)))
        }
        return text
    }

    private static func flag(_ field: String, _ form: UploadedForm) throws -> Bool {
        switch try form.text(field)?.lowercased() {
        case nil, "false", "0": false
        case "true", "1": true
        default: throw WebFailure.problem(.invalid(field, .flag))
        }
    }
}
