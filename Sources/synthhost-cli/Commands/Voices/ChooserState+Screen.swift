import SynthHost
import SynthSystem
package import SynthTerminal

extension ChooserState {
    /// The screen for a terminal of this size: a title bar, the list or the help, the details and the tuning of the selected voice, a note,
    /// a line with the state, and a line with the keys.
    package func screen(columns: Int, rows: Int) -> TextScreen {
        var screen = TextScreen(columns: columns, rows: rows)
        let bottom = max(1, screen.rows - 5)
        drawBar(&screen)
        if showsHelp {
            let lines = Self.keys.map { DisplayWidth.pad($0.key, to: 13) + $0.meaning }
            screen.put("Keys", row: 1, column: 1, .bold)
            screen.putList(lines, selected: nil, in: 2..<max(2, screen.rows - 2))
        } else {
            drawList(1..<bottom, &screen)
            if let row = selected {
                let isNarrow = !Widths(visible, columns: screen.columns - 5).showsAll
                screen.put(Self.details(row, isNarrow, screen.columns - 2), row: bottom, column: 1, .faint)
                screen.put(tuningLine(row), row: bottom + 1, column: 1)
            }
            if isTyping {
                screen.putInput("Find: ", filter, row: bottom + 2)
            } else {
                screen.putNote(note, below: bottom + 2, most: max(1, screen.rows / 4))
            }
        }
        screen.put(stateLine(columns: screen.columns - 2), row: screen.rows - 2, column: 1, .bold)
        screen.put(
            TextScreen.fitting(helpKeys, columns: screen.columns - 2), row: screen.rows - 1, column: 1, .faint)
        return screen
    }

    private func drawBar(_ screen: inout TextScreen) {
        let title =
            !filter.isEmpty
            ? "Voices: \(filter) (\(visible.count))" : showsAll ? "All \(visible.count) voices" : "Voices"
        let chosen = rows.first { $0.isChosen }.map { "Default: \($0.title)" } ?? "No default voice"
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
            screen.put("No voice matches. Esc clears the search.", row: area.lowerBound, column: 1)
            return
        }
        let widths = Widths(visible, columns: screen.columns - 5)
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

    /// The widths of the columns of the list. A narrow screen shows fewer columns.
    private struct Widths {
        private let title: Int
        private let language: Int
        let showsAll: Bool

        private static let gender = 7
        private static let quality = 8
        /// Enough for "100 bytes to download".
        private static let state = 21
        /// Enough for "installed" or "63.2 MB".
        private static let shortState = 10

        init(_ rows: [Row], columns: Int) {
            func widest(_ part: (Row) -> String) -> Int {
                rows.reduce(0) { max($0, DisplayWidth.columns(CleanText.line(part($1)))) }
            }
            language = min(widest(\.language), 7)
            let rest = language + Self.gender + Self.quality + Self.state + 8
            showsAll = columns >= rest + 16
            let room = showsAll ? columns - rest : columns - Self.shortState - 2
            title = max(8, min(widest(\.title) + 2, room))
        }

        func text(_ row: Row) -> String {
            let mark = row.isHidden ? "-" : row.isFavourite ? "+" : " "
            func column(_ text: String, _ width: Int) -> String {
                DisplayWidth.pad(DisplayWidth.truncate(CleanText.line(text), to: width), to: width + 2)
            }
            let name = column((row.isChosen ? "*" : mark) + " " + row.title, title)
            guard showsAll else { return name + row.shortStateWords }
            return name + column(row.language, language) + column(row.gender, Self.gender)
                + column(row.quality, Self.quality) + row.stateWords
        }
    }

    // MARK: - Below the list

    /// - Parameter isNarrow: whether the list shows only the short state.
    private static func details(_ row: Row, _ isNarrow: Bool, _ columns: Int) -> String {
        var marks: [String] = row.isChosen ? ["default voice"] : []
        if row.isFavourite { marks.append("favourite") }
        if row.isHidden { marks.append("hidden") }
        let parts =
            [isNarrow ? row.stateWords : "", row.language, row.gender, row.quality] + marks
            + [row.slowness.map { _ in "slow on this machine" } ?? "", row.engine, row.licence]
        return TextScreen.fitting(
            parts.filter { !$0.isEmpty }.map { CleanText.line($0) }, columns: columns, separator: " | ")
    }

    /// The values of the selected voice. Angle brackets mark the value that the keys change.
    private func tuningLine(_ row: Row) -> String {
        let profile = profile(of: row)
        return Factor.allCases.map { factor in
            let words = factor.words(profile[keyPath: factor.keyPath])
            return factor == self.factor ? "\(factor.rawValue) <\(words)>" : "\(factor.rawValue) \(words)"
        }.joined(separator: "  ")
    }

    /// The current activities, as phrases.
    package var stateWords: [String] {
        var parts: [String] = []
        switch sample {
        case .loading(let key): parts.append("Loading \(title(key))")
        case .playing(let key): parts.append("Playing \(title(key))")
        case nil: if download == nil { parts.append("Ready") }
        }
        if let download { parts.append(download.words) }
        if let row = selected, isTuned(row) { parts.append("tuning not saved") }
        return parts.map { CleanText.line($0) }
    }

    private func stateLine(columns: Int) -> String {
        let parts = stateWords
        let line = TextScreen.fitting(parts, columns: columns, separator: " | ")
        return line.isEmpty ? DisplayWidth.truncate(parts.first ?? "", to: columns) : line
    }

    /// The useful keys, in order of importance.
    private var helpKeys: [String] {
        if showsHelp { return ["Any key goes back"] }
        if isTyping { return ["Enter ok", "Esc clear", "Up/Down move"] }
        var keys: [String] = []
        if download != nil { keys.append("Esc cancel") } else if sample != nil { keys.append("Esc stop") }
        switch selected?.state {
        case .missing where download?.key != selected?.key: keys.append("Enter download")
        case .installed: keys.append("Enter play")
        default: break
        }
        return keys + [
            "s save", "? keys", "q quit", showsAll ? "a short list" : "a all voices", "/ find",
            "Left/Right \(factor.rawValue)", "Tab \(factor.next.rawValue)", "f favourite", "h hide",
        ]
    }
}

extension ChooserState.Row {
    /// The state for a narrow screen, such as "installed" or "63.2 MB".
    fileprivate var shortStateWords: String {
        String(stateWords.replacing(" to download", with: "").prefix { $0 != "," })
    }
}
