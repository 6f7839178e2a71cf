import SynthBooks
import SynthDocuments
import SynthSystem
import SynthTerminal
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("Reader state")
struct ReaderStateTests {
    private static let text = ReadText.made([
        "#One", "First of one. Second of one.", "Third of one.", "#Two", "First of two. Second of two, with a lamp.",
    ])

    /// A reader that has just started to speak.
    private static func reader(at place: ReadPosition = ReadPosition(block: 0)) -> ReaderState {
        var state = ReaderState(name: "text")
        _ = state.take(.opened(text, ReadingMemory(place: place)), at: 0)
        _ = state.take(.voice("Ann"), at: 0)
        _ = state.take(.status(place: place, word: nil, .speaking, secondsPerByte: 0.05), at: 0)
        return state
    }

    /// Presses keys in order and returns all effects.
    private static func press(_ keys: [Key], _ state: inout ReaderState) -> [ReaderState.Effect] {
        keys.flatMap { state.take(.key($0), at: 1) }
    }

    @Test(
        "Keys change the position in the text",
        arguments: [
            (Key.right, ReadPosition(block: 0), ReadPosition(block: 1)),
            (.right, ReadPosition(block: 1), ReadPosition(block: 1, byte: 14)),
            (.left, ReadPosition(block: 1, byte: 14), ReadPosition(block: 1)),
            (.left, ReadPosition(block: 2), ReadPosition(block: 1, byte: 14)),
            (.pageDown, ReadPosition(block: 1), ReadPosition(block: 2)),
            (.pageUp, ReadPosition(block: 1, byte: 14), ReadPosition(block: 1)),
            (.pageUp, ReadPosition(block: 2), ReadPosition(block: 1)),
            (.home, ReadPosition(block: 2), ReadPosition(block: 0)),
            (.end, ReadPosition(block: 1), ReadPosition(block: 3)),
        ])
    func moves(key: Key, from: ReadPosition, to: ReadPosition) {
        var state = Self.reader(at: from)
        #expect(Self.press([key], &state) == [.seek(to)])
        #expect(state.place == to)
    }

    @Test(
        "If a key cannot move the position, the reason is shown",
        arguments: [(Key.left, 0), (.right, 4), (.pageDown, 4), (.end, 4)])
    func stays(key: Key, block: Int) {
        let text = Self.text
        var state = Self.reader(at: block == 0 ? ReadPosition(block: 0) : ReadPosition(block: 4, byte: 14))
        #expect(Self.press([key], &state) == [])
        #expect(state.note.hasPrefix("This is the "))
        #expect(text.after(ReadPosition(block: 4, byte: 14)) == nil)
    }

    @Test("The space bar pauses, continues, and retries after an error")
    func space() {
        var state = Self.reader()
        #expect(Self.press([.character(" ")], &state) == [.pause, .remember])
        #expect(state.phase == .paused)
        #expect(Self.press([.character(" ")], &state) == [.resume])
        _ = state.take(.status(place: state.place, word: nil, .failed("It crashed."), secondsPerByte: nil), at: 1)
        #expect(state.status == "It crashed.")
        #expect(Self.press([.character(" ")], &state) == [.resume])
    }

    @Test("Once the entire text has been loaded, the position and the valid bookmarks are kept")
    func completed() {
        let whole = ReadText.made(["#One", "First of one. Second of one.", "Third of one."])
        let beginning = ReadText.made(["#One", "First of one. Second of one."])
        #expect(whole.extends(beginning) && whole.extends(whole))
        #expect(!beginning.extends(whole) && !ReadText.made(["#One", "Other."]).extends(beginning))
        var state = ReaderState(name: "text")
        let (near, far, nowhere) = (ReadPosition(block: 1), ReadPosition(block: 2), ReadPosition(block: 9))
        let memory = ReadingMemory(place: near, bookmarks: [near, far, nowhere], tempo: 2)
        _ = state.take(.opened(beginning, memory), at: 0)
        _ = state.take(.voice("Ann"), at: 0)
        _ = state.take(.status(place: near, word: nil, .speaking, secondsPerByte: 0.05), at: 0)
        #expect(state.take(.completed(whole, nil), at: 1) == [])
        #expect(state.place == near && state.bookmarks == [near, far] && state.tempo == 2)
        #expect(state.phase == .speaking && state.text?.count == whole.count)
        // A text with different chapters is not an extension of this one, even if the paragraphs are the same.
        let chapters = ReadText.made(["#One", "First of one. Second of one."])
        let other = ReadText(
            title: nil, name: "text", [(1, .init(title: "Other", blocks: chapters.blocks))], DocumentLanguages("en"))
        #expect(!other.extends(chapters))
        _ = Self.press([.character("t")], &state)
        let moved = ReadingMemory(place: ReadPosition(block: 1), bookmarks: [near, nowhere])
        #expect(state.take(.completed(other, moved), at: 2) == [])
        #expect(state.place == near && state.bookmarks == [near] && state.list?.rows == ["Other"] && state.tempo == 2)
        #expect(state.phase == .speaking)
    }

    @Test("Media keys have the same effects as the corresponding keys, even while a list is open")
    func mediaKeys() {
        var state = Self.reader(at: ReadPosition(block: 1))
        _ = Self.press([.character("t")], &state)
        func take(_ command: ReaderState.MediaCommand) -> [ReaderState.Effect] { state.take(.media(command), at: 1) }
        #expect(take(.play) == [])
        #expect(take(.pause) == [.pause, .remember])
        #expect(take(.pause) == [])
        #expect(take(.play) == [.resume])
        #expect(take(.next) == [.seek(ReadPosition(block: 1, byte: 14))])
        #expect(take(.previous) == [.seek(ReadPosition(block: 1))])
        #expect(take(.tempo(2)) == [.tempo(2)])
        #expect(take(.tempo(.nan)) == [] && take(.tempo(-1)) == [])
        #expect(take(.tempo(100)) == [.tempo(4)])
        // Media players skip by seconds of audio at tempo 1, but the keys skip by seconds of playback.
        #expect(take(.skip(seconds: 10)) == [.skip(2.5)])
        #expect(take(.seek(progress: 1)) == [.seek(ReadPosition(block: 4, byte: 14))])
        #expect(take(.seek(progress: -1)) == [.seek(ReadPosition(block: 0))])
        #expect(take(.quit) == [.remember, .quit])
        #expect(state.list?.title == "Contents")
    }

    @Test("Media keys never start a download")
    func mediaKeysWithoutVoice() {
        var state = ReaderState(name: "text")
        #expect(state.take(.media(.play), at: 0) == [])
        _ = state.take(.opened(Self.text, ReadingMemory()), at: 0)
        _ = state.take(.missing("Heart", size: "329 MB"), at: 0)
        for command in [ReaderState.MediaCommand.play, .toggle, .next] {
            #expect(state.take(.media(command), at: 0) == [])
        }
        #expect(state.media.status == "Stopped")
    }

    @Test("The desktop receives the title, the voice, the sentence, and times at tempo 1")
    func media() {
        var state = Self.reader(at: ReadPosition(block: 1, byte: 14))
        #expect(state.media.status == "Playing")
        #expect(state.media.title == "text" && state.media.chapter == "One" && state.media.voice == "Ann")
        #expect(state.media.sentence == "Second of one.")
        let before = state.media
        #expect(before.duration == Int64(Double(Self.text.count) * 50_000))
        #expect(before.position == Int64(Self.text.offset(of: ReadPosition(block: 1, byte: 14))) * 50_000)
        _ = state.take(.media(.tempo(2)), at: 1)
        #expect(state.media.duration == before.duration && state.media.tempo == 2)
        #expect(state.media.jumps == before.jumps)
        _ = Self.press([.right], &state)
        #expect(state.media.jumps == before.jumps + 1)
        _ = state.take(.status(place: state.place, word: nil, .finished, secondsPerByte: 0.05), at: 2)
        #expect(state.media.status == "Stopped" && state.media.position == state.media.duration)
    }

    @Test("The tempo changes in steps of 0.1, within its limits")
    func tempo() {
        var state = Self.reader()
        #expect(
            Self.press([.character("]"), .character("]"), .character("[")], &state) == [
                .tempo(1.1), .tempo(1.2), .tempo(1.1),
            ])
        #expect(Self.press([Key](repeating: .character("["), count: 20), &state).last == .tempo(0.5))
        #expect(Self.press([Key](repeating: .character("]"), count: 50), &state).last == .tempo(4))
        #expect(Self.press([.character("=")], &state) == [.tempo(1)])
    }

    @Test("A chapter can be chosen in the table of contents")
    func contents() {
        var state = Self.reader(at: ReadPosition(block: 1))
        #expect(Self.press([.character("t")], &state) == [])
        #expect(state.list?.rows == ["One", "Two"] && state.list?.selected == 0)
        #expect(Self.press([.down, .down, .enter], &state) == [.seek(ReadPosition(block: 3))])
        #expect(state.list == nil)
        #expect(Self.press([.character("t"), .escape], &state) == [])
        #expect(state.list == nil)
    }

    @Test("A search starts at the current position and wraps around")
    func search() {
        var state = Self.reader(at: ReadPosition(block: 1))
        func type(_ text: String) -> [ReaderState.Effect] {
            Self.press([.character("/")] + text.map { .character($0) } + [.enter], &state)
        }
        #expect(type("SECOND") == [.seek(ReadPosition(block: 1, byte: 14))])
        #expect(Self.press([.character("n")], &state) == [.seek(ReadPosition(block: 4, byte: 14))])
        #expect(Self.press([.character("n")], &state) == [.seek(ReadPosition(block: 1, byte: 14))])
        #expect(state.note.hasPrefix("Search wrapped around to the start."))
        #expect(type("lamb") == [])
        #expect(state.note == "\"lamb\" is not in the text.")
        #expect(Self.press([.character("/"), .character("x"), .backspace, .character("y"), .escape], &state) == [])
        #expect(state.input == nil)
    }

    @Test("Bookmarks are set, listed and removed")
    func bookmarks() {
        var state = Self.reader(at: ReadPosition(block: 2))
        #expect(Self.press([.character("b")], &state) == [.remember])
        #expect(state.memory.bookmarks == [ReadPosition(block: 2)])
        _ = Self.press([.home, .character("b"), .character("B")], &state)
        #expect(state.list?.rows == ["One", "Third of one."])
        #expect(Self.press([.down, .enter], &state) == [.seek(ReadPosition(block: 2))])
        #expect(Self.press([.character("b")], &state) == [.remember])
        #expect(state.memory.bookmarks == [ReadPosition(block: 0)])
    }

    @Test("The sleep timer pauses after the selected number of minutes or at the end of the chapter")
    func sleep() {
        var state = Self.reader(at: ReadPosition(block: 1))
        _ = state.take(.key(.character("z")), at: 100)
        #expect(state.note == "Playback will pause in 15 minutes.")
        _ = state.take(.key(.escape), at: 100)
        // On a narrow screen, the timer is more important than the remaining time and the tempo.
        #expect(state.screen(columns: 40, rows: 12).lines[10] == " Speaking | 3% | sleep 15 min")
        let wide = state.screen(columns: 60, rows: 12).lines[10]
        #expect(wide.hasPrefix(" Speaking | 3% | ") && wide.hasSuffix(" s left | tempo 1.0 | sleep 15 min"), "\(wide)")
        #expect(state.take(.tick, at: 100 + 14.9 * 60) == [])
        #expect(state.take(.tick, at: 100 + 15 * 60) == [.pause, .remember])
        #expect(state.phase == .paused && state.sleep == nil)
        state = Self.reader(at: ReadPosition(block: 1))
        _ = Self.press([Key](repeating: .character("z"), count: 4), &state)
        #expect(state.sleep == .chapter(0))
        #expect(
            state.take(.status(place: ReadPosition(block: 2), word: nil, .speaking, secondsPerByte: nil), at: 2) == [])
        let effects = state.take(
            .status(place: ReadPosition(block: 3), word: nil, .speaking, secondsPerByte: nil), at: 3)
        #expect(effects == [.pause, .seek(ReadPosition(block: 3)), .remember])
        _ = Self.press([Key](repeating: .character("z"), count: 5), &state)
        #expect(state.sleep == nil)
    }

    @Test("A missing voice is offered for download and used once it has been downloaded")
    func missing() {
        var state = ReaderState(name: "text")
        _ = state.take(.opened(Self.text, ReadingMemory()), at: 0)
        _ = state.take(.missing("Heart", size: "88 MB"), at: 0)
        #expect(state.phase == .voiceMissing)
        #expect(
            state.status == "Heart is not downloaded (88 MB). Press d to download it or v to choose a different voice.")
        #expect(Self.press([.character("d")], &state) == [.download])
        _ = state.take(.downloading(40), at: 1)
        #expect(state.phase == .downloading)
        #expect(state.screen(columns: 80, rows: 24).lines[22].contains("Downloading the voice | 0%"))
        #expect(Self.press([.character("d")], &state) == [])
        _ = state.take(.voice("Heart"), at: 2)
        #expect(state.phase == .loading && state.offer == nil)
        #expect(Self.press([.character("d")], &state) == [])
    }

    @Test("The `q` key quits, but asks for confirmation while a file is being saved")
    func quit() {
        var state = Self.reader()
        #expect(Self.press([.character("q")], &state) == [.remember, .quit])
        _ = state.take(.saving(12), at: 1)
        #expect(Self.press([.character("q")], &state) == [])
        #expect(state.note.hasPrefix("12% has been saved."))
        #expect(Self.press([.character("q")], &state) == [.remember, .quit])
        #expect(Self.press([.escape], &state) == [.stopSaving])
        #expect(Self.press([.control("c")], &state) == [.remember, .interrupt])
        #expect(Self.press([.control("z")], &state) == [.suspend])
    }

    @Test("The remaining text is saved under a name that the user can edit")
    func save() {
        var state = Self.reader(at: ReadPosition(block: 2))
        _ = Self.press([.character("o")], &state)
        #expect(state.input?.text == "text.opus")
        #expect(
            Self.press([.control("u"), .character("a"), .character("."), .character("w"), .enter], &state)
                == [.save("a.w", from: ReadPosition(block: 2))])
        // A rejected name can be corrected.
        _ = state.take(.note("A file of this name already exists."), at: 1)
        _ = Self.press([.character("o")], &state)
        #expect(state.input?.text == "a.w")
        // An accepted name is not proposed again.
        _ = Self.press([.enter], &state)
        _ = state.take(.saving(0), at: 2)
        _ = state.take(.saving(nil), at: 3)
        _ = Self.press([.character("o")], &state)
        #expect(state.input?.text == "text.opus")
    }

    // MARK: - The screen

    @Test("The screen shows the current sentence and word, the state and the keys", arguments: [(80, 24), (40, 12)])
    func screen(columns: Int, rows: Int) {
        var state = Self.reader(at: ReadPosition(block: 1, byte: 14))
        _ = state.take(
            .status(place: ReadPosition(block: 1, byte: 14), word: 21..<23, .speaking, secondsPerByte: 0.05), at: 1)
        let screen = state.screen(columns: columns, rows: rows)
        #expect(screen.lines.count == rows)
        #expect(screen.lines[0].hasPrefix(" text: One") && screen.lines[0].hasSuffix("Ann"))
        #expect(screen.lines.contains(" First of one. Second of one."))
        #expect(screen.lines(in: .bold).contains("Second of one."))
        #expect(screen.lines(in: [.bold, .reversed]).contains("of"))
        #expect(screen.lines[rows - 2].hasPrefix(" Speaking | 19%"))
        #expect(screen.lines[rows - 1].hasPrefix(" Space pause  ? keys  q quit"))
        for line in screen.lines { #expect(DisplayWidth.columns(line) <= columns) }
    }

    @Test("The complete screen is as expected at 80 by 24 and at 40 by 12", arguments: [(80, 24), (40, 12)])
    func whole(columns: Int, rows: Int) {
        var state = Self.reader(at: ReadPosition(block: 1, byte: 14))
        // Pressing a key hides the note about the position at which reading resumed.
        #expect(Self.press([.escape], &state) == [])
        let lines = state.screen(columns: columns, rows: rows).lines
        let done = columns == 80 ? 15 : 7
        let rest = [" First of two. Second of two, with a lamp."] + Array(repeating: "", count: 11)
        #expect(
            lines == [
                " text: One" + String(repeating: " ", count: columns - 14) + "Ann", " One", "",
                " First of one. Second of one.", "", " Third of one.", "", " Two", "",
            ] + (columns == 80 ? rest : []) + [
                " " + String(repeating: "=", count: done) + String(repeating: "-", count: columns - 2 - done),
                " Speaking | 19% | 4 s left | tempo 1.0",
                " Space pause  ? keys  q quit"
                    + (columns == 80 ? "  t contents  [ ] tempo  v voice  / search  z sleep" : "  [ ] tempo"),
            ])
    }

    @Test("On a small screen, the most important keys are always visible, and the help lists all keys")
    func smallHelp() {
        var state = Self.reader()
        let bottom = state.screen(columns: 80, rows: 24).lines[23]
        for hint in ["Space pause", "t contents", "[ ] tempo", "v voice"] { #expect(bottom.contains(hint)) }
        var seen = Set<Substring>()
        for key in [Key.character("?")] + ReaderState.keys.map({ _ in .down }) {
            _ = state.take(.key(key), at: 1)
            for line in state.screen(columns: 40, rows: 12).lines { seen.formUnion(line.split(separator: " ")) }
        }
        for key in ReaderState.keys {
            #expect(seen.isSuperset(of: (key.key + " " + key.meaning).split(separator: " ")))
        }
    }

    @Test("Lines break at spaces, even with wide, combining or right-to-left characters", arguments: [20, 40, 80])
    func lines(columns: Int) {
        let words = "Ein Wort, ein zweites Wort, שלום עולם und e\u{301}ine Zeile: 日本語の長いテキストが続きます。 Ende."
        let text = ReadText.made([words])
        var state = ReaderState(name: "text")
        _ = state.take(.opened(text, ReadingMemory()), at: 0)
        let lines = state.screen(columns: columns, rows: 24).lines[1..<21]
        let shown = lines.filter { !$0.isEmpty }.map { $0.drop { $0 == " " } }
        #expect(shown.joined().filter { $0 != " " } == words.filter { $0 != " " })
        for line in lines { #expect(DisplayWidth.columns(line) <= columns) }
    }

    @Test("The current sentence is on screen, even in a long paragraph")
    func long() {
        let words = (0..<6000).map { "word\($0)." }.joined(separator: " ")
        let text = ReadText.made([words, "The end."])
        let place = text.sentence(at: words.utf8.count / 2)
        var state = ReaderState(name: "text")
        _ = state.take(.opened(text, ReadingMemory(place: place)), at: 0)
        let sentence = text.words(at: place)
        #expect(state.screen(columns: 80, rows: 24).lines(in: .bold).contains { $0.contains(sentence.prefix(12)) })
    }

    @Test("A tiny terminal causes no errors", arguments: [(1, 1), (3, 2), (10, 3), (20, 4)])
    func tiny(columns: Int, rows: Int) {
        var state = Self.reader()
        for key in [Key.escape, .character("t"), .escape, .character("?"), .escape, .character("/")] {
            _ = state.take(.key(key), at: 1)
            let screen = state.screen(columns: columns, rows: rows)
            #expect(screen.rows == rows && screen.columns == columns)
        }
    }

    // MARK: - Plain lines

    @Test("In plain mode, each sentence and each state change is printed once")
    func plain() {
        let state = Self.reader()
        #expect(state.plainLines(since: nil) == [.sentence("One")])
        var next = state
        _ = next.take(.status(place: ReadPosition(block: 1), word: 0..<5, .speaking, secondsPerByte: nil), at: 1)
        #expect(next.plainLines(since: state) == [.sentence("First of one.")])
        var paused = next
        _ = paused.take(.key(.character(" ")), at: 2)
        #expect(paused.plainLines(since: next) == [.message("Paused.")])
        var again = paused
        _ = again.take(.status(place: ReadPosition(block: 1), word: nil, .speaking, secondsPerByte: nil), at: 3)
        #expect(again.plainLines(since: paused) == [])
        // Audio may run out more than once in a sentence.
        func status(_ state: ReaderState, _ phase: ReaderState.Phase) -> ReaderState {
            var state = state
            _ = state.take(.status(place: ReadPosition(block: 1), word: nil, phase, secondsPerByte: nil), at: 3)
            return state
        }
        let dry = status(again, .buffering)
        #expect(dry.plainLines(since: again) == [.message("Buffering.")])
        #expect(status(status(dry, .speaking), .buffering).plainLines(since: status(dry, .speaking)) == [])
        var faster = again
        _ = faster.take(.key(.character("]")), at: 4)
        #expect(faster.plainLines(since: again) == [.message("Tempo 1.1.")])
        var list = faster
        _ = list.take(.key(.character("t")), at: 5)
        #expect(list.plainLines(since: faster).last == .message("One"))
    }

    @Test("The position is stored for each text, and damaged files are ignored")
    func memory() throws {
        let folder = try TemporaryFolder()
        let memory = ReadingMemory(
            place: ReadPosition(block: 4, byte: 14), bookmarks: [ReadPosition(block: 1)], tempo: 1.5,
            voice: "tone/low")
        try memory.save(of: Self.text, in: folder.path)
        #expect(ReadingMemory(digest: Self.text.digest, in: folder.path).within(Self.text) == memory)
        let other = ReadText.made(["#One", "First of one."])
        #expect(ReadingMemory(digest: other.digest, in: folder.path).within(other) == ReadingMemory())
        let file = "\(folder.path)/reading/\(Self.text.digest).json"
        for damaged in ["", "{", #"{"place":{"block":99,"byte":0},"bookmarks":[{"block":-1,"byte":0}],"tempo":9}"#] {
            try replaceFile(file, with: Array(damaged.utf8))
            #expect(ReadingMemory(digest: Self.text.digest, in: folder.path).within(Self.text) == ReadingMemory())
        }
    }

    @Test(
        "A long paragraph is split after sentences, and no text is lost",
        arguments: ["A sentence of some words. ", "\u{6F22}\u{5B57}\u{3002}", "word ", "x", "\u{E9}"])
    func longParagraph(part: String) {
        let whole = String(repeating: part, count: 100_000 / part.utf8.count)
        let text = ReadText.made([whole])
        #expect(text.blocks.map(\.text).joined() == whole)
        #expect(text.blocks.count >= 6 && text.blocks.allSatisfy { $0.text.utf8.count <= 16_000 })
        let end = part.last == "x" || part.last == "\u{E9}" ? nil : part.last
        for block in text.blocks.dropLast() where end != nil { #expect(block.text.last == end) }
        #expect(text.count == whole.utf8.count)
    }
}
