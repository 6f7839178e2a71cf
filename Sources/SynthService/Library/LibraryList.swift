import SynthCatalogue
package import SynthHost
import SynthSystem

/// A snapshot of a library's voices.
package struct LibraryList: Equatable, Sendable {
    /// The difference from an earlier snapshot.
    struct Change: Equatable {
        /// The keys of changed voices.
        var voices: [String] = []
        /// Whether voices were added, removed or reordered, or the default voice changed.
        var isOfList = false

        var isEmpty: Bool { voices.isEmpty && !isOfList }
    }

    /// The voices in display order, deduplicated.
    package let voices: [LibraryVoice]
    /// The key of the default voice, or nil if none is available.
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

/// A voice in a library, with its download.
package struct LibraryEntry: Equatable, Sendable {
    package let voice: LibraryVoice
    /// The download, or nil if there is none or the voice is already installed.
    package let download: DownloadStatus?

    package init(_ voice: LibraryVoice, _ download: DownloadStatus?) {
        self.voice = voice
        let isOver = download.map { !$0.isRunning } ?? false
        self.download = isOver && voice.voice.state == .ready ? nil : download
    }
}

/// The pending updates for one client. It stores which voices have changed but not their contents, so that a slow client gets the latest
/// state and uses little memory. Thread-safe.
package final class LibraryMailbox: Sendable {
    /// An update for the client.
    package enum Letter: Equatable {
        /// The client must fetch the whole list.
        case list
        /// The client must fetch the voices with these keys. Deduplicated.
        case voices([String])
        /// The deadline has passed.
        case nothing
        /// The mailbox is closed.
        case end
    }
    private struct State {
        /// Whether the client is new, so that it must fetch the whole list and needs no earlier updates.
        var isNew = true
        var wantsList = false
        var keys: [String] = []
        var known: Set<String> = []
        var isClosed = false

        /// Returns single voices first, so that a client sees their changes before their new positions.
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

    /// Returns the next update. Blocks until there is one, or until the deadline.
    package func next(before deadline: ContinuousClock.Instant) -> Letter {
        state.wait(timeout: max(.zero, deadline - .now)) { $0.take() } ?? .nothing
    }

    /// Blocks for a while, so that several updates are combined. Returns immediately if the mailbox is closed.
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

    /// Closes the mailbox.
    package func close() { state.update { $0.isClosed = true } }
}

/// The storage of a service's voices: this machine, or a test double. All methods except `download` block. Thread-safe.
package protocol VoiceLibraryBackend: Sendable {
    /// Returns all known voices in display order, and the key of the default voice.
    func library() throws(SpeechError) -> LibraryList

    /// Starts downloading a voice's missing files. Does not block.
    func download(_ voice: SpeechVoice) -> VoiceDownload

    /// Removes a voice's files, and those of its model if no other voice needs them. If the voice is the default, that setting is removed
    /// too.
    ///
    /// - Returns: the number of bytes freed.
    func remove(_ voice: LibraryVoice) throws(SpeechError) -> Int64

    /// Sets a voice's profile. It applies to all users of the service from now on.
    func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(SpeechError)

    /// Adds a voice to a list or removes it from the list.
    func mark(_ voice: LibraryVoice, _ list: VoiceList, _ isOn: Bool) throws(SpeechError)

    /// Makes this voice the default.
    func choose(_ voice: LibraryVoice) throws(SpeechError)

    /// A voice's model, or nil if some of its files are missing.
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
            // Errors that do not concern the files: the request was rejected, or the files were removed but the configuration still names
            // the voice.
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
