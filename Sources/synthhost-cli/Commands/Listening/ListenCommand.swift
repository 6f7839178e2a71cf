import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthListening
import SynthSystem
import SynthTerminal

/// `synthhost listen`: transcribes speech from a microphone.
struct ListenCommand: Command {
    let context: CommandContext

    func run() throws {
        let cancellation = context.cancellation(leavesAtOnce: true)
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        let inventory = host.snapshot()
        let words = try arguments.likelyWords()
        // Check the microphone and the recording file before downloading or loading a model.
        let sink = try recording()
        let acquisition = RecognizerAcquisition(context: context, inventory: inventory, cancellation: cancellation)
        let choice = try acquisition.choose { _ in
            let device = arguments[Options.microphone] ?? "default"
            try rethrowing(context.devices.probeMicrophone(device)) { CommandFailure(SpeechError(microphone: $0)) }
        }
        let display = ListeningDisplay(context)
        defer { display.end() }
        let isVerbose = arguments[Options.verbose]
        let source = try inventory.source(of: choice) { line in if isVerbose { display.print(line) } }
        let microphoneTranscription = source.microphoneTranscription(
            language: arguments[Options.spokenLanguage], expecting: expected, prompt: arguments[Options.prompt],
            words: words)
        cancellation.setExitAction { microphoneTranscription.end() }
        defer { microphoneTranscription.end() }
        do { try sink?.begin(AudioFormat(sampleRate: Int(microphoneTranscription.rate), channels: 1)) } catch {
            throw CommandFailure(error)
        }
        // From here on, stopping the command keeps the transcript.
        cancellation.set {}
        if arguments[Options.continuous] { return try listenOn(microphoneTranscription, choice, display, cancellation) }
        let recognized: RecognizedSpeech
        do {
            recognized = try cancellation.during({ microphoneTranscription.end() }) { () throws(SpeechError) in
                display.tell("loading", "Loading \(choice.model.name)")
                try microphoneTranscription.prepare()
                return try microphoneTranscription.listen(
                    on: arguments[Options.microphone], limits,
                    keepsSound: sink != nil, unless: { cancellation.isRequested }
                ) { display.show($0) }
            }
        } catch {
            display.end()
            if cancellation.isRequested { throw CommandFailure(.interrupted, nil) }
            throw CommandFailure(error)
        }
        display.end()
        if cancellation.isRequested { throw CommandFailure(.interrupted, nil) }
        // Print the transcript first, so that it is not lost if the recording cannot be written.
        var failure: (any Error)?
        do { try tell(recognized) } catch { failure = error }
        if let sink { try write(recognized.recording, to: sink) }
        if let failure { throw failure }
    }

    /// Listens until a signal arrives or a limit is reached. Prints each piece of text as soon as it is final.
    private func listenOn(
        _ microphoneTranscription: MicrophoneTranscription, _ choice: RecognizerChoice, _ display: ListeningDisplay,
        _ cancellation: Cancellation
    ) throws {
        let said = Monitor<(texts: [String], failure: (any Error)?)>(([], nil))
        let (context, wantsJSON) = (Monitor(context), arguments[Options.json])
        let ending: RecognizedSpeech.Ending
        do {
            ending = try cancellation.during({ microphoneTranscription.stop() }) { () throws(SpeechError) in
                display.tell("loading", "Loading \(choice.model.name)")
                try microphoneTranscription.prepare()
                return try microphoneTranscription.listenToUtterances(
                    on: arguments[Options.microphone], limits,
                    unless: { cancellation.isRequested || said.read { $0.failure != nil } }
                ) { event in
                    display.show(event)
                    guard case .text = event, let text = event.words else { return }
                    display.clear()
                    // Stop listening if the program that reads the output has exited.
                    let failure =
                        wantsJSON ? nil : context.read { context in Self.failure { try context.print(text) } }
                    said.update { said in
                        said.texts.append(text)
                        said.failure = said.failure ?? failure
                    }
                    if failure != nil { microphoneTranscription.stop() }
                }
            }
        } catch {
            display.end()
            throw CommandFailure(error)
        }
        display.end()
        let (texts, failure) = said.read { $0 }
        if let failure { throw failure }
        if wantsJSON {
            let result: JSONMembers = [
                "text": texts.joined(separator: " "), "ended": cancellation.isRequested ? "stopped" : ending.word,
            ]
            try context.read { context in try context.print(json: result) }
        }
        if texts.isEmpty, !cancellation.isRequested { throw nothingSaid }
    }

    private static func failure(_ body: () throws -> Void) -> (any Error)? {
        do { try body() } catch { return error }
        return nil
    }

    private var nothingSaid: CommandFailure {
        CommandFailure(
            .inputMissing, "No speech was detected.",
            "Start speaking when \"Listening\" appears, or choose a different microphone with -d."
        )
    }

    private var limits: Listener.Limits {
        var limits = Listener.Limits()
        if arguments[Options.continuous] { (limits.timeout, limits.inactivity) = (.infinity, .infinity) }
        limits.timeout = arguments[Options.listenTimeout] ?? limits.timeout
        limits.inactivity = arguments[Options.listenSilence] ?? limits.inactivity
        return limits
    }

    private var expected: ExpectedSpeech {
        if arguments[Options.number] { return .number }
        return arguments[Options.names].map { .names($0) } ?? .freeform
    }

    /// Creates the recording, which gets its final name only when it is complete.
    private func recording() throws -> (any AudioSink)? {
        guard let path = arguments[Options.record] else { return nil }
        let options = SoundFileOptions(try SoundFileFormat.of(path: path))
        try OutputPath.check(path, sparing: context.inUse)
        return try options.sink(path: path, sparing: context.inUse, mode: 0o600)
    }

    private func write(_ recording: [Float], to sink: any AudioSink) throws {
        guard !recording.isEmpty else { return }
        do {
            try sink.write(recording[...])
            try sink.finish()
        } catch {
            // A partial recording is useless.
            sink.deleteIncompleteFile()
            throw CommandFailure(error)
        }
    }

    /// Prints the transcript to standard output.
    private func tell(_ recognized: RecognizedSpeech) throws {
        if arguments[Options.json] {
            let result: JSONMembers = [
                "text": recognized.text, "confidence": recognized.confidence, "number": recognized.number,
                "name": recognized.name, "distance": recognized.distance, "ended": recognized.ending.word,
            ]
            try context.print(json: result)
        }
        guard !recognized.text.isEmpty else {
            if recognized.ending == .nothingSaid { throw nothingSaid }
            throw CommandFailure(
                .inputMissing, "The speech was not recognized.",
                "Speak closer to the microphone, or choose a different "
                    + "model with -m; `synthhost recognizers` lists the models.")
        }
        var answer = recognized.text
        switch expected {
        case .freeform: break
        case .number:
            guard let number = recognized.number else { throw mistaken("\"\(recognized.text)\" is not a number.") }
            answer = Self.digits(number)
        case .names:
            guard let name = recognized.name else { throw mistaken("\"\(recognized.text)\" is not one of the names.") }
            answer = name
        }
        if !arguments[Options.json] { try context.print(answer) }
    }

    private func mistaken(_ message: String) -> CommandFailure {
        CommandFailure(.inputMissing, message, "Try again.")
    }

    /// Formats a number without unnecessary decimal places, such as "42" or "42.5".
    private static func digits(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

extension RecognizedSpeech.Ending {
    fileprivate var word: String {
        switch self {
        case .nothingSaid: "nothing said"
        case .silence: "silence"
        case .timeout: "timeout"
        case .transcribed: "transcribed"
        @unknown default: "\(self)"
        }
    }
}
