import SynthCatalogue
package import SynthHost
import SynthSystem

/// A snapshot of a library's voices.
package struct LibraryList: Equatable, Sendable {
    /// The difference between two snapshots.
    struct Change: Equatable {
        var voices: [String] = []
        /// Whether voices were added, removed or reordered, or whether the default voice changed.
        var isOfList = false

        var isEmpty: Bool { voices.isEmpty && !isOfList }
    }

    /// The voices in display order, deduplicated.
    package let voices: [SpeechVoice]
    /// The key of the default voice, or nil if none is available.
    package let chosen: String?
    private let places: [String: Int]

    package init(_ voices: [SpeechVoice], chosen: String?) {
        var places: [String: Int] = [:]
        for (position, voice) in voices.enumerated() where places[voice.key] == nil { places[voice.key] = position }
        self.voices = places.count == voices.count ? voices : places.values.sorted().map { voices[$0] }
        self.chosen = chosen
        if places.count < voices.count {
            places = Dictionary(uniqueKeysWithValues: self.voices.enumerated().map { ($1.key, $0) })
        }
        self.places = places
    }

    subscript(key: String) -> SpeechVoice? { places[key].map { voices[$0] } }

    func change(since earlier: LibraryList) -> Change {
        var change = Change(isOfList: chosen != earlier.chosen || voices.count != earlier.voices.count)
        for (position, voice) in voices.enumerated() {
            let earlierIndex = earlier.places[voice.key]
            if position != earlierIndex { change.isOfList = true }
            if let earlierIndex, earlier.voices[earlierIndex] != voice { change.voices.append(voice.key) }
        }
        return change
    }
}

/// A voice in a library and its download.
package struct LibraryEntry: Equatable, Sendable {
    package let voice: SpeechVoice
    /// The download, or nil if there is none or the voice is already installed.
    package let download: DownloadStatus?

    package init(_ voice: SpeechVoice, _ download: DownloadStatus?) {
        self.voice = voice
        let isOver = download.map { !$0.isRunning } ?? false
        self.download = isOver && voice.state == .ready ? nil : download
    }
}

/// The pending updates for one client. The mailbox stores only the keys of changed voices, so even a slow client gets
/// the latest state and memory use is bounded. Thread-safe.
package final class LibraryMailbox: Sendable {
    /// An update for the client.
    package enum Update: Equatable {
        /// The client must fetch the complete list.
        case list
        /// The client must fetch the voices with these keys, which contain no duplicates.
        case voices([String])
        /// The wait timed out.
        case nothing
        /// The mailbox is closed.
        case end
    }
    private struct State {
        /// Whether the client is new, in which case its first update is the complete list.
        var isNew = true
        var wantsList = false
        var keys: [String] = []
        var known: Set<String> = []
        var isClosed = false

        /// Returns voice updates before a list update, so that clients update a voice before they move it.
        mutating func take() -> Update? {
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

    /// Returns the next update. Blocks until there is an update or the deadline passes.
    package func next(before deadline: ContinuousClock.Instant) -> Update {
        state.wait(timeout: max(.zero, deadline - .now)) { $0.take() } ?? .nothing
    }

    /// Blocks for `duration`, so that updates that arrive in the meantime can be combined. Returns immediately if the
    /// mailbox is closed.
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

extension HostBackend {
    /// Returns all known voices in display order, and the key of the default voice.
    package func library() throws(SpeechError) -> LibraryList {
        LibraryList(try voices(.library), chosen: (try? voice(VoiceQuery()))?.key)
    }
}
