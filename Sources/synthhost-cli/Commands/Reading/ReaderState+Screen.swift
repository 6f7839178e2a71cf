import SynthDocuments
import SynthSystem
import SynthTerminal

extension ReaderState {
    /// The screen for a terminal of this size: a title bar, the text or a list, a line for the note or the progress, a
    /// status line, and a line of key bindings.
    func screen(columns: Int, rows: Int) -> TextScreen {
        var screen = TextScreen(columns: columns, rows: rows)
        let bottom = max(1, screen.rows - 3)
        drawBar(&screen)
        if let list {
            draw(list, 1..<bottom, &screen)
        } else if let text {
            drawText(text, 1..<bottom, &screen)
        } else if case .failed = phase {
            // The note shows the error.
        } else {
            screen.put(localized("\(localized(phase.word)) \(name) ..."), row: min(2, bottom - 1), column: 1)
        }
        drawStatus(bottom, &screen)
        screen.put(stateLine(columns: screen.columns), row: bottom + 1, column: 1, .bold)
        screen.put(help(columns: screen.columns - 2), row: bottom + 2, column: 1, .faint)
        return screen
    }

    private func drawBar(_ screen: inout TextScreen) {
        let chapter = text.flatMap { text in
            text.chapters.isEmpty ? nil : text.chapters[text.chapter(of: place.block)].title
        }
        let title = text?.title ?? name
        let words = chapter.map { $0 == title ? title : "\(title): \($0)" } ?? title
        let voice = DisplayWidth.truncate(CleanText.line(voice), to: screen.columns / 3)
        let room = screen.columns - DisplayWidth.columns(voice) - 3
        screen.put(DisplayWidth.truncate(CleanText.line(words), to: room), row: 0, column: 1)
        screen.put(voice, row: 0, column: screen.columns - DisplayWidth.columns(voice) - 1)
        screen.style(row: 0, .reversed)
    }

    // MARK: - The text

    /// A line of text on the screen, as a byte range in a block.
    private struct Line {
        let block: Int
        let range: Range<Int>
    }

    /// Keeps the current line a third of the way down the screen, so that the user can read ahead.
    private func drawText(_ text: ReadText, _ rows: Range<Int>, _ screen: inout TextScreen) {
        guard !rows.isEmpty, let sentence = text.range(of: place) else { return }
        let width = min(screen.columns - 2, 76)
        let focus = word.flatMap { sentence.contains($0.lowerBound) ? $0.lowerBound : nil } ?? sentence.lowerBound
        let own = Self.lines(text, place.block, width, around: focus)
        let current = own.lastIndex { $0.range.lowerBound <= focus } ?? 0
        var lines = Array(own[current...])
        var block = place.block + 1
        while lines.count < rows.count, block < text.blocks.count {
            lines.append(Line(block: block, range: 0..<0))
            lines += Self.lines(text, block, width, around: 0)
            block += 1
        }
        var before = Array(own[..<current])
        block = place.block - 1
        let room = max(rows.count / 3, rows.count - lines.count)
        while before.count < room, block >= 0 {
            let size = text.blocks[block].text.utf8.count
            before = Self.lines(text, block, width, around: size) + [Line(block: block, range: 0..<0)] + before
            block -= 1
        }
        // Near the end of the text, there is room for more lines above the current one.
        let above = before.suffix(room)
        for (row, line) in zip(rows, Array(above) + lines) {
            draw(line, of: text, row, line.block == place.block ? sentence : 0..<0, &screen)
        }
    }

    private func draw(_ line: Line, of text: ReadText, _ row: Int, _ sentence: Range<Int>, _ screen: inout TextScreen) {
        let spoken = word ?? 0..<0
        let isHeading = if case .heading(_) = text.blocks[line.block].kind { true } else { false }
        var (column, byte) = (1, line.range.lowerBound)
        for character in ReadText.part(line.range, of: text.blocks[line.block].text) {
            var style: TextScreen.Style = isHeading ? .underlined : []
            if sentence.contains(byte) { style.formUnion(.bold) }
            if sentence.contains(byte), spoken.contains(byte) { style.formUnion(.reversed) }
            column = screen.put(String(character), row: row, column: column, style)
            byte += character.utf8.count
        }
    }

    /// For a long block, the number of bytes to lay out before and after the current word.
    private static let reach = (before: 2_000, after: 8_000)

    /// Wraps a block into lines, at spaces if possible.
    private static func lines(_ text: ReadText, _ block: Int, _ width: Int, around focus: Int) -> [Line] {
        let bytes = text.blocks[block].text.utf8
        // The start moves in steps, because otherwise the line breaks would change with each word.
        var start = max(0, focus / reach.before - 1) * reach.before
        for byte in bytes.dropFirst(start) {
            if byte & 0xC0 != 0x80 { break }
            start += 1
        }
        let part = ReadText.part(start..<max(start, min(bytes.count, focus + reach.after)), of: text.blocks[block].text)
        var lines: [Line] = []
        var (begin, byte, column) = (start, start, 0)
        var space: (byte: Int, column: Int)?
        func end(at last: Int, next: Int) {
            lines.append(Line(block: block, range: begin..<last))
            begin = next
        }
        for character in part {
            let (size, columns) = (character.utf8.count, DisplayWidth.columns(character))
            if character == "\n" {
                end(at: byte, next: byte + size)
                (column, space) = (0, nil)
            } else {
                if column + columns > width, character != " " {
                    if let last = space {
                        end(at: last.byte, next: last.byte + 1)
                        column -= last.column + 1
                    } else {
                        end(at: byte, next: byte)
                        column = 0
                    }
                    space = nil
                }
                if character == " " { space = (byte, column) }
                column += columns
            }
            byte += size
        }
        if begin < byte || lines.isEmpty { end(at: byte, next: byte) }
        return lines
    }

    // MARK: - Lists and state

    private func draw(_ list: List, _ rows: Range<Int>, _ screen: inout TextScreen) {
        screen.put(list.title, row: rows.lowerBound, column: 1, .bold)
        if list.kind == .help {
            screen.putKeys(localizedKeys, from: list.selected, in: rows.dropFirst(2))
        } else {
            screen.putList(list.rows, selected: list.selected, in: rows.dropFirst(2))
        }
    }

    private func drawStatus(_ row: Int, _ screen: inout TextScreen) {
        if let input {
            screen.putInput(localized(input.prompt), input.text, row: row)
        } else if let words = status {
            screen.putNote(words, below: row, most: max(1, screen.rows / 4))
        } else if text != nil {
            let room = max(0, screen.columns - 2)
            let done = Int((Double(room) * progress).rounded(.down))
            screen.put(String(repeating: "=", count: done), row: row, column: 1, .bold)
            screen.put(String(repeating: "-", count: room - done), row: row, column: 1 + done, .faint)
        }
    }

    /// The note to show, or nil if there is none.
    var status: String? {
        if !note.isEmpty { return note }
        switch phase {
        case .failed(let why): return why
        case .voiceMissing:
            return offer.map { localized("\($0.voice) is not downloaded (\($0.size)). Press d to download it.") }
        default: return nil
        }
    }

    private func stateLine(columns: Int) -> String {
        // On a narrow screen, the parts with the highest rank numbers are omitted.
        var parts = [(words: localized(phase.word), rank: 0)]
        if text != nil {
            parts.append((HumanReadable.percentage(progress, in: localized), 1))
            if let timeLeft { parts.append((HumanReadable.timeLeft(timeLeft, in: localized), 4)) }
            parts.append((localized("tempo \(tempoWords)"), 5))
        }
        switch sleep {
        case .at(let time): parts.append((localized("sleep \(Int(((time - now) / 60).rounded(.up))) min"), 3))
        case .chapter: parts.append((localized("sleep: chapter"), 3))
        case nil: break
        }
        if let downloadedPercent { parts.append((localized("downloading \(downloadedPercent)%"), 2)) }
        if let savedPercent { parts.append((localized("saving \(savedPercent)%"), 2)) }
        while true {
            let line = parts.map(\.words).joined(separator: " | ")
            let last = parts.indices.max { parts[$0].rank < parts[$1].rank }
            guard parts.count > 1, DisplayWidth.columns(line) > columns - 2, let last else { return line }
            parts.remove(at: last)
        }
    }

    /// The tempo with one decimal place.
    var tempoWords: String {
        let tenths = Int((tempo * 10).rounded())
        return localized(number: "\(tenths / 10).\(tenths % 10)")
    }

    /// The most important key bindings, as many as fit.
    private func help(columns: Int) -> String {
        let keys: [Phrase]
        if input != nil {
            keys = ["Enter ok", "Esc back", "Ctrl-U clear"]
        } else if let list {
            keys = list.kind == .help ? ["Up/Down more", "Esc back"] : ["Up/Down move", "Enter choose", "Esc back"]
        } else {
            let first: Phrase
            switch phase {
            case .voiceMissing: first = "d download"
            case .failed: first = "Space try again"
            case .finished: first = "Space again"
            case .paused, .ready: first = "Space resume"
            default: first = "Space pause"
            }
            keys = [
                first, "? keys", "q quit", "t contents", "[ ] tempo", "v voice", "/ search", "Left/Right sentence",
                "Up/Down 10 s", "b bookmark", "z sleep", "o save",
            ]
        }
        return TextScreen.fitting(keys.map { localized($0) }, columns: columns, skips: true)
    }
}
