import SynthSystem
import SynthTerminal

extension ScreenInterface {
    /// Whether the reader exits at the end of the text, as a script would expect.
    var endsWithText: Bool { !draws }

    /// - Parameter before: the previously shown state, or nil the first time.
    func show(_ state: ReaderState, before: ReaderState?) throws {
        if draws { return try show { state.screen(columns: $0, rows: $1) } }
        for line in state.plainLines(since: before) {
            switch line {
            case .sentence(let words): try context.print(words)
            case .message(let words): if !isQuiet { context.printMessage(words) }
            case .typed(let words): try? context.errors.write(words)
            }
        }
    }
}

/// A line of output for a reader without a screen.
enum PlainLine: Equatable {
    /// A sentence that starts to play.
    case sentence(String)
    case message(String)
    /// Characters typed by the user, without a line break.
    case typed(String)
}

extension ReaderState {
    /// The lines that describe the changes from an earlier state.
    func plainLines(since before: ReaderState?) -> [PlainLine] {
        var lines: [PlainLine] = []
        // Report buffering only once per sentence, even if playback runs out of audio many times.
        let isKnown = phase == .buffering && bufferedAt == before?.bufferedAt
        if phase != before?.phase, !isKnown, let words = phaseWords { lines.append(.message(words)) }
        if !note.isEmpty, note != before?.note { lines.append(.message(note)) }
        if let before, tempo != before.tempo { lines.append(.message(localized("Tempo \(tempoWords)."))) }
        if let list, list != before?.list {
            let isNew = list.kind != before?.list?.kind
            if isNew, list.kind != .help {
                lines.append(
                    .message(localized("\(list.title): press Up or Down to move, Enter to choose, or Esc to go back.")))
            }
            let rows = list.kind == .help ? list.rows[...] : list.rows[list.selected...].prefix(1)
            if isNew || list.kind != .help { lines += rows.map { .message($0) } }
        }
        if let input {
            let old = before?.input?.text
            if let old, input.text.hasPrefix(old) {
                if input.text != old { lines.append(.typed(String(input.text.dropFirst(old.count)))) }
            } else {
                lines.append(.typed((old == nil ? "" : "\n") + localized(input.prompt) + input.text))
            }
        } else if before?.input != nil {
            lines.append(.typed("\n"))
        }
        // A sentence that resumes after a pause has already been printed.
        if let text, phase == .speaking, before?.spoken != spoken { lines.append(.sentence(text.words(at: place))) }
        return lines
    }

    private var phaseWords: String? {
        switch phase {
        case .opening, .speaking: nil
        case .failed(let why): why
        // The note is printed on its own line.
        case .voiceMissing: note.isEmpty ? status : nil
        case .loading, .ready, .downloading, .paused, .buffering, .finished: "\(localized(phase.word))."
        }
    }
}
