import Engines
import ModelStore
import SynthAudio
import SynthHost
import Terminal

/// `synthhost setup`: from nothing to a natural voice with one question.
struct SetupCommand {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        Interruption.handle { cancellation.cancel() }
        let stock = try VoiceStock(context, arguments)
        guard let recommended = stock.directory.recommended else {
            throw CommandFailure(
                .unavailable, "No engine here has a voice to recommend.",
                "`synthhost engines list` shows the engines, `synthhost voices --all` all voices.")
        }
        let acquisition = VoiceAcquisition(context, arguments, stock, cancellation)
        guard let wanted = try ask(recommended, stock, acquisition, cancellation),
            let voice = try acquisition.acquire(wanted, isWanted: true)
        else { return say("Nothing was changed. `synthhost setup` asks again.") }
        // Only now that it is here: a choice that cannot speak would be worse than none.
        try VoiceMemory(context, arguments).choose(voice, word: stock.word(for: voice))
        say("\(voice.title) speaks from now on: synthhost speak \"Hello\"")
        let sample = VoiceSample(voice, stock)
        cancellation.set { sample.cancel() }
        do throws(SpeechFailure) {
            try sample.speak("Hello, I am \(voice.name). From now on I speak for you.")
        } catch {
            throw CommandFailure(error)
        }
    }

    private func ask(
        _ recommended: Voice, _ stock: VoiceStock, _ acquisition: VoiceAcquisition, _ cancellation: Cancellation
    ) throws(CommandFailure) -> Voice? {
        if arguments[Options.yes] { return recommended }
        let isHere = stock.condition(of: recommended).canSpeak
        let first = isHere ? "Take" : "Download"
        let answer = try Question(cancellation: cancellation).ask { prompt throws(PromptError) in
            try prompt.choose(
                "Which voice shall speak?",
                from: [
                    "\(first) \(VoiceLine.text(recommended, stock)) (recommended)", "Choose another voice",
                    "Skip: leave everything as it is",
                ], default: 0)
        }
        guard let answer else {
            throw CommandFailure(
                .usage, "There is no terminal to ask on.",
                "To take \(recommended.title) without a question, type: synthhost setup --yes")
        }
        switch answer {
        case 0: return recommended
        case 1:
            let others = stock.host.shownVoices(stock.directory).voices.filter {
                $0.folder != recommended.folder && stock.condition(of: $0) != .builtIn
            }
            guard !others.isEmpty else {
                throw CommandFailure(
                    .unavailable, "There is no other voice to begin with.",
                    "`synthhost voices --all` lists all; synthhost models pull VOICE gets one.")
            }
            return try acquisition.pick("Which one? `synthhost voices --all` lists more.", from: others)
        default: return nil
        }
    }

    private func say(_ line: String) {
        if !arguments[Options.quiet] { context.say(line) }
    }
}
