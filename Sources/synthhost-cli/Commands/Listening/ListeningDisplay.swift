import SynthAudio
import SynthCommandSyntax
import SynthHost
import SynthListening
import SynthSystem
import SynthTerminal

/// Shows the listening state and, on a terminal, a level meter.
final class ListeningDisplay: Sendable {
    private let reporter: ProgressReporter
    private let wantsJSON: Bool
    private let isLive: Bool
    private let context: Monitor<CommandContext>
    private let label = Monitor("")

    init(_ context: CommandContext) {
        wantsJSON = context.arguments[Options.json]
        isLive = context.errors.style.isTerminal && !context.isPlain && !context.arguments[Options.quiet]
        reporter = context.reporter(quiet: wantsJSON)
        self.context = Monitor(context)
    }

    func print(_ line: String) { reporter.print(line) }

    func end() { reporter.end() }

    /// Hides the meter until the next state change.
    func clear() { reporter.clear() }

    /// Shows a state: `word` in JSON output, or `words` in human-readable output.
    func tell(_ word: String, _ words: String) {
        event(["state": word])
        label.update { $0 = words }
        if isLive { reporter.begin(words) } else if !wantsJSON { reporter.print(words) }
    }

    func show(_ event: Listener.Event) {
        switch event {
        case .listening: tell("listening", "Listening")
        case .speechBegins: self.event(["state": "speech"])
        case .level(let level):
            self.event(["level": (level.value * 10).rounded() / 10])
            guard isLive else { return }
            // The meter spans 60 dB, from a quiet room to full scale.
            reporter.report(.fraction(max(0, min(1, (level.value + 60) / 60))), label: label.read { $0 })
        case .partial: self.event(["partial": event.words ?? ""])
        case .text: self.event(["text": event.words ?? ""])
        case .understanding: tell("understanding", "Transcribing")
        case .recognizerFails(let failure):
            let reason = failure.message
            self.event(["recognizerFailed": reason])
            reporter.print("The last words were lost. \(reason) Listening continues.")
        case .detectorFails(let failure):
            let reason = failure.map { SpeechError($0).message } ?? "The detector did not respond in time."
            self.event(["detectorFailed": reason])
            reporter.print(
                "The speech detector failed, so speech is detected by its volume. \(reason) `synthhost recognizers` lists the detectors; "
                    + "`--verbose` shows their logs.")
        }
    }

    /// Prints an event. Transcription continues even after the program that reads the output has exited.
    private func event(_ event: JSONMembers) {
        if wantsJSON { context.read { context in try? context.print(json: event) } }
    }
}
