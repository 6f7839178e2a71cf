import SynthHost
import SynthSystem
import SynthTerminal

extension ChooserState {
    /// The screen for a terminal of this size: a title bar, the list or the help, the details and the tuning of the
    /// selected voice, a note, a status line, and a line of key bindings.
    func screen(columns: Int, rows: Int) -> TextScreen {
        var screen = TextScreen(columns: columns, rows: rows)
        let bottom = max(1, screen.rows - 5)
        drawBar(&screen)
        if showsHelp {
            screen.put(localized("Keys"), row: 1, column: 1, .bold)
            screen.putKeys(localizedKeys, from: firstKey, in: 2..<max(2, screen.rows - 2))
        } else {
            drawList(1..<bottom, &screen)
            if let row = selected {
                let isNarrow = !Widths(visible, columns: screen.columns - 5, localized).showsAll
                screen.put(details(row, isNarrow, screen.columns - 2), row: bottom, column: 1, .faint)
                screen.put(tuningLine(row, columns: screen.columns - 2), row: bottom + 1, column: 1)
            }
            if isTyping {
                screen.putInput(localized("Find: "), filter, row: bottom + 2)
            } else {
                screen.putNote(note, below: bottom + 2, most: max(1, screen.rows / 4))
            }
        }
        screen.put(stateLine(columns: screen.columns - 2), row: screen.rows - 2, column: 1, .bold)
        screen.put(
            TextScreen.fitting(helpKeys.map { localized($0) }, columns: screen.columns - 2, skips: true),
            row: screen.rows - 1, column: 1, .faint)
        return screen
    }

    private func drawBar(_ screen: inout TextScreen) {
        let title = localized(
            !filter.isEmpty
                ? "Voices: \(filter) (\(visible.count))" : showsAll ? "All \(visible.count) voices" : "Voices")
        let chosen =
            rows.first { $0.isChosen }.map { localized("Default: \($0.title)") } ?? localized("No default voice")
        let shown = DisplayWidth.truncate(CleanText.line(chosen), to: screen.columns * 3 / 5)
        let room = screen.columns - DisplayWidth.columns(shown) - 3
        screen.put(DisplayWidth.truncate(CleanText.line(title), to: room), row: 0, column: 1)
        screen.put(shown, row: 0, column: screen.columns - DisplayWidth.columns(shown) - 1)
        screen.style(row: 0, .reversed)
    }

    // MARK: - The list

    private func drawList(_ area: Range<Int>, _ screen: inout TextScreen) {
        let lines = lines
        guard !lines.isEmpty else {
            screen.put(localized("No voices match. Press Esc to clear the search."), row: area.lowerBound, column: 1)
            return
        }
        let widths = Widths(visible, columns: screen.columns - 5, localized)
        var (texts, headings, current) = ([String](), Set<Int>(), Int?.none)
        let key = selected?.key
        for line in lines {
            switch line {
            case .heading(let words):
                headings.insert(texts.count)
                texts.append(words)
            case .row(let row):
                if row.key == key { current = texts.count }
                texts.append(widths.text(row))
            }
        }
        screen.putList(texts, headings: headings, selected: current, in: area)
    }

    /// The column widths of the list. A narrow screen shows fewer columns.
    private struct Widths {
        private let title: Int
        private let language: Int
        private let gender: Int
        private let localized: PhraseBook
        let showsAll: Bool

        private static let quality = 8
        /// Wide enough for "100 bytes to download".
        private static let state = 21

        init(_ rows: [Row], columns: Int, _ localized: PhraseBook) {
            func widest(_ part: (Row) -> String) -> Int {
                rows.reduce(0) { max($0, DisplayWidth.columns(CleanText.line(part($1)))) }
            }
            self.localized = localized
            language = min(widest(\.language), 7)
            gender = max(7, min(widest(\.gender), 10))
            // Wide enough for "installed" or "63.2 MB".
            let shortState = max(10, DisplayWidth.columns(localized("installed")))
            let rest = language + gender + Self.quality + Self.state + 8
            showsAll = columns >= rest + 16
            let room = showsAll ? columns - rest : columns - shortState - 2
            title = max(8, min(widest(\.title) + 2, room))
        }

        func text(_ row: Row) -> String {
            let mark = row.isHidden ? "-" : row.isFavorite ? "+" : " "
            func column(_ text: String, _ width: Int) -> String {
                DisplayWidth.pad(DisplayWidth.truncate(CleanText.line(text), to: width), to: width + 2)
            }
            let name = column((row.isChosen ? "*" : mark) + " " + row.title, title)
            guard showsAll else { return name + row.shortStateWords(localized) }
            return name + column(row.language, language) + column(row.gender, gender)
                + column(row.quality, Self.quality) + row.stateWords
        }
    }

    // MARK: - Below the list

    /// - Parameter isNarrow: whether the list shows only the short state.
    private func details(_ row: Row, _ isNarrow: Bool, _ columns: Int) -> String {
        var marks: [String] = row.isChosen ? [localized("default voice")] : []
        if row.isFavorite { marks.append(localized("favorite")) }
        if row.isHidden { marks.append(localized("hidden")) }
        let parts =
            [isNarrow ? row.stateWords : "", row.language, row.gender, row.quality] + marks
            + [row.slowness == nil ? "" : localized("slow on this machine"), row.engine, row.license]
        return TextScreen.fitting(
            parts.filter { !$0.isEmpty }.map { CleanText.line($0) }, columns: columns, separator: " | ")
    }

    /// The values of the selected voice. Angle brackets mark the value that the keys change. If not all values fit,
    /// this one is shown first.
    private func tuningLine(_ row: Row, columns: Int) -> String {
        let profile = profile(of: row)
        func part(_ factor: Factor) -> String {
            let words = factor.words(profile[keyPath: factor.keyPath], localized)
            return localized(factor.word) + (factor == self.factor ? " <\(words)>" : " \(words)")
        }
        let line = Factor.allCases.map(part).joined(separator: "  ")
        guard DisplayWidth.columns(line) > columns else { return line }
        return TextScreen.fitting([factor, factor.next, factor.next.next].map(part), columns: columns, skips: true)
    }

    /// Phrases that describe the current activities.
    var stateWords: [String] {
        var parts: [String] = []
        switch sample {
        case .loading(let key): parts.append(localized("Loading \(title(key))"))
        case .playing(let key): parts.append(localized("Playing \(title(key))"))
        case nil: if download == nil { parts.append(localized("Ready")) }
        }
        if let download { parts.append(download.words) }
        if let row = selected, isTuned(row) { parts.append(localized("changes not saved")) }
        return parts.map { CleanText.line($0) }
    }

    private func stateLine(columns: Int) -> String {
        let parts = stateWords
        let line = TextScreen.fitting(parts, columns: columns, separator: " | ")
        return line.isEmpty ? DisplayWidth.truncate(parts.first ?? "", to: columns) : line
    }

    /// The useful key bindings, most important first.
    private var helpKeys: [Phrase] {
        if showsHelp { return ["Up/Down more", "Esc back"] }
        if isTyping { return ["Enter ok", "Esc clear", "Up/Down move"] }
        var keys: [Phrase] = []
        if download != nil { keys.append("Esc cancel") } else if sample != nil { keys.append("Esc stop") }
        switch selected?.state {
        case .missing where download?.key != selected?.key: keys.append("Enter download")
        case .installed: keys.append("Enter play")
        default: break
        }
        let others: [Phrase] = [
            "s save", "? keys", "q quit", showsAll ? "a short list" : "a all voices", "/ find",
            "Left/Right \(localized(factor.word))", "Tab \(localized(factor.next.word))", "f favorite", "h hide",
        ]
        return keys + others
    }
}

extension ChooserState.Row {
    /// The state as shown on a narrow screen, such as "installed" or "63.2 MB".
    fileprivate func shortStateWords(_ localized: PhraseBook) -> String {
        let words = stateWords.replacing(localized("\("") to download"), with: "")
        // Unlike the separator, a decimal comma is not followed by a space.
        return words.split(separator: ", ").first.map(String.init) ?? ""
    }
}
