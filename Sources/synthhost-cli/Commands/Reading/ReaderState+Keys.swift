import SynthSystem
import SynthTerminal

extension ReaderState {
    /// The keys and their effects, for the help.
    static let keys: [(key: String, meaning: String)] = [
        ("Space", "pause or resume"),
        ("[ ]", "slower, faster; = resets the tempo"),
        ("t", "show the table of contents"),
        ("v", "choose a different voice"),
        ("Left, Right", "previous sentence, next sentence"),
        ("Up, Down", "ten seconds back, ten seconds forward"),
        ("/", "search; n finds the next match"),
        ("PgUp, PgDn", "previous paragraph, next paragraph"),
        ("Home, End", "start of the chapter, next chapter"),
        ("b", "set or remove a bookmark; B lists them"),
        ("z", "sleep timer: 15, 30 or 60 minutes, or the end of the chapter"),
        ("o", "save the remaining text as an audio file"),
        ("d", "download the voice if it is missing"),
        ("?", "show these keys"),
        ("q", "quit; the position is saved"),
    ]

    /// The keys and their effects in the user's language.
    var localizedKeys: [(key: String, meaning: String)] {
        Self.keys.map { (localized(Phrase(key: $0.key)), localized(Phrase(key: $0.meaning))) }
    }

    mutating func press(_ key: Key) -> [Effect] {
        note = ""
        if key == .control("c") { return [.remember, .interrupt] }
        if key == .control("z") { return [.suspend] }
        if input != nil { return type(key) }
        if list != nil { return pick(key) }
        let wantedToQuit = wantsToQuit
        wantsToQuit = false
        switch key {
        case .character("q"):
            guard let savedPercent, !wantedToQuit else { return [.remember, .quit] }
            wantsToQuit = true
            note = localized("\(savedPercent)% has been saved. Press q again to stop saving and quit.")
        case .character("?"), .character("h"):
            let keys = localizedKeys
            let width = keys.reduce(0) { max($0, DisplayWidth.columns($1.key)) } + 2
            let rows = keys.map { DisplayWidth.pad($0.key, to: width) + $0.meaning }
            list = List(kind: .help, title: localized("Keys"), rows: rows, selected: 0)
        case .character("v"): return [.listVoices]
        case .character("d"):
            if offer != nil, downloadedPercent == nil { return [.download] }
            note = localized(
                offer == nil
                    ? "The voice is already installed. Press v to choose a different one."
                    : "The voice is being downloaded.")
        case .escape:
            if savedPercent != nil { return [.stopSaving] }
        default: return move(key)
        }
        return []
    }

    // MARK: - In the text

    mutating func move(_ key: Key) -> [Effect] {
        guard let text else { return [] }
        switch key {
        case .character(" "), .enter: return toggle()
        case .right: return go(to: text.after(place), orSay: "This is the last sentence.")
        case .left: return go(to: text.before(place), orSay: "This is the first sentence.")
        case .up: return skip(-10)
        case .down: return skip(10)
        case .pageDown: return go(to: text.firstSentence(from: place.block + 1), orSay: "This is the last paragraph.")
        case .pageUp: return go(to: text.paragraph(before: place), orSay: "This is the first paragraph.")
        case .home: return go(to: start(of: text.chapter(of: place.block)), orSay: "")
        case .end: return go(to: start(of: text.chapter(of: place.block) + 1), orSay: "This is the last chapter.")
        case .character("]"): return change(tempo: tempo + 0.1)
        case .character("["): return change(tempo: tempo - 0.1)
        case .character("="): return change(tempo: 1)
        case .character("t"): list = contents(text, selected: text.chapter(of: place.block))
        case .character("/"): input = Input(kind: .search, text: "")
        case .character("n"):
            if searched.isEmpty { input = Input(kind: .search, text: "") } else { return find() }
        case .character("b"): return mark()
        case .character("B"): listBookmarks()
        case .character("z"): setSleep()
        case .character("o"):
            if savedPercent != nil {
                note = localized("The remaining text is being saved. Press Esc to stop.")
            } else {
                let isFile = text.title == name
                let title = isFile ? String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)) : text.title
                input = Input(kind: .save, text: fileName ?? Self.fileName(title) + ".opus")
            }
        default: break
        }
        return []
    }

    mutating func toggle() -> [Effect] {
        switch phase {
        case .voiceMissing: return [.download]
        case .opening, .downloading: return []
        case .loading, .speaking, .buffering:
            phase = .paused
            return [.pause, .remember]
        case .ready, .paused, .finished, .failed: return [.resume]
        }
    }

    mutating func go(to place: ReadPosition?, orSay phrase: Phrase) -> [Effect] {
        guard let place else {
            note = localized(phrase)
            return []
        }
        (self.place, word) = (place, nil)
        jumps += 1
        return [.seek(place)]
    }

    mutating func skip(_ seconds: Double) -> [Effect] {
        jumps += 1
        return [.skip(seconds)]
    }

    private func start(of chapter: Int) -> ReadPosition? {
        guard let text, text.chapters.indices.contains(chapter) else { return nil }
        return text.firstSentence(from: text.chapters[chapter].start)
    }

    mutating func change(tempo wanted: Double) -> [Effect] {
        let range = ReadingPlayer.tempos
        tempo = (min(max(wanted, range.lowerBound), range.upperBound) * 10).rounded() / 10
        return [.tempo(tempo)]
    }

    private mutating func find() -> [Effect] {
        guard let text, let hit = text.find(searched, after: place) else {
            note = localized(
                text?.isWhole ?? true
                    ? "\"\(searched)\" is not in the text." : "The text is still being loaded. Try again.")
            return []
        }
        note = localized(
            hit <= place
                ? "Search wrapped around to the start. Press n to find the next match."
                : "Press n to find the next match.")
        return go(to: hit, orSay: "")
    }

    private mutating func mark() -> [Effect] {
        if let index = bookmarks.firstIndex(of: place) {
            bookmarks.remove(at: index)
            note = localized("Bookmark removed.")
        } else {
            bookmarks = (bookmarks + [place]).sorted()
            note = localized("Bookmark set. Press B to list them.")
        }
        return [.remember]
    }

    func contents(_ text: ReadText, selected: Int) -> List {
        let rows = text.chapters.map { String(repeating: "  ", count: min($0.level, 8) - 1) + $0.title }
        return List(kind: .contents, title: localized("Contents"), rows: rows, selected: selected)
    }

    mutating func listBookmarks() {
        guard let text, !bookmarks.isEmpty else {
            note = localized("No bookmarks are set. Press b to set one.")
            return
        }
        let rows = bookmarks.map { text.words(at: $0) }
        let nearest = bookmarks.lastIndex { $0 <= place } ?? 0
        list = List(kind: .bookmarks, title: localized("Bookmarks"), rows: rows, selected: nearest)
    }

    private mutating func setSleep() {
        guard let text else { return }
        let steps = [15.0, 30, 60]
        switch sleep {
        case nil: sleep = .at(now + steps[0] * 60)
        case .at(let time):
            let left = (time - now) / 60
            sleep =
                steps.first { $0 > left + 0.5 }.map { .at(now + $0 * 60) }
                ?? .chapter(text.chapter(of: place.block))
        case .chapter: sleep = nil
        }
        switch sleep {
        case nil: note = localized("The sleep timer is off.")
        case .at(let time): note = localized("Playback will pause in \(Int(((time - now) / 60).rounded())) minutes.")
        case .chapter: note = localized("Playback will pause at the end of the chapter.")
        }
    }

    /// Derives a file name, without an extension, from a title.
    private static func fileName(_ title: String) -> String {
        let name = CleanText.line(title, limit: 60).map { $0 == "/" || $0 == "\u{2026}" ? "-" : $0 }
        let text = String(name).trimmingPrefix { $0 == "." || $0 == " " || $0 == "-" }
        return text.isEmpty ? "rest" : String(text)
    }

    // MARK: - Lists and text input

    private mutating func pick(_ key: Key) -> [Effect] {
        guard var list else { return [] }
        let last = max(0, list.rows.count - 1)
        switch key {
        case .up: list.selected -= 1
        case .down: list.selected += 1
        case .pageUp: list.selected -= 10
        case .pageDown: list.selected += 10
        case .home: list.selected = 0
        case .end: list.selected = last
        case .escape, .character("q"), .character("?"):
            self.list = nil
            return []
        case .enter, .character(" "):
            self.list = nil
            guard list.rows.indices.contains(list.selected) else { return [] }
            switch list.kind {
            case .contents: return go(to: start(of: list.selected), orSay: "There is nothing to read in this chapter.")
            case .bookmarks:
                return bookmarks.indices.contains(list.selected) ? go(to: bookmarks[list.selected], orSay: "") : []
            case .voices: return [.chooseVoice(list.selected)]
            case .help: return []
            }
        default: return []
        }
        list.selected = min(max(list.selected, 0), last)
        self.list = list
        return []
    }

    private mutating func type(_ key: Key) -> [Effect] {
        guard var input else { return [] }
        switch key {
        case .escape:
            self.input = nil
            return []
        case .enter:
            self.input = nil
            if input.text.isEmpty { return [] }
            if input.kind == .save {
                // Keep the name, so that the user can correct it if it is rejected.
                fileName = input.text
                return [.save(input.text, from: place)]
            }
            searched = input.text
            return find()
        default: input.text.edit(with: key)
        }
        self.input = input
        return []
    }
}
