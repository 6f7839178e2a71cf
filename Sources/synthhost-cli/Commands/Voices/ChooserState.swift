package import SynthHost
import SynthSystem
package import SynthTerminal

/// The state of the voice chooser as a value. Events change it and return effects, which the caller performs.
package struct ChooserState {
    /// A voice in the list.
    package struct Row: Equatable, Sendable {
        package enum State: Equatable, Sendable {
            case installed
            case missing
            /// Its engine cannot use it.
            case unusable
        }

        /// "kokoro/af_heart".
        package let key: String
        package let title: String
        /// A BCP 47 tag.
        package let language: String
        /// The name of the language in English, or its tag.
        package let languageName: String
        package var gender = ""
        package var quality = ""
        package var engine = ""
        package var licence = ""
        /// A phrase about the speed that follows the title; nil = the voice is fast enough, or its speed is unknown.
        package var slowness: String?
        package var state = State.installed
        /// The state with the size: "installed, 8.1 MB", "8.1 MB to download".
        package var stateWords: String
        /// Its section in the short list; nil = only the long list shows it.
        package var section: Section?
        package var isFavourite = false
        package var isHidden = false
        package var isChosen = false
        /// The saved profile.
        package var profile = VoiceProfile()
    }

    /// The sections of the short list, in order.
    package enum Section: String, CaseIterable, Sendable {
        case favourites = "Favourites"
        case starters = "Recommended"
        case installed = "Installed"
        case builtIn = "Built in"
    }

    /// A factor of the profile that keys change.
    package enum Factor: String, CaseIterable, Sendable {
        case rate, pitch, volume

        var place: WritableKeyPath<VoiceProfile, Double?> {
            switch self {
            case .rate: \.rate
            case .pitch: \.pitch
            case .volume: \.volume
            }
        }

        package var factor: SpeechFactor {
            switch self {
            case .rate: .rate
            case .pitch: .pitch
            case .volume: .volume
            }
        }

        package var next: Factor {
            switch self {
            case .rate: .pitch
            case .pitch: .volume
            case .volume: .rate
            }
        }

        /// "1.05", or "105%" for the volume.
        package func words(_ value: Double?) -> String {
            let percent = Int(((value ?? 1) * 100).rounded())
            return self == .volume ? "\(percent)%" : "\(percent / 100).\(padded(percent % 100, 2))"
        }
    }

    /// The sample that plays or is about to, by its voice.
    package enum Sample: Equatable, Sendable {
        case loading(String), playing(String)

        var key: String {
            switch self {
            case .loading(let key), .playing(let key): key
            }
        }
    }

    package enum Event {
        case key(Key)
        case sample(Sample?)
        /// The progress of the download, with its step: "Downloading Heart: 34% of 8.1 MB".
        case downloading(String)
        /// The download has ended; with a message if it failed or was cancelled.
        case downloaded(Row, problem: String?)
        /// A voice with its new marks and profile.
        case changed(Row)
        case note(String)
    }

    package enum Effect: Equatable {
        case play(String, VoiceProfile)
        case download(String)
        case save(String, VoiceProfile)
        case favourite(String, Bool)
        case hide(String, Bool)
        case stop, cancelDownload, quit, interrupt, suspend
    }

    /// The action that follows a download.
    enum Intent { case play, save }

    /// A line of the list.
    package enum Line: Equatable {
        case heading(String)
        case row(Row)
    }

    package private(set) var rows: [Row]
    package internal(set) var showsAll = false
    package internal(set) var filter = ""
    /// Whether the user types the filter.
    package internal(set) var isTyping = false
    package internal(set) var showsHelp = false
    /// The index of the first key that the help shows.
    var firstKey = 0
    package internal(set) var factor = Factor.rate
    package internal(set) var sample: Sample?
    /// The step of the download; nil = none.
    package internal(set) var download: (key: String, words: String)?
    package internal(set) var note = ""
    /// The changed profiles that are not saved, by voice.
    var drafts: [String: VoiceProfile] = [:]
    var selectedKey: String?
    var intent = Intent.play
    var wantsToQuit = false

    /// - Parameter rows: in the order of the long list, which shows them by language.
    package init(_ rows: [Row]) {
        self.rows = rows
        // Without voices for a short list, the long one is shown.
        showsAll = !rows.contains { $0.section != nil && !$0.isHidden }
        // A new user has not chosen the built-in voice and should see the recommended ones.
        selectedKey = visible.first { $0.isChosen && $0.section != .builtIn }?.key ?? visible.first?.key
    }

    // MARK: - The list

    /// The lines of the list. A filter searches all voices.
    package var lines: [Line] {
        let words = filter.lowercased().split(separator: " ")
        if showsAll || !words.isEmpty {
            var groups: [(name: String, rows: [Row])] = []
            for row in rows where words.allSatisfy(row.searchedText.contains) {
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
            return rows.isEmpty ? [] : [Line.heading(section.rawValue)] + rows.map { .row($0) }
        }
    }

    /// The voices in the list.
    package var visible: [Row] { lines.compactMap { if case .row(let row) = $0 { row } else { nil } } }

    package var selected: Row? {
        let visible = visible
        return visible.first { $0.key == selectedKey } ?? visible.first
    }

    package func row(_ key: String) -> Row? { rows.first { $0.key == key } }

    func title(_ key: String) -> String { row(key)?.title ?? key }

    /// The profile of a voice with the changes that are not saved.
    package func profile(of row: Row) -> VoiceProfile { drafts[row.key] ?? row.profile }

    package func isTuned(_ row: Row) -> Bool { drafts[row.key].map { $0 != row.profile } ?? false }

    // MARK: - Events

    package mutating func take(_ event: Event) -> [Effect] {
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
        note = "\(row.title) is installed."
        // A user who has moved on does not expect it to speak.
        guard selected?.key == row.key else { return [] }
        return [.play(row.key, profile(of: row))]
    }

    /// Replaces a voice that has changed. Only one is the default.
    private mutating func replace(_ row: Row) {
        for index in rows.indices {
            if rows[index].key == row.key { rows[index] = row } else if row.isChosen { rows[index].isChosen = false }
        }
        if let draft = drafts[row.key], draft == row.profile { drafts[row.key] = nil }
    }

    func save(_ row: Row) -> [Effect] { [.save(row.key, profile(of: row))] }
}

extension ChooserState.Row {
    /// Favourites come first.
    var shownSection: ChooserState.Section? { isFavourite ? .favourites : section }

    fileprivate var searchedText: String {
        [title, language, languageName, gender, quality, engine, isFavourite ? "favourite" : ""]
            .joined(separator: " ").lowercased()
    }
}
