import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthJSON
import SynthListening
import SynthService
import SynthSystem
import SynthWeb

/// The tools that `synthhost mcp` offers to a language model. The model's input is untrusted, so text size is limited
/// and existing files are never overwritten. Thread-safe.
struct AssistantTools: CommandPart, Sendable {
    enum Tool: String {
        case speak, transcribe, listen, voices
    }

    let context: CommandContext
    let host: SpeechHost
    let service: SpeechService
    let transcription: TranscriptionService
    /// Ensures that calls play their audio one at a time.
    private let loudspeaker = Lock()
    private let isListening = Monitor(false)

    /// Blocks until the call is finished or cancelled.
    func run(_ call: AssistantCall) throws -> AssistantResult {
        let values = call.values
        try values.check(known: Self.argumentNames(of: call.tool))
        return switch call.tool {
        case .speak: try speak(call, values)
        case .transcribe: try transcribe(call, values)
        case .listen: try listen(call, values)
        case .voices: try voices()
        }
    }

    // MARK: - Speaking

    private func speak(_ call: AssistantCall, _ values: AssistantArguments) throws -> AssistantResult {
        guard let text = try values.text("text") else { throw UsageError(ofTool: "\"text\" is missing.") }
        guard text.utf8.count <= service.limits.textBytes else {
            throw UsageError(ofTool: "\"text\" is longer than \(service.limits.textBytes) bytes.")
        }
        let markup = try values.choice("markup", ["text", "markdown", "ssml"])
        var order = SpeechJob(
            markup == "markdown" ? .script(text, .markdown) : markup == "ssml" ? .script(text, .ssml) : .plain(text))
        order.voice = VoiceQuery(name: try values.text("voice"), language: try values.text("language"))
        order.rate = try values.number("rate", 0.25...4)
        order.isWhispered = try values.flag("whisper") ? true : nil
        let path = try values.path("file")
        order.fallsBack = path == nil
        let sink = try sink(path)
        let summary =
            try path == nil
            ? loudspeaker.withLock { () throws(SpeechError) in try speak(order, into: sink, call) }
            : speak(order, into: sink, call)
        if summary.wasCancelled { throw CommandFailure(.failure, "The call was cancelled.") }
        if summary.frames == 0 { throw CommandFailure(.failure, WebProblem.nothingToSay.message) }
        let seconds = (summary.duration.seconds * 1000).rounded() / 1000
        return AssistantResult(
            path.map { "Wrote \(seconds) seconds of audio to \($0)." } ?? "Spoke for \(seconds) seconds.",
            [.init("seconds", .number(seconds))] + (path.map { [.init("file", $0)] } ?? []))
    }

    private func speak(
        _ order: SpeechJob, into sink: any AudioSink, _ call: AssistantCall
    ) throws(SpeechError) -> SpeechSummary {
        let speech = try service.speak(order)
        call.cancellation.set { speech.cancel() }
        return try speech.deliver(to: sink)
    }

    /// Returns a sink that plays through the speakers, or one that writes a new file if a path is given.
    private func sink(_ path: String?) throws -> any AudioSink {
        guard let path else {
            return context.devices.sink(arguments[Options.device] ?? host.presets.device ?? "default")
        }
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw CommandFailure(.failure, "\(path) already exists. Pass a different file name.")
        }
        let options = SoundFileOptions(try SoundFileFormat.of(path: path))
        try OutputPath.check(path, sparing: context.inUse)
        return try options.sink(newFile: path, sparing: context.inUse)
    }

    private func voices() throws -> AssistantResult {
        let voices = try service.voices(.ready)
        let lines = voices.map { "\($0.title) (\($0.language), \($0.engine))" }
        let list = voices.map { voice in
            JSONNode(
                .object([
                    .init("id", voice.key), .init("name", voice.title), .init("language", voice.language),
                    .init("engine", voice.engine),
                ]))
        }
        return AssistantResult(
            lines.isEmpty ? "No voices are installed." : lines.joined(separator: "\n"), [.init("voices", .array(list))])
    }

    // MARK: - Listening

    private func order(_ values: AssistantArguments) throws -> TranscriptionRequest {
        let named = [arguments[Options.recognizer], arguments[Options.recognizerModel]].compactMap(\.self)
        var order = TranscriptionRequest(
            model: try values.text("model") ?? (named.isEmpty ? nil : named.joined(separator: "/")),
            language: try values.text("language"))
        order.phrases = try values.texts("words") ?? []
        return order
    }

    private func transcribe(
        _ call: AssistantCall, _ values: AssistantArguments
    ) throws -> AssistantResult {
        guard let path = try values.path("file") else { throw UsageError(ofTool: "\"file\" is missing.") }
        var order = try order(values)
        order.isTranslated = try values.flag("translate")
        order.splitsChannels = try values.choice("channels", ["mix", "split"]) == "split"
        let name = try values.choice("format", TranscriptFormat.allCases.map(\.rawValue)) ?? "txt"
        let format = TranscriptFormat(rawValue: name) ?? .txt
        order.wantsWords = format != .txt
        // Report an unreadable file before loading a model.
        do { _ = try host.snapshot().opened(ClipFile(path: path)) } catch {
            throw CommandFailure(.failure, SpeechError(error.ofRecording).message(ofFile: path))
        }
        var recognized: ServiceTranscript
        let seconds: Double
        do {
            let recording = try transcription.recording(order, by: transcription.choice(for: order))
            call.cancellation.set { recording.cancel() }
            recognized = ServiceTranscript(rate: recording.rate)
            seconds = try recording.read(ClipFile(path: path)) { recognized.add($0) }.get()
            recognized.finish()
        } catch {
            throw CommandFailure(.failure, error.message(ofFile: path))
        }
        if call.cancellation.isRequested { throw CommandFailure(.failure, "The call was cancelled.") }
        return AssistantResult(
            format == .txt ? String(recognized.written(as: format).dropLast()) : recognized.written(as: format),
            [.init("text", recognized.text), .init("seconds", .number((seconds * 1000).rounded() / 1000))]
                + (recognized.language.map { [.init("language", $0)] } ?? []))
    }

    /// Records and transcribes speech. The microphone is open only during this call.
    private func listen(_ call: AssistantCall, _ values: AssistantArguments) throws -> AssistantResult {
        let order = try order(values)
        var limits = Listener.Limits()
        limits.timeout = try values.number("timeout", 0.1...600) ?? limits.timeout
        limits.inactivity = try values.number("silence", 0.1...60) ?? limits.inactivity
        let names = try values.texts("names")
        let expected: ExpectedSpeech =
            try values.flag("number")
            ? .number : names.map { .names($0) } ?? .freeform
        let isFree = isListening.update { isListening in
            defer { isListening = true }
            return !isListening
        }
        guard isFree else {
            throw CommandFailure(
                .failure, "The microphone is in use by another call. Wait until that call has finished.")
        }
        defer { isListening.update { $0 = false } }
        let device = arguments[Options.assistantMicrophone] ?? "default"
        try rethrowing(context.devices.probeMicrophone(device)) { SpeechError(microphone: $0) }
        let source = try host.snapshot().source(of: try transcription.choice(for: order)) { _ in }
        let microphoneTranscription = source.microphoneTranscription(
            language: order.language, expecting: expected, words: order.phrases)
        defer { microphoneTranscription.end() }
        call.cancellation.set { microphoneTranscription.end() }
        let recognized: RecognizedSpeech
        do {
            recognized = try microphoneTranscription.listen(
                on: arguments[Options.assistantMicrophone], limits, keepsSound: false,
                unless: { call.cancellation.isRequested }
            ) { _ in }
        } catch {
            if call.cancellation.isRequested { throw CommandFailure(.failure, "The call was cancelled.") }
            throw error
        }
        return Self.result(recognized)
    }

    private static func result(_ recognized: RecognizedSpeech) -> AssistantResult {
        var data: [JSONNode.Member] = [.init("text", recognized.text)]
        if let confidence = recognized.confidence { data.append(.init("confidence", .number(confidence))) }
        if let number = recognized.number { data.append(.init("number", .number(number))) }
        if let name = recognized.name { data.append(.init("name", name)) }
        let answer = recognized.text.isEmpty ? "No speech was recognized." : recognized.name ?? recognized.text
        return AssistantResult(answer, data)
    }
}

extension AssistantTools {
    /// The tool descriptions in the protocol's format.
    static let list: [JSONNode] = {
        guard case .array(let tools)? = try? JSONReader.read(Array(text.utf8)).value else { return [] }
        return tools
    }()

    private static func argumentNames(of tool: Tool) -> [String] {
        guard let description = list.first(where: { $0.text("name") == tool.rawValue }),
            case .object(let members)? = description.value(at: ["inputSchema", "properties"])
        else { return [] }
        return members.map(\.name)
    }

    private static let text = #"""
        [
         {"name": "speak", "title": "Speak",
          "description": "Speak text through this machine's speakers, or write it to a new audio file. The call returns when all of the text has been spoken.",
          "inputSchema": {"type": "object", "properties": {
           "text": {"type": "string", "description": "The text to speak."},
           "voice": {"type": "string", "description": "The name of a voice, as listed by the voices tool; the default is the user's voice."},
           "language": {"type": "string", "description": "The language of the text, such as de; used only if no voice is given."},
           "rate": {"type": "number", "minimum": 0.25, "maximum": 4, "description": "The speaking rate; 1 is normal."},
           "whisper": {"type": "boolean", "description": "Whether to whisper, if the voice supports it."},
           "markup": {"type": "string", "enum": ["text", "markdown", "ssml"], "description": "The format of the text; the default is text."},
           "file": {"type": "string", "description": "Write the audio to this new file instead of playing it: .wav, .mp3, .opus, .ogg or .flac."}},
           "required": ["text"], "additionalProperties": false}},
         {"name": "transcribe", "title": "Transcribe a file",
          "description": "Transcribe an audio file that the user specifies.",
          "inputSchema": {"type": "object", "properties": {
           "file": {"type": "string", "description": "The path of the audio file."},
           "language": {"type": "string", "description": "The spoken language, such as de; the default is to detect it."},
           "model": {"type": "string", "description": "The recognizer model; the default is the user's model."},
           "words": {"type": "array", "items": {"type": "string"}, "description": "Names and terms that may occur in the audio."},
           "translate": {"type": "boolean", "description": "Translate the transcript into English, if the model supports it."},
           "channels": {"type": "string", "enum": ["mix", "split"], "description": "Mix the channels, or transcribe each separately, for example for a call with one person per channel; the default is mix."},
           "format": {"type": "string", "enum": ["txt", "srt", "vtt", "json"], "description": "The output format; the default is txt."}},
           "required": ["file"], "additionalProperties": false}},
         {"name": "listen", "title": "Listen",
          "description": "Open the microphone and transcribe the user's speech until the user stops speaking or the time limit is reached. The audio is not saved.",
          "inputSchema": {"type": "object", "properties": {
           "timeout": {"type": "number", "minimum": 0.1, "maximum": 600, "description": "The time limit for listening, in seconds; the default is 30."},
           "silence": {"type": "number", "minimum": 0.1, "maximum": 60, "description": "The length of silence that ends listening, in seconds; the default is 2."},
           "language": {"type": "string", "description": "The spoken language, such as de; the default is to detect it."},
           "model": {"type": "string", "description": "The recognizer model; the default is the user's model."},
           "words": {"type": "array", "items": {"type": "string"}, "description": "Names and terms that may occur in the audio."},
           "number": {"type": "boolean", "description": "Expect a number."},
           "names": {"type": "array", "items": {"type": "string"}, "description": "Expect one of these names."}},
           "additionalProperties": false}},
         {"name": "voices", "title": "List the voices",
          "description": "List the voices that are ready to speak, with their languages.",
          "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}}
        ]
        """#
}
