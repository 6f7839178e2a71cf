import SynthHost
import SynthSystem
import SynthTerminal

/// The state of the voice chooser as a value. Events change it and return effects, which the caller performs.
struct ChooserState {
    /// A voice in the list.
    struct Row: Equatable, Sendable {
        enum State: Equatable, Sendable {
            case installed
            case missing
            /// The engine cannot use the voice.
            case unusable
        }

        /// The engine and ID of the voice, such as "kokoro/af_heart".
        let key: String
        let title: String
        /// The language as a BCP 47 tag.
        let language: String
        /// The name of the language in English, or its tag. All other text is in the user's language.
        let languageName: String
        var gender = ""
        var quality = ""
        var engine = ""
        var license = ""
        /// A phrase about the speed, worded to follow the title. nil if the voice is fast enough or its speed is unknown.
        var slowness: String?
        var state = State.installed
        /// The state with the size, such as "installed, 8.1 MB" or "8.1 MB to download".
        var stateWords: String
        /// The section in the short list, or nil if the voice is only in the long list.
        var section: Section?
        var isFavorite = false
        var isHidden = false
        var isChosen = false
        /// The saved profile.
        var profile = VoiceProfile()
    }

    /// The sections of the short list, in order.
    enum Section: String, CaseIterable, Sendable {
        case favorites = "Favorites"
        case starters = "Recommended"
        case installed = "Installed"
        case builtIn = "Built in"
    }

    /// A profile setting that the user can change with keys.
    enum Factor: String, CaseIterable, Sendable {
        case rate, pitch, volume

        var keyPath: WritableKeyPath<VoiceProfile, Double?> {
            switch self {
            case .rate: \.rate
            case .pitch: \.pitch
            case .volume: \.volume
            }
        }

        var factor: SpeechFactor {
            switch self {
            case .rate: .rate
            case .pitch: .pitch
            case .volume: .volume
            }
        }

        var next: Factor { self == .rate ? .pitch : self == .pitch ? .volume : .rate }

        var word: Phrase { Phrase(key: rawValue) }

        /// Formats a value, such as "1.05", or "105%" for the volume.
        func words(_ value: Double?, _ localized: PhraseBook = .english) -> String {
            let percent = Int(((value ?? 1) * 100).rounded())
            return self == .volume
                ? localized("\(percent)%")
                : localized(number: "\(percent / 100).\(padded(percent % 100, 2))")
        }
    }

    /// The sample that is loading or playing, with the key of its voice.
    enum Sample: Equatable, Sendable {
        case loading(String), playing(String)

        var key: String {
            switch self {
            case .loading(let key), .playing(let key): key
            }
        }
    }

    enum Event {
        case key(Key)
        case sample(Sample?)
        /// The progress of the download, such as "Downloading Heart: 34% of 8.1 MB".
        case downloading(String)
        /// The download has ended. `problem` is the message if the download failed or was cancelled.
        case downloaded(Row, problem: String?)
        /// The marks or the profile of a voice have changed.
        case changed(Row)
        case note(String)
    }

    enum Effect: Equatable {
        case play(String, VoiceProfile)
        case download(String)
        case save(String, VoiceProfile)
        case favorite(String, Bool)
        case hide(String, Bool)
        case stop, cancelDownload, quit, interrupt, suspend
    }

    /// What to do when the download is complete.
    enum Intent { case play, save }

    /// A line of the list.
    enum Line: Equatable {
        case heading(String)
        case row(Row)
    }

    /// Translates the program's text into the user's language.
    let localized: PhraseBook
    private(set) var rows: [Row]
    var showsAll = false
    var filter = ""
    /// Whether the user is typing the filter.
    var isTyping = false
    var showsHelp = false
    /// The index of the first key shown in the help.
    var firstKey = 0
    var factor = Factor.rate
    var sample: Sample?
    /// The voice that is being downloaded, with its progress. nil if there is none.
    var download: (key: String, words: String)?
    var note = ""
    /// The unsaved profiles, keyed by voice.
    var drafts: [String: VoiceProfile] = [:]
    var selectedKey: String?
    var intent = Intent.play
    var wantsToQuit = false

    /// - Parameter rows: the voices in the order of the long list, which groups them by language.
    init(_ rows: [Row], _ localized: PhraseBook = .english) {
        (self.rows, self.localized) = (rows, localized)
        // Start with the long list if the short list would be empty.
        showsAll = !rows.contains { $0.section != nil && !$0.isHidden }
        // Do not select a default voice that is built in, so that new users see the recommended voices first.
        selectedKey = visible.first { $0.isChosen && $0.section != .builtIn }?.key ?? visible.first?.key
    }

    // MARK: - The list

    /// The lines of the list. A filter searches all voices.
    var lines: [Line] {
        let words = filter.lowercased().split(separator: " ")
        if showsAll || !words.isEmpty {
            var groups: [(name: String, rows: [Row])] = []
            for row in rows where words.allSatisfy(row.searchedText(localized).contains) {
                if let index = groups.firstIndex(where: { $0.name == row.languageName }) {
                    groups[index].rows.append(row)
                } else {
                    groups.append((row.languageName, [row]))
                }
            }
            return groups.flatMap { [Line.heading($0.name)] + $0.rows.map { .row($0) } }
        }
        return Section.allCases.flatMap { section in
            let rows = rows.filter { !$0.isHidden && $0.shownSection == section }
            return rows.isEmpty ? [] : [Line.heading(localized(Phrase(key: section.rawValue)))] + rows.map { .row($0) }
        }
    }

    /// The voices in the list.
    var visible: [Row] { lines.compactMap { if case .row(let row) = $0 { row } else { nil } } }

    var selected: Row? {
        let visible = visible
        return visible.first { $0.key == selectedKey } ?? visible.first
    }

    func row(_ key: String) -> Row? { rows.first { $0.key == key } }

    func title(_ key: String) -> String { row(key)?.title ?? key }

    /// The profile of a voice with its unsaved changes.
    func profile(of row: Row) -> VoiceProfile { drafts[row.key] ?? row.profile }

    func isTuned(_ row: Row) -> Bool { drafts[row.key].map { $0 != row.profile } ?? false }

    // MARK: - Events

    mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key): return press(key)
        case .sample(let sample): self.sample = sample
        case .downloading(let words): if let download { self.download = (download.key, words) }
        case .downloaded(let row, let problem): return downloaded(row, problem)
        case .changed(let row): replace(row)
        case .note(let text): note = text
        }
        return []
    }

    private mutating func downloaded(_ row: Row, _ problem: String?) -> [Effect] {
        download = nil
        replace(row)
        if let problem {
            note = problem
            return []
        }
        if intent == .save { return save(row) }
        note = localized("\(row.title) is installed.")
        // Do not play a sample if the user has since selected a different voice.
        guard selected?.key == row.key else { return [] }
        return [.play(row.key, profile(of: row))]
    }

    /// Updates a voice. If the voice is now the default, no other voice is marked as the default.
    private mutating func replace(_ row: Row) {
        for index in rows.indices {
            if rows[index].key == row.key { rows[index] = row } else if row.isChosen { rows[index].isChosen = false }
        }
        if let draft = drafts[row.key], draft == row.profile { drafts[row.key] = nil }
    }

    func save(_ row: Row) -> [Effect] { [.save(row.key, profile(of: row))] }
}

extension ChooserState.Row {
    /// The section that contains the voice. Favorites are in their own section, which comes first.
    var shownSection: ChooserState.Section? { isFavorite ? .favorites : section }

    fileprivate func searchedText(_ localized: PhraseBook) -> String {
        [title, language, languageName, gender, quality, engine, isFavorite ? localized("favorite") : ""]
            .joined(separator: " ").lowercased()
    }
}
