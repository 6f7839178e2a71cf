import Glibc
package import SynthHost
package import SynthService
package import SynthSystem

/// An output module for speech-dispatcher. It communicates with the server over two pipes.
///
/// Reading, writing and speaking run on separate threads, so that a stop request takes effect immediately.
package final class SpeechModule: Sendable {
    private let service: SpeechService
    private let input: Descriptor
    private let output: ModuleOutput
    private let voices: ModuleVoices
    private let speech: ModuleSpeech
    private let log = ModuleLog()
    private let ending: WakeUp
    private let settings = Monitor(ModuleSettings())

    /// The maximum time to wait, on exit, for a server that is not reading.
    private static let lastWait = Duration.milliseconds(500)

    /// - Parameters:
    ///   - input: the pipe for the server's requests.
    ///   - output: the pipe for the replies.
    ///   - onNote: writes to the user's log. Called on any thread.
    package init(
        _ service: SpeechService, _ options: ModuleOptions, input: Descriptor, output: Descriptor,
        onNote: @escaping @Sendable (ModuleNote) -> Void
    ) throws(Errno) {
        self.service = service
        self.input = input
        self.output = try ModuleOutput(output, log)
        ending = try WakeUp()
        voices = ModuleVoices(service, options, onNote)
        speech = ModuleSpeech(service, voices, self.output, onNote)
    }

    /// Blocks and handles requests until the server closes the connection or sends QUIT.
    ///
    /// - Returns: false if the system cannot create the threads.
    package func run() -> Bool {
        let (output, speech, ending) = (output, speech, ending)
        let isWriting = startThread("module-output") {
            output.run()
            ending.signal()
        }
        let isSpeaking = isWriting && startThread("module-speech") { speech.run() }
        if isSpeaking { read() }
        speech.close()
        output.drain(untilFullFor: Self.lastWait)
        output.close()
        return isSpeaking
    }

    /// Makes `run` return soon. Can be called from any thread.
    package func stop() { ending.signal() }

    private func read() {
        var reader = ModuleReader()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while let ready = try? Poll.wait([(input.raw, events: POLLIN), (ending.descriptor.raw, events: POLLIN)]),
            ready[1] == 0, let count = try? input.read(into: buffer), count > 0
        {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            log.heard(bytes)
            reader.append(bytes)
            while let request = reader.next() {
                guard answer(request) else { return }
            }
        }
    }

    /// Handles a request. Returns false if the conversation is over.
    private func answer(_ request: ModuleRequest) -> Bool {
        switch request {
        case .start: output.send(ModuleReply.loaded.bytes(after: ["synthhost is ready."]))
        case .open(let block): output.reply(block.invitation)
        case .audio(let assignments): openAudio(assignments)
        case .logLevel(let assignments):
            let flaw = assignments.apply { $0 != "log_level" || Int($1) != nil }
            output.reply(flaw ?? .logLevelSet)
        case .set(let assignments):
            let flaw = settings.update { settings in assignments.apply { settings.set($0, $1) } }
            output.reply(flaw ?? .settingsReceived)
        case .say(let message): speech.say(message, settings.read { $0 })
        case .refuse(let reply): output.reply(reply)
        case .listVoices(let language, let variant): listVoices(language, variant)
        case .stop: speech.stop()
        case .pause: speech.pause()
        case .debug(let file):
            output.reply(log.open(file) ? (file == nil ? .debuggingOff : .debuggingOn) : .badDebugFile)
        case .badSyntax: output.reply(.badSyntax)
        case .unknown: output.reply(.unknownCommand)
        case .quit:
            speech.stop()
            output.reply(.bye)
            return false
        }
        return true
    }

    /// Accepts only the audio method in which the server plays the audio. If the module played the audio itself, it
    /// would not stop when the server stops the other modules.
    private func openAudio(_ assignments: ModuleAssignments) {
        if assignments.isMalformed { return output.reply(.badSyntax) }
        let method = assignments["audio_output_method"] ?? "server"
        if method == "server" { return output.reply(.audioReady) }
        let reason =
            "The audio output method \"\(method)\" is not supported, because synthhost sends its audio to the server."
        output.send(ModuleReply.moduleError.bytes(after: [reason]))
    }

    private func listVoices(_ language: String?, _ variant: String?) {
        let listed = ((try? voices.list()) ?? []).filter { voice in
            language.map { voice.speaks($0) } ?? true
                && variant.map { $0.lowercased() == (voice.type?.rawValue ?? "none") } ?? true
        }
        if listed.isEmpty { return output.reply(.noVoices) }
        output.send(ModuleReply.voicesSent.bytes(after: listed.map(\.line)))
    }
}

/// How speech deviated from a request, and why.
package enum ModuleNote: Sendable {
    /// The message was not spoken completely.
    case failed(SpeechError)
    case replaced(SpeechNotice)
    /// The voice could not be loaded.
    case notLoaded(SpeechError)
}
