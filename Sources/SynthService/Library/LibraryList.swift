import SynthCatalogue
package import SynthHost
import SynthSystem

/// The voices of a library at a moment.
package struct LibraryList: Equatable, Sendable {
    /// What is different in a later list.
    struct Change: Equatable {
        /// The keys of voices that are other than they were.
        var voices: [String] = []
        /// Voices came or went, or stand in another order, or another one is chosen.
        var isOfList = false

        var isEmpty: Bool { voices.isEmpty && !isOfList }
    }

    /// In the order of a list, each once.
    package let voices: [LibraryVoice]
    /// The key of the voice that speaks if none is named; nil = none does.
    package let chosen: String?
    private let places: [String: Int]

    package init(_ voices: [LibraryVoice], chosen: String?) {
        var places: [String: Int] = [:]
        for (place, voice) in voices.enumerated() where places[voice.key] == nil { places[voice.key] = place }
        self.voices = places.count == voices.count ? voices : places.values.sorted().map { voices[$0] }
        self.chosen = chosen
        if places.count < voices.count {
            places = Dictionary(uniqueKeysWithValues: self.voices.enumerated().map { ($1.key, $0) })
        }
        self.places = places
    }

    subscript(key: String) -> LibraryVoice? { places[key].map { voices[$0] } }

    func change(since earlier: LibraryList) -> Change {
        var change = Change(isOfList: chosen != earlier.chosen || voices.count != earlier.voices.count)
        for (place, voice) in voices.enumerated() {
            let earlierPlace = earlier.places[voice.key]
            if place != earlierPlace { change.isOfList = true }
            if let earlierPlace, earlier.voices[earlierPlace] != voice { change.voices.append(voice.key) }
        }
        return change
    }
}

/// A voice of a library, with its download.
package struct LibraryEntry: Equatable, Sendable {
    package let voice: LibraryVoice
    /// nil = there is none, or the voice is here.
    package let download: DownloadStatus?

    package init(_ voice: LibraryVoice, _ download: DownloadStatus?) {
        self.voice = voice
        let isOver = download.map { !$0.isRunning } ?? false
        self.download = isOver && voice.voice.state == .ready ? nil : download
    }
}

/// What one client is still to be told of a library: which voices, and not what of them, so that a slow one gets the newest
/// and takes no memory. Any thread may use it.
package final class LibraryMailbox: Sendable {
    package enum Letter: Equatable {
        /// The whole list.
        case list
        /// Keys of voices, each once.
        case voices([String])
        /// Nothing came in time.
        case nothing
        /// Nothing more comes.
        case end
    }
    private struct State {
        /// A client begins with the whole list, and needs nothing that came before.
        var isNew = true
        var wantsList = false
        var keys: [String] = []
        var known: Set<String> = []
        var isClosed = false

        /// Single voices first: then a client sees what happens to them before they stand elsewhere.
        mutating func take() -> Letter? {
            if isClosed { return .end }
            if isNew {
                self = State(isNew: false)
                return .list
            }
            if !keys.isEmpty {
                defer { (keys, known) = ([], []) }
                return .voices(keys)
            }
            defer { wantsList = false }
            return wantsList ? .list : nil
        }
    }
    private let state = Monitor(State())

    init() {}

    /// What comes next. Blocks.
    package func next(before deadline: ContinuousClock.Instant) -> Letter {
        state.wait(timeout: max(.zero, deadline - .now)) { $0.take() } ?? .nothing
    }

    /// Blocks for a while, so that more comes together; until it is closed at the latest.
    package func gather(for duration: Duration) {
        _ = state.wait(timeout: duration) { $0.isClosed ? true : nil }
    }

    func add(_ change: LibraryList.Change) {
        state.update { state in
            if state.isNew || state.isClosed { return }
            if change.isOfList { state.wantsList = true }
            for key in change.voices where state.known.insert(key).inserted { state.keys.append(key) }
        }
    }

    /// Nothing more comes.
    package func close() { state.update { $0.isClosed = true } }
}

/// Where the voices of a service are kept: this machine, or a double of it for tests. All but `download` blocks. Any thread
/// may use it.
package protocol VoiceLibraryBackend: Sendable {
    /// All voices that are known, in the order of a list, and the key of the one that speaks if none is named.
    func library() throws(SpeechError) -> LibraryList

    /// Downloads what is missing of a voice. Begins at once, and returns.
    func download(_ voice: SpeechVoice) -> VoiceDownload

    /// Removes the files of a voice, and those of its model if no other voice needs them. A voice that was chosen is
    /// forgotten.
    ///
    /// - Returns: the bytes that are free again.
    func remove(_ voice: LibraryVoice) throws(SpeechError) -> Int64

    /// Tunes a voice, for all who speak with it from now on.
    func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(SpeechError)

    /// Puts a voice on a list, or takes it off.
    func mark(_ voice: LibraryVoice, _ list: VoiceList, _ isOn: Bool) throws(SpeechError)

    /// From now on this voice speaks if none is named.
    func choose(_ voice: LibraryVoice) throws(SpeechError)

    /// What is loaded to speak with a voice; nil = its files are not all here.
    func model(of voice: LibraryVoice) -> ModelKey?
}

extension LocalHost: VoiceLibraryBackend {
    package func library() throws(SpeechError) -> LibraryList {
        let inventory = inventory()
        return LibraryList(try inventory.libraryVoices(), chosen: inventory.chosen?.key)
    }

    package func remove(_ voice: LibraryVoice) throws(SpeechError) -> Int64 {
        do {
            return try VoiceLibrary(inventory()).remove(voice.voice.choice.voice).freed
        } catch {
            // The files are removed, and the configuration still names the voice.
            let others: Set<SpeechError.Code> = [
                .configurationInvalid, .configurationNotWritten, .settingInvalid, .registryInvalid, .voiceBuiltIn,
                .voiceNotInstalled,
            ]
            guard !others.contains(error.code) else { throw error }
            throw .removalFailed(voice.voice.title, error)
        }
    }

    package func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(SpeechError) {
        try tune(voice.voice.choice.voice, to: profile)
    }

    package func mark(_ voice: LibraryVoice, _ list: VoiceList, _ isOn: Bool) throws(SpeechError) {
        try mark(voice.voice.choice.voice, list, isOn)
    }

    package func choose(_ voice: LibraryVoice) throws(SpeechError) {
        try choose(voice.voice.choice.voice)
    }

    package func model(of voice: LibraryVoice) -> ModelKey? { inventory().model(of: voice.voice.choice.voice) }
}
