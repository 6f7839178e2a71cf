import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandParts
import SynthCommandSyntax
import SynthHost
import SynthListening
import SynthSentences
import SynthSystem
import SynthTerminal

/// `synthhost listen`: what is said into a microphone.
struct ListenCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        let inventory = host.inventory()
        // Microphone and recording are checked before a model is downloaded or loaded.
        let sink = try recording()
        let choice = try HearingAcquisition(context, arguments, inventory, cancellation).choose { _ in
            do throws(AudioError) {
                try context.devices.probeMicrophone(arguments[Options.microphone] ?? "default")
            } catch {
                throw CommandFailure(SpeechError(microphone: error))
            }
        }
        let face = ListeningFace(context, arguments)
        defer { face.end() }
        let isVerbose = arguments[Options.verbose]
        let dictation = inventory.dictation(
            by: choice, language: arguments[Options.spokenLanguage], expecting: expected,
            onLog: { line in if isVerbose { face.print(line) } })
        cancellation.setExitAction { dictation.end() }
        defer { dictation.end() }
        do { try sink?.begin(AudioFormat(sampleRate: Int(dictation.rate), channels: 1)) } catch {
            throw CommandFailure(error)
        }
        // From here on it can be stopped with care.
        cancellation.set {}
        let heard: HeardSpeech
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
        // The answer first: it is not to be lost with the recording.
        var failure: (any Error)?
        do { try tell(heard) } catch { failure = error }
        if let sink { try write(heard.recording, to: sink) }
        if let failure { throw failure }
    }

    private var limits: Listener.Limits {
        var limits = Listener.Limits()
        limits.timeout = arguments[Options.listenTimeout] ?? limits.timeout
        limits.inactivity = arguments[Options.listenSilence] ?? limits.inactivity
        return limits
    }

    private var expected: ExpectedSpeech {
        if arguments[Options.number] { return .number }
        return arguments[Options.names].map { .names($0) } ?? .freeform
    }

    /// The file of the recording. It gets its name when it is finished.
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
            // Nobody asked for half of it.
            if let half = sink.storedPath { unlink(half) }
            throw CommandFailure(error)
        }
    }

    /// The answer on standard output.
    private func tell(_ heard: HeardSpeech) throws {
        if arguments[Options.json] {
            try context.print(
                try JSONText.line(
                    of: ListenResult(
                        text: heard.text, confidence: heard.confidence, number: heard.number, name: heard.name,
                        distance: heard.distance, ended: heard.ending.word)))
        }
        guard !heard.text.isEmpty else {
            throw CommandFailure(
                .inputMissing,
                heard.ending == .nothingSaid ? "No speech was detected." : "The speech was not understood.",
                "Speak after \"Listening\" is shown; -d names another microphone.")
        }
        var answer = heard.text
        switch expected {
        case .freeform: break
        case .number:
            guard let number = heard.number else { throw mistaken("\"\(heard.text)\" is not a number.") }
            answer = Self.digits(number)
        case .names:
            guard let name = heard.name else { throw mistaken("\"\(heard.text)\" is none of the names.") }
            answer = name
        }
        if !arguments[Options.json] { try context.print(answer) }
    }

    private func mistaken(_ message: String) -> CommandFailure {
        CommandFailure(.inputMissing, message, "Try again.")
    }

    /// "42", "42.5"
    private static func digits(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

/// What is shown while a command listens: a word for each state, and a meter on a terminal.
private final class ListeningFace: Sendable {
    private let reporter: ProgressReporter
    private let wantsJSON: Bool
    private let isLive: Bool
    private let context: Monitor<CommandContext>
    private let label = Monitor("")

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        wantsJSON = arguments[Options.json]
        isLive = context.errors.style.isTerminal && !context.isPlain && !arguments[Options.quiet]
        reporter = context.reporter(json: false, quiet: arguments[Options.quiet] || wantsJSON)
        self.context = Monitor(context)
    }

    func print(_ line: String) { reporter.print(line) }

    func end() { reporter.end() }

    /// A state: its word for programs, and for people.
    func tell(_ word: String, _ words: String) {
        event(ListenEvent(state: word))
        label.update { $0 = words }
        if isLive { reporter.begin(words) } else if !wantsJSON { reporter.print(words) }
    }

    func show(_ event: Listener.Event) {
        switch event {
        case .listening: tell("listening", "Listening")
        case .speechBegins: self.event(ListenEvent(state: "speech"))
        case .level(let level):
            self.event(ListenEvent(level: (level.value * 10).rounded() / 10))
            guard isLive else { return }
            // 60 dB, from a quiet room to full scale.
            reporter.report(.fraction(max(0, min(1, (level.value + 60) / 60))), label: label.read { $0 })
        case .partial: self.event(ListenEvent(partial: event.words ?? ""))
        case .text: self.event(ListenEvent(text: event.words ?? ""))
        case .understanding: tell("understanding", "Understanding")
        case .detectorFails(let failure):
            let reason = failure.map { SpeechError($0).message } ?? "It gave no answer in time."
            self.event(ListenEvent(detectorFailed: reason))
            reporter.print(
                "Loudness tells where speech begins and ends, for the detector failed. \(reason)"
                    + " `synthhost recognizers` lists the detectors; `--verbose` shows what they log.")
        }
    }

    /// Who reads them has ended if this fails; what is heard goes on.
    private func event(_ event: ListenEvent) {
        guard wantsJSON, let line = try? JSONText.line(of: event) else { return }
        context.read { context in try? context.print(line) }
    }
}

/// A line of `listen --json` while it listens.
private struct ListenEvent: Encodable {
    var state: String?
    /// Decibels below full scale.
    var level: Double?
    var partial: String?
    var text: String?
    /// Why loudness tells from here on where speech begins and ends.
    var detectorFailed: String?
}

/// The last line of `listen --json`.
private struct ListenResult: Encodable {
    let text: String
    let confidence: Double?
    let number: Double?
    let name: String?
    let distance: Double?
    /// "silence", "timeout", "nothing said" or "understood".
    let ended: String
}

extension HeardSpeech.Ending {
    fileprivate var word: String {
        switch self {
        case .nothingSaid: "nothing said"
        case .silence: "silence"
        case .timeout: "timeout"
        case .understood: "understood"
        @unknown default: "\(self)"
        }
    }
}
