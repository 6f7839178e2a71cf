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
    let arguments: ParsedArguments

    func run() throws {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        let inventory = host.snapshot()
        let words = try arguments.likelyWords()
        // Check the microphone and the recording before a model is downloaded or loaded.
        let sink = try recording()
        let choice = try RecognizerAcquisition(context, arguments, inventory, cancellation).choose { _ in
            do throws(AudioError) {
                try context.devices.probeMicrophone(arguments[Options.microphone] ?? "default")
            } catch {
                throw CommandFailure(SpeechError(microphone: error))
            }
        }
        let face = ListeningDisplay(context, arguments)
        defer { face.end() }
        let isVerbose = arguments[Options.verbose]
        let dictation = try inventory.dictation(
            by: choice, language: arguments[Options.spokenLanguage], expecting: expected,
            prompt: arguments[Options.prompt], words: words,
            onLog: { line in if isVerbose { face.print(line) } })
        cancellation.setExitAction { dictation.end() }
        defer { dictation.end() }
        do { try sink?.begin(AudioFormat(sampleRate: Int(dictation.rate), channels: 1)) } catch {
            throw CommandFailure(error)
        }
        // From this point, the transcript is kept if the command is stopped.
        cancellation.set {}
        if arguments[Options.continuous] { return try listenOn(dictation, choice, face, cancellation) }
        let heard: RecognizedSpeech
        do {
            heard = try cancellation.during({ dictation.end() }) { () throws(SpeechError) in
                face.tell("loading", "Loading \(choice.model.name)")
                try dictation.prepare()
                return try dictation.listen(
                    on: arguments[Options.microphone], limits,
                    keepsSound: sink != nil, unless: { cancellation.isRequested }
                ) { face.show($0) }
            }
        } catch {
            face.end()
            if cancellation.isRequested { throw CommandFailure(.interrupted, nil) }
            throw CommandFailure(error)
        }
        face.end()
        if cancellation.isRequested { throw CommandFailure(.interrupted, nil) }
        // Print the transcript first, so that a failed recording cannot lose it.
        var failure: (any Error)?
        do { try tell(heard) } catch { failure = error }
        if let sink { try write(heard.recording, to: sink) }
        if let failure { throw failure }
    }

    /// Listens until a signal or a limit, and prints each text when it is final.
    private func listenOn(
        _ dictation: MicrophoneTranscription, _ choice: RecognizerChoice, _ face: ListeningDisplay,
        _ cancellation: Cancellation
    ) throws {
        let said = Monitor<(texts: [String], failure: (any Error)?)>(([], nil))
        let (context, wantsJSON) = (Monitor(context), arguments[Options.json])
        let ending: RecognizedSpeech.Ending
        do {
            ending = try cancellation.during({ dictation.stop() }) { () throws(SpeechError) in
                face.tell("loading", "Loading \(choice.model.name)")
                try dictation.prepare()
                return try dictation.listenToUtterances(
                    on: arguments[Options.microphone], limits,
                    unless: { cancellation.isRequested || said.read { $0.failure != nil } }
                ) { event in
                    face.show(event)
                    guard case .text = event, let text = event.words else { return }
                    face.clear()
                    // Stop listening if the program that reads the output has exited.
                    let failure =
                        wantsJSON ? nil : context.read { context in Self.failure { try context.print(text) } }
                    said.update { said in
                        said.texts.append(text)
                        said.failure = said.failure ?? failure
                    }
                    if failure != nil { dictation.stop() }
                }
            }
        } catch {
            face.end()
            throw CommandFailure(error)
        }
        face.end()
        let (texts, failure) = said.read { $0 }
        if let failure { throw failure }
        if wantsJSON {
            try context.read { context in
                try context.print(
                    try JSONText.line(
                        of: ListenResult(
                            text: texts.joined(separator: " "), confidence: nil, number: nil, name: nil, distance: nil,
                            ended: cancellation.isRequested ? "stopped" : ending.word)))
            }
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
            "Start speaking when \"Listening\" appears, or choose another microphone with -d."
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

    /// Creates the recording. Its file appears when it is complete.
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
    private func tell(_ heard: RecognizedSpeech) throws {
        if arguments[Options.json] {
            try context.print(
                try JSONText.line(
                    of: ListenResult(
                        text: heard.text, confidence: heard.confidence, number: heard.number, name: heard.name,
                        distance: heard.distance, ended: heard.ending.word)))
        }
        guard !heard.text.isEmpty else {
            if heard.ending == .nothingSaid { throw nothingSaid }
            throw CommandFailure(
                .inputMissing, "The speech was not recognized.",
                "Speak closer to the microphone, or choose another "
                    + "model with -m; `synthhost recognizers` lists the models.")
        }
        var answer = heard.text
        switch expected {
        case .freeform: break
        case .number:
            guard let number = heard.number else { throw mistaken("\"\(heard.text)\" is not a number.") }
            answer = Self.digits(number)
        case .names:
            guard let name = heard.name else { throw mistaken("\"\(heard.text)\" is not one of the names.") }
            answer = name
        }
        if !arguments[Options.json] { try context.print(answer) }
    }

    private func mistaken(_ message: String) -> CommandFailure {
        CommandFailure(.inputMissing, message, "Try again.")
    }

    /// Formats a number without unneeded decimals, such as "42" or "42.5".
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
