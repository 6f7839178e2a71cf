import Glibc
import SynthSystem
import SynthTerminal

/// The output and the keys of the reader: a screen, or plain lines for screen readers and pipes.
struct ReaderFace {
    private let context: CommandContext
    private let terminal: ScreenTerminal?
    /// The descriptor of the terminal, which must stay open.
    private let descriptor: Descriptor?
    let draws: Bool
    private let isQuiet: Bool

    /// - Parameters:
    ///   - draws: whether a screen is drawn if there is a terminal.
    init(_ context: CommandContext, draws: Bool, isQuiet: Bool, _ wake: WakeUp) {
        self.context = context
        self.isQuiet = isQuiet
        guard let keys = context.keyTerminal(),
            let terminal = try? ScreenTerminal(
                keys.descriptor.raw, draws: draws, guardsProcess: keys.isOfProcess, wake: wake)
        else {
            (descriptor, self.terminal, self.draws) = (nil, nil, false)
            return
        }
        (descriptor, self.terminal, self.draws) = (keys.descriptor, terminal, draws)
    }

    /// Whether the reader ends with the text, as a script expects.
    var endsWithText: Bool { !draws }
    var hasKeys: Bool { terminal != nil }

    var close: @Sendable () -> Void {
        { [terminal, descriptor] in withExtendedLifetime(descriptor) { terminal?.close() } }
    }

    func suspend() { terminal?.suspend() }

    func wait(_ timeout: Duration?, _ wake: WakeUp) -> ScreenTerminal.Input {
        if let terminal { return terminal.wait(timeout) }
        _ = try? Poll.wait([(wake.descriptor.raw, events: POLLIN)], timeout: timeout)
        wake.clear()
        return .nothing
    }

    /// - Parameter before: the state that was shown last; nil = none.
    func show(_ state: ReaderState, before: ReaderState?) throws {
        if draws, let terminal {
            let (columns, rows) = terminal.size
            try terminal.show(state.screen(columns: columns, rows: rows))
        } else {
            for line in state.plainLines(since: before) {
                switch line {
                case .sentence(let words): try context.print(words)
                case .message(let words): if !isQuiet { context.say(words) }
                case .typed(let words): try? context.errors.write(words)
                }
            }
        }
    }
}

/// A line of the reader without a screen.
package enum PlainLine: Equatable {
    /// A sentence whose playback begins.
    case sentence(String)
    case message(String)
    /// Characters that the user types, without a line break.
    case typed(String)
}

extension ReaderState {
    /// The lines that describe the changes since an earlier state.
    package func plainLines(since before: ReaderState?) -> [PlainLine] {
        var lines: [PlainLine] = []
        if phase != before?.phase, let words = phaseWords { lines.append(.message(words)) }
        if !note.isEmpty, note != before?.note { lines.append(.message(note)) }
        if let before, tempo != before.tempo { lines.append(.message("Tempo \(tempoWords).")) }
        if let list, list != before?.list {
            let isNew = list.kind != before?.list?.kind
            if isNew { lines.append(.message("\(list.title): Up and Down move, Enter chooses, Esc goes back.")) }
            let rows = list.kind == .help ? list.rows[...] : list.rows[list.selected...].prefix(1)
            if isNew || list.kind != .help { lines += rows.map { .message($0) } }
        }
        if let input {
            let old = before?.input?.text
            if let old, input.text.hasPrefix(old) {
                if input.text != old { lines.append(.typed(String(input.text.dropFirst(old.count)))) }
            } else {
                lines.append(.typed((old == nil ? "" : "\n") + input.prompt + input.text))
            }
        } else if before?.input != nil {
            lines.append(.typed("\n"))
        }
        if let text, phase == .speaking, before?.phase != .speaking && !wasTold(since: before) || before?.place != place
        {
            lines.append(.sentence(text.words(at: place)))
        }
        return lines
    }

    /// Whether the sentence was printed before a pause.
    private func wasTold(since before: ReaderState?) -> Bool {
        guard let before else { return false }
        return before.place == place && before.hasSpoken
    }

    private var phaseWords: String? {
        switch phase {
        case .opening, .speaking: nil
        case .failed(let why): why
        case .voiceMissing: news
        case .loading, .ready, .downloading, .paused, .buffering, .finished: "\(phase.word)."
        }
    }
}
