import SynthHost
import SynthSystem
import SynthTerminal
import Testing

@testable import synthhost_cli

@Suite("The state of the voice chooser")
struct ChooserStateTests {
    private typealias Row = ChooserState.Row

    private static func row(
        _ title: String, _ language: String, _ languageName: String, _ section: ChooserState.Section?,
        _ state: Row.State = .installed, gender: String = "female", isHidden: Bool = false, isChosen: Bool = false,
        profile: VoiceProfile = VoiceProfile()
    ) -> Row {
        var row = Row(
            key: "e/\(title.lowercased())", title: title, language: language, languageName: languageName,
            stateWords: state == .installed ? "installed, 8.0 MB" : state == .missing ? "8.0 MB to download" : "needs x"
        )
        (row.gender, row.engine, row.state, row.section) = (gender, "e", state, section)
        (row.isHidden, row.isChosen, row.profile) = (isHidden, isChosen, profile)
        return row
    }

    private static let rows = [
        row("Ann", "en-GB", "English", .starters, .missing), row("Bea", "en-US", "English", .installed, isChosen: true),
        row("Cid", "de", "German", nil, .missing, gender: "male"), row("Dan", "fr", "French", .builtIn),
        row("Eva", "de", "German", .installed, isHidden: true), row("Fay", "ja", "Japanese", .starters, .unusable),
    ]

    private static func press(_ keys: [Key], _ state: inout ChooserState) -> [ChooserState.Effect] {
        keys.flatMap { state.take(.key($0)) }
    }

    private static func words(_ state: ChooserState) -> [String] {
        state.lines.map { line in
            switch line {
            case .heading(let words): "#" + words
            case .row(let row): row.title
            }
        }
    }

    @Test("The short list begins with recommended voices, and the `a` key lists all voices by language")
    func lists() {
        var state = ChooserState(Self.rows)
        #expect(Self.words(state) == ["#Recommended", "Ann", "Fay", "#Installed", "Bea", "#Built in", "Dan"])
        #expect(state.selected?.title == "Bea")
        #expect(Self.press([.character("a")], &state) == [])
        let all = ["#English", "Ann", "Bea", "#German", "Cid", "Eva", "#French", "Dan", "#Japanese", "Fay"]
        #expect(Self.words(state) == all)
        #expect(state.selected?.title == "Bea")
        _ = Self.press([.character("a")], &state)
        #expect(!state.showsAll)
    }

    @Test(
        "Typed text filters the list of all voices",
        arguments: [
            ("ann", ["#English", "Ann"]), ("german", ["#German", "Cid", "Eva"]),
            ("MALE de", ["#German", "Cid", "Eva"]),
            ("en-", ["#English", "Ann", "Bea"]), ("q", []),
        ])
    func filter(typed: String, expected: [String]) {
        var state = ChooserState(Self.rows)
        let keys: [Key] = [.character("/")] + typed.map { .character($0) }
        #expect(Self.press(keys, &state) == [])
        #expect(Self.words(state) == expected)
        #expect(Self.press([.enter], &state) == [])
        #expect(Self.words(state) == expected && !state.isTyping)
        #expect(Self.press([.escape], &state) == [])
        #expect(Self.words(state).count == 7)
    }

    @Test(
        "The selection moves through the list and stops at either end",
        arguments: [
            ([Key.down], "Dan"), ([.down, .down], "Dan"), ([.up], "Fay"), ([.home], "Ann"), ([.home, .up], "Ann"),
            ([.end], "Dan"), ([.pageUp], "Ann"), ([.pageUp, .pageDown], "Dan"),
        ])
    func moves(keys: [Key], title: String) {
        var state = ChooserState(Self.rows)
        #expect(Self.press(keys, &state) == [])
        #expect(state.selected?.title == title)
    }

    @Test("Enter plays an installed voice, and downloads a missing voice before playing it")
    func play() {
        var state = ChooserState(Self.rows)
        #expect(Self.press([.enter], &state) == [.play("e/bea", VoiceProfile())])
        #expect(Self.press([.home, .enter], &state) == [.download("e/ann")])
        _ = state.take(.downloading("Downloading Ann: 50% of 8.0 MB"))
        #expect(state.stateWords == ["Downloading Ann: 50% of 8.0 MB"])
        var ready = Self.rows[0]
        ready.state = .installed
        #expect(state.take(.downloaded(ready, problem: nil)) == [.play("e/ann", VoiceProfile())])
        #expect(state.download == nil)
        #expect(Self.press([.down, .enter], &state) == [])
        #expect(state.note == "Fay cannot speak: needs x.")
    }

    @Test("Keys work during a download, and the downloaded voice plays only if it is still selected")
    func whileDownloading() {
        var state = ChooserState(Self.rows)
        #expect(
            Self.press([.home, .enter, .end, .enter], &state) == [.download("e/ann"), .play("e/dan", VoiceProfile())])
        _ = state.take(.sample(.playing("e/dan")))
        #expect(state.stateWords == ["Playing Dan", "Downloading Ann"])
        var ready = Self.rows[0]
        ready.state = .installed
        #expect(state.take(.downloaded(ready, problem: nil)) == [])
        #expect(state.note == "Ann is installed.")
    }

    @Test(
        "Escape first cancels the download, then stops the sample, and then returns to the short list",
        arguments: [Key.escape, .character("c")])
    func cancel(key: Key) {
        var state = ChooserState(Self.rows)
        _ = Self.press([.character("a"), .home, .enter], &state)
        _ = state.take(.sample(.playing("e/bea")))
        #expect(Self.press([key], &state) == [.cancelDownload])
        #expect(state.take(.downloaded(Self.rows[0], problem: "It was stopped.")) == [])
        #expect(state.note == "It was stopped.")
        #expect(Self.press([key], &state) == [.stop])
        _ = state.take(.sample(nil))
        #expect(Self.press([key], &state) == [] && !state.showsAll)
        #expect(Self.press([key], &state) == [] && state.note == "Press q to quit.")
    }

    @Test("Left and Right change the selected factor and immediately play the voice with it")
    func tuning() {
        var state = ChooserState(Self.rows)
        #expect(Self.press([.right], &state) == [.play("e/bea", VoiceProfile(rate: 1.05))])
        #expect(Self.press([.left, .left], &state).last == .play("e/bea", VoiceProfile(rate: 0.95)))
        #expect(Self.press([.tab, .right], &state) == [.play("e/bea", VoiceProfile(rate: 0.95, pitch: 1.05))])
        #expect(
            Self.press([.tab, .left], &state) == [.play("e/bea", VoiceProfile(rate: 0.95, pitch: 1.05, volume: 0.95))])
        #expect(state.stateWords == ["Ready", "changes not saved"])
        #expect(Self.press([.character("=")], &state) == [.play("e/bea", VoiceProfile())])
        #expect(state.stateWords == ["Ready"])
        #expect(Self.press([.tab], &state) == [] && state.factor == .rate)
    }

    @Test(
        "Factors stay within the range that profiles allow",
        arguments: [
            (Key.left, ChooserState.Factor.rate, 0.25), (.right, .rate, 4), (.left, .pitch, 0.5), (.right, .pitch, 2),
            (.left, .volume, 0), (.right, .volume, 4),
        ])
    func limits(key: Key, factor: ChooserState.Factor, limit: Double) {
        var state = ChooserState(Self.rows)
        while state.factor != factor { _ = Self.press([.tab], &state) }
        let last = Self.press([Key](repeating: key, count: 100), &state).last
        guard case .play(_, let profile)? = last else { return #expect(Bool(false), "\(String(describing: last))") }
        #expect(profile[keyPath: factor.keyPath] == limit)
    }

    @Test("Tuning keeps the other values of a saved profile")
    func savedProfile() {
        var rows = Self.rows
        rows[1].profile = VoiceProfile(rate: 1.2, pause: 2)
        var state = ChooserState(rows)
        #expect(Self.press([.right], &state) == [.play("e/bea", VoiceProfile(rate: 1.25, pause: 2))])
        #expect(Self.press([.character("s")], &state) == [.save("e/bea", VoiceProfile(rate: 1.25, pause: 2))])
        #expect(Self.press([.character("=")], &state) == [.play("e/bea", VoiceProfile(pause: 2))])
    }

    @Test("The `s` key saves a voice, after downloading it if it is missing, and makes it the only default")
    func save() {
        var state = ChooserState(Self.rows)
        #expect(Self.press([.home, .right, .character("s")], &state) == [.download("e/ann")])
        var ready = Self.rows[0]
        ready.state = .installed
        #expect(state.take(.downloaded(ready, problem: nil)) == [.save("e/ann", VoiceProfile(rate: 1.05))])
        (ready.isChosen, ready.profile) = (true, VoiceProfile(rate: 1.05))
        _ = state.take(.changed(ready))
        #expect(state.rows.filter(\.isChosen).map(\.title) == ["Ann"])
        #expect(state.stateWords == ["Ready"])
        #expect(Self.press([.character("q")], &state) == [.quit])
    }

    @Test("Unsaved tuning and a running download are reported when the user quits")
    func quit() {
        var state = ChooserState(Self.rows)
        #expect(Self.press([.character("q")], &state) == [.quit])
        #expect(Self.press([.right, .character("q")], &state) == [.play("e/bea", VoiceProfile(rate: 1.05))])
        #expect(state.note == "Your changes to Bea are not saved. Press s to save them, or q again to quit.")
        #expect(Self.press([.character("q")], &state) == [.quit])
        // The `s` key saves the voice named in the note, even if a different one is selected.
        #expect(Self.press([.home, .character("q")], &state) == [])
        #expect(state.selected?.title == "Bea")
        #expect(Self.press([.character("s")], &state) == [.save("e/bea", VoiceProfile(rate: 1.05))])
        #expect(Self.press([.home, .enter, .character("q")], &state) == [.download("e/ann")])
        #expect(state.note == "Ann is being downloaded. Press q again to cancel and quit.")
        #expect(Self.press([.down, .character("q")], &state) == [])
    }

    @Test("Favorites come first; hiding a voice removes it from the short list and selects the next voice")
    func marks() {
        var state = ChooserState(Self.rows)
        #expect(Self.press([.character("f")], &state) == [.favorite("e/bea", true)])
        var marked = Self.rows[1]
        marked.isFavorite = true
        _ = state.take(.changed(marked))
        #expect(Self.words(state).prefix(2) == ["#Favorites", "Bea"])
        #expect(Self.press([.character("f")], &state) == [.favorite("e/bea", false)])
        #expect(Self.press([.home, .down, .character("h")], &state) == [.hide("e/ann", true)])
        #expect(state.selected?.title == "Fay")
        _ = Self.press([.character("/"), .character("e"), .character("v"), .character("a"), .enter], &state)
        #expect(Self.press([.character("h")], &state) == [.hide("e/eva", false)])
    }

    @Test("On a small screen, the help scrolls so that all keys can be read")
    func smallHelp() {
        var state = ChooserState(Self.rows)
        var seen = Set<Substring>()
        for key in [Key.character("?")] + ChooserState.keys.map({ _ in .down }) {
            _ = state.take(.key(key))
            for line in state.screen(columns: 40, rows: 12).lines { seen.formUnion(line.split(separator: " ")) }
        }
        #expect(state.showsHelp)
        for key in ChooserState.keys {
            #expect(seen.isSuperset(of: (key.key + " " + key.meaning).split(separator: " ")))
        }
    }

    @Test("The help lists all keys, and any key closes it")
    func help() {
        var state = ChooserState(Self.rows)
        #expect(Self.press([.character("?")], &state) == [])
        let lines = state.screen(columns: 80, rows: 24).lines
        for key in ChooserState.keys { #expect(lines.contains { $0.contains(key.key) && $0.contains(key.meaning) }) }
        #expect(Self.press([.character("q")], &state) == [] && !state.showsHelp)
    }

    @Test(
        "Ctrl-C interrupts and Ctrl-Z suspends in every state",
        arguments: [("c", true), ("z", false)] as [(Character, Bool)])
    func control(key: Character, interrupts: Bool) {
        let effect = interrupts ? ChooserState.Effect.interrupt : .suspend
        var state = ChooserState(Self.rows)
        for before in [[], [Key.character("?")], [.character("/")]] {
            #expect(Self.press(before + [.control(key)], &state) == [effect])
        }
    }

    // MARK: - The screen

    @Test("The complete screen is as expected at 80 columns and 24 rows")
    func wide() {
        var state = ChooserState(Self.rows)
        _ = Self.press([.right], &state)
        let screen = state.screen(columns: 80, rows: 24)
        #expect(
            screen.lines == Self.wideScreen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        #expect(screen.lines(in: .reversed).filter { !$0.isEmpty }.count == 2)
    }

    @Test("The complete screen is as expected at 40 columns and 12 rows")
    func narrow() {
        var state = ChooserState(Self.rows)
        _ = state.take(.sample(.playing("e/bea")))
        let screen = state.screen(columns: 40, rows: 12)
        #expect(
            screen.lines == Self.narrowScreen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    @Test(
        "Every state fits every screen size, even with wide, combining and right-to-left names",
        arguments: [1, 5, 12, 40, 200])
    func sizes(size: Int) {
        let names = [
            "\u{4F60}\u{597D}\u{58F0}\u{97F3}", "e\u{301}a\u{308}o", "\u{5D0}\u{5D1}\u{5D2}", "\u{1B}[31mRed\n",
        ]
        var state = ChooserState(names.map { Self.row($0, "en", "English", .starters, .missing) })
        for keys in [
            [], [Key.character("/"), .character("x")], [.escape], [.character("?")], [.escape, .down, .enter],
        ] {
            _ = Self.press(keys, &state)
            let screen = state.screen(columns: size, rows: max(1, size / 3))
            #expect(screen.lines.count == max(1, size / 3))
            for line in screen.lines { #expect(DisplayWidth.columns(line) <= size) }
            #expect(!screen.changes(from: nil).contains("\u{1B}[31m"))
        }
    }

    private static let wideScreen = """
         Voices                                                            Default: Bea
         Recommended
             Ann     en-GB  female             8.0 MB to download
             Fay     ja     female             needs x
         Installed
         > * Bea     en-US  female             installed, 8.0 MB
         Built in
             Dan     fr     female             installed, 8.0 MB











         en-US | female | default voice | e
         rate <1.05>  pitch 1.00  volume 100%

         Ready | changes not saved
         Enter play  s save  ? keys  q quit  a all voices  / find  Left/Right rate
        """

    private static let narrowScreen = """
         Voices                    Default: Bea
             Ann     8.0 MB
             Fay     needs x
         Installed
         > * Bea     installed
         Built in
             Dan     installed
         installed, 8.0 MB | en-US | female
         rate <1.00>  pitch 1.00  volume 100%

         Playing Bea
         Esc stop  Enter play  s save  ? keys
        """
}
