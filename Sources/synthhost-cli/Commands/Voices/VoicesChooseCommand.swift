import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost voices choose`: chooses the default voice.
struct VoicesChooseCommand: Command {
    let context: CommandContext

    func run() throws {
        let cancellation = context.cancellation()
        // Here, --engine limits the voices. It does not override the configured engine.
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        guard let name = arguments.positionals.first else {
            return try pick(host, cancellation)
        }
        let library = try context.library(of: host.snapshot())
        let acquisition = VoiceAcquisition(
            context: context, library: library, cancellation: cancellation, localized: context.localized)
        let choice = try library.choice(name, engine: arguments[Options.ofEngine])
        if choice.isBlend || choice.speaker != nil { return try choose(choice, as: name, acquisition) }
        guard let voice = try acquisition.acquire(choice.voice) else { return }
        try context.changedConfiguration.choose(library.stableName(for: voice), of: voice.engine)
        tell(voice.title)
    }

    private func tell(_ title: String) {
        context.printNote(context.localized("\(title) is now the default voice."))
    }

    /// Saves a blend, or a voice with a speaker, in the form typed by the user.
    private func choose(
        _ choice: VoiceChoice, as name: String, _ acquisition: VoiceAcquisition
    ) throws {
        for share in choice.shares {
            guard let voice = try acquisition.acquire(share.voice) else { return }
            guard voice.folder == share.voice.folder else {
                throw CommandFailure(
                    .unavailable, "The voice \(share.voice.title) was not downloaded, so nothing was chosen.",
                    "To choose the other voice, type: synthhost voices choose \(ShellWord.quoted(voice.id))")
            }
        }
        try context.changedConfiguration.choose(name, of: choice.voice.engine)
        tell(choice.title)
    }

    /// Lets the user choose a voice on a screen or with numbered questions.
    private func pick(_ host: SpeechHost, _ cancellation: Cancellation) throws {
        let wait = ShownWait(context, context.localized("Checking engines and voices"))
        let library = try context.library(of: host.snapshot())
        let voices = ChooserVoices(
            host, context.configurationFile, library, engine: arguments[Options.ofEngine],
            context.localized)
        let rows = context.errors.style.isTerminal ? voices.rows() : []
        wait.end()
        guard !rows.isEmpty else {
            throw CommandFailure(
                .usage, "No voice was specified.",
                "Choose a voice listed by `synthhost voices`, then type: synthhost voices choose VOICE")
        }
        defer { host.abandonEngines() }
        if context.canDraw {
            let chooser = try Chooser(context, voices, rows, cancellation)
            if chooser.canRun {
                if let voice = try chooser.run() { tell(voice.title) }
                return
            }
        }
        let acquisition = VoiceAcquisition(
            context: context, library: library, cancellation: cancellation, localized: context.localized)
        var questions = ChooserQuestions(context, voices, rows, acquisition, cancellation)
        if let voice = try questions.run() { tell(voice.title) }
    }
}

/// The chooser as numbered questions, for screen readers and simple terminals.
struct ChooserQuestions {
    private let context: CommandContext
    private let voices: ChooserVoices
    private let acquisition: VoiceAcquisition
    private let cancellation: Cancellation
    private let question: Question
    private let localized: PhraseBook
    private let player: SamplePlayer
    private let failure = Monitor<SpeechError?>(nil)
    private var state: ChooserState

    init(
        _ context: CommandContext, _ voices: ChooserVoices, _ rows: [ChooserState.Row],
        _ acquisition: VoiceAcquisition, _ cancellation: Cancellation
    ) {
        (self.context, self.voices, self.acquisition) = (context, voices, acquisition)
        self.cancellation = cancellation
        localized = context.localized
        question = Question(context: context, cancellation: cancellation, localized: context.localized)
        state = ChooserState(rows, context.localized)
        player = voices.player(context.devices) { [failure] _, update in
            if case .failed(let error) = update { failure.update { $0 = error } }
        }
    }

    /// Blocks until the user saves a voice or quits.
    ///
    /// - Returns: the new default voice, or nil if nothing was saved.
    mutating func run() throws -> Voice? {
        defer { player.close() }
        while let row = try pick() {
            if let voice = try use(row.key) { return voice }
        }
        return nil
    }

    /// Shows the list and lets the user select a voice. Returns nil if the user declines.
    private mutating func pick() throws -> ChooserState.Row? {
        var showsList = true
        for _ in 0..<Self.maximumQuestions {
            let visible = state.visible
            let list = showsList ? numbered(visible) : []
            showsList = true
            let other = localized(state.showsAll ? "a for the short list" : "a for all voices")
            let words = localized("1-\(visible.count) for a voice, \(other), /WORD to find voices, Enter to quit:")
            guard let answer = try question.ask({ prompt in try prompt.line(words, after: list) }) else { return nil }
            if answer.isEmpty { return nil }
            if answer == "a" {
                (state.showsAll, state.filter) = (!state.showsAll, "")
            } else if answer.hasPrefix("/") {
                state.filter = String(answer.dropFirst())
            } else if let number = Int(answer), visible.indices.contains(number - 1) {
                return visible[number - 1]
            } else if let row = visible.first(where: { $0.title.lowercased() == answer.lowercased() }) {
                return row
            } else {
                context.printMessage(localized("Please enter a number from 1 to \(visible.count)."))
                showsList = false
            }
        }
        return nil
    }

    private static let maximumQuestions = 1000

    private func numbered(_ visible: [ChooserState.Row]) -> [String] {
        let digits = String(visible.count).count
        var number = 0
        let lines = state.lines.map { line in
            switch line {
            case .heading(let words): return words + ":"
            case .row(let row):
                number += 1
                return "  \(DisplayWidth.pad(String(number), to: digits, trailing: false))  \(words(row))"
            }
        }
        return lines.isEmpty ? [localized("No voices match.")] : lines
    }

    private func words(_ row: ChooserState.Row) -> String {
        let marks = [
            row.isChosen ? localized("default") : "", row.isFavorite ? localized("favorite") : "",
            row.isHidden ? localized("hidden") : "",
        ]
        return ([row.title, row.language, row.gender, row.quality, row.stateWords] + marks)
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    // MARK: - One voice

    private enum Action {
        case save, play, favorite, hide, back
        case tune(ChooserState.Factor)
    }

    /// Offers the actions for a voice. Returns the voice if it was saved, or nil to go back to the list.
    private mutating func use(_ key: String) throws -> Voice? {
        while let row = state.row(key) {
            let profile = state.profile(of: row)
            var actions: [(Phrase, Action)] = [("Make it the default voice", .save), ("Play a sample", .play)]
            for factor in ChooserState.Factor.allCases {
                let value = factor.words(profile[keyPath: factor.keyPath], localized)
                actions.append(("Change the \(localized(factor.word)), now \(value)", .tune(factor)))
            }
            actions.append((row.isFavorite ? "Remove it from the favorites" : "Make it a favorite", .favorite))
            actions.append((row.isHidden ? "Show it in lists" : "Hide it from lists", .hide))
            actions.append(("Back to the list", .back))
            let choices = actions.map { localized($0.0) }
            let heading = "\(words(row)):"
            let answer = try question.ask { prompt in try prompt.choose(heading, from: choices, default: 0) }
            guard let answer, let index = answer else { return nil }
            do {
                switch actions[index].1 {
                case .back: return nil
                case .save:
                    guard let voice = try acquire(key) else { continue }
                    try voices.save(voice.key, state.row(voice.key).map { state.profile(of: $0) } ?? VoiceProfile())
                    return voice
                case .play: if let voice = try acquire(key) { try play(voice.key) }
                case .tune(let factor): try tune(row, factor)
                case .favorite: try change(.list(.favorites, !row.isFavorite), key)
                case .hide: try change(.list(.hidden, !row.isHidden), key)
                }
            } catch {
                let failure = CommandFailure(error)
                guard failure.code != .interrupted else { throw failure }
                context.report(failure)
            }
        }
        return nil
    }

    /// Downloads a voice if it is missing and the user agrees.
    private mutating func acquire(_ key: String) throws -> Voice? {
        guard let wanted = voices.voice(key), let voice = try acquisition.acquire(wanted) else { return nil }
        if let row = voices.row(voice.key) { _ = state.take(.changed(row)) }
        return voice
    }

    private func play(_ key: String) throws {
        guard let row = state.row(key) else { return }
        failure.update { $0 = nil }
        cancellation.during({ [player] in player.stop() }) {
            player.play(voices.order(key, state.profile(of: row)))
            player.waitForEnd()
        }
        if let error = failure.read({ $0 }) { throw error }
    }

    private mutating func tune(_ row: ChooserState.Row, _ factor: ChooserState.Factor) throws {
        let name = localized(factor.word)
        let (one, other) = factor == .volume ? ("50%", "-6dB") : factor == .rate ? ("1.2", "+20%") : ("1.1", "+2st")
        let words = localized("The \(name), such as \(localized(number: one)) or \(other):")
        let answer = try question.ask { prompt in try prompt.line(words) }
        guard let answer, !answer.isEmpty else { return }
        guard let value = factor.factor.value(of: localized.plain(number: answer)) else {
            return context.printMessage("The \(factor.rawValue) must be \(factor.factor.expectation).")
        }
        var profile = state.profile(of: row)
        profile[keyPath: factor.keyPath] = value == 1 ? nil : value
        state.drafts[row.key] = profile
        if row.state == .installed { try play(row.key) }
    }

    private mutating func change(_ change: PreferenceChange, _ key: String) throws {
        try voices.change(change, key)
        if let row = voices.row(key) { _ = state.take(.changed(row)) }
    }
}
