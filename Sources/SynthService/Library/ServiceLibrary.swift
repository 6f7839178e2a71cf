import SynthCatalogue
package import SynthHost
import SynthSystem

/// The voices of a service, for those who download, remove, tune and choose them. It tells all who listen what changes. Any
/// thread may use it; what asks for voices reads the disk.
package final class ServiceLibrary: Sendable {
    private struct State {
        var list = LibraryList([], chosen: nil)
        /// When the list began to be read.
        var readAt: ContinuousClock.Instant?
        var mailboxes: [ObjectIdentifier: LibraryMailbox] = [:]
        var hasEnded = false
    }
    private let current: Monitor<any VoiceLibraryBackend>
    private let warm: WarmModels
    private let state: Monitor<State>
    private let downloads: VoiceDownloads
    /// Reads the disk for one at a time, so that no older list replaces a newer one.
    private let reading: Lock

    /// - Parameter warm: what the service keeps loaded.
    package init(_ backend: any VoiceLibraryBackend, _ warm: WarmModels) {
        let (state, current, reading) = (Monitor(State()), Monitor(backend), Lock())
        self.reading = reading
        self.current = current
        self.warm = warm
        self.state = state
        downloads = VoiceDownloads(
            onChange: { key in Self.tell(.init(voices: [key]), state) },
            onEnd: { _ = try? Self.read(current, state, reading) })
    }

    /// Another configuration, or another machine, from now on. What is being downloaded goes on.
    package func replace(_ backend: any VoiceLibraryBackend) {
        current.update { $0 = backend }
        _ = try? read()
    }

    /// All who listen hear that it is over, and nobody listens from now on. Downloads go on.
    package func end() {
        let mailboxes = state.update { state in
            state.hasEnded = true
            return Array(state.mailboxes.values)
        }
        for mailbox in mailboxes { mailbox.close() }
    }

    /// Downloads stop, too. What arrived is kept.
    package func close() {
        end()
        downloads.cancelAll()
    }

    // MARK: - Looking

    /// All voices as they are now.
    package func entries() throws(SpeechError) -> (voices: [LibraryEntry], chosen: String?) {
        let list = try read()
        return (list.voices.map(entry), list.chosen)
    }

    /// All voices as they were when they were last looked at, with their downloads as they are now. Reads nothing.
    package var known: (voices: [LibraryEntry], chosen: String?) {
        let list = state.read { $0.list }
        return (list.voices.map(entry), list.chosen)
    }

    /// One voice of these; nil = it is none of them any more.
    package func knownEntry(_ key: String) -> LibraryEntry? { state.read { $0.list[key] }.map(entry) }

    /// One voice as it is now.
    package func entry(_ key: String) throws(SpeechError) -> LibraryEntry {
        // In this order: a download that ends in between has shown the voice as ready before.
        let status = downloads.status(of: key)
        return LibraryEntry(try voice(key), status)
    }

    /// Where from now on is what changes.
    package func open() -> LibraryMailbox {
        let mailbox = LibraryMailbox()
        let hasEnded = state.update { state in
            state.mailboxes[ObjectIdentifier(mailbox)] = mailbox
            return state.hasEnded
        }
        if hasEnded { mailbox.close() }
        return mailbox
    }

    package func close(_ mailbox: LibraryMailbox) {
        state.update { $0.mailboxes[ObjectIdentifier(mailbox)] = nil }
        mailbox.close()
    }

    // MARK: - Changing

    /// Downloads what is missing of a voice, unless that is under way.
    ///
    /// - Returns: the voice, with its download; without, if it is here.
    package func download(_ key: String) throws(SpeechError) -> LibraryEntry {
        let voice = try voice(key)
        switch voice.voice.state {
        case .notDownloaded(let missing):
            // Other voices of the model may have brought it.
            let total = max(voice.size, missing)
            downloads.begin(key, at: DownloadStatus(bytes: total - missing, total: total)) { [current] in
                current.read { $0 }.download(voice.voice)
            }
            // It may be over by now.
            guard let status = downloads.status(of: key) else { return try entry(key) }
            return LibraryEntry(voice, status)
        case .unusable(let error): throw error
        default: break
        }
        return entry(voice)
    }

    /// Downloads what is missing of a voice, and waits until it could speak. The download goes on if nobody waits any more.
    ///
    /// - Parameter waiting: is given where the news come; closing it ends the waiting.
    /// - Returns: false if it was cancelled, or nobody waits any more.
    package func downloadWhole(_ key: String, waiting: (LibraryMailbox) -> Void) throws(SpeechError) -> Bool {
        let mailbox = open()
        defer { close(mailbox) }
        waiting(mailbox)
        var entry = try download(key)
        while let status = entry.download {
            if case .failed(let problem, _) = status.state {
                throw .downloadFailed(entry.voice.voice.title, problem)
            }
            // It could speak now.
            if status.state == .measuring { return true }
            if mailbox.next(before: .now + .seconds(60)) == .end { return false }
            entry = try self.entry(key)
        }
        return entry.voice.voice.state == .ready
    }

    /// Stops the download of a voice, and forgets one that failed. What arrived is kept.
    ///
    /// - Returns: the voice, and whether there was a download.
    package func cancel(_ key: String) throws(SpeechError) -> (LibraryEntry, wasThere: Bool) {
        let voice = try voice(key)
        let wasThere = downloads.cancel(key)
        return (entry(voice), wasThere)
    }

    /// Removes the files of a voice.
    ///
    /// - Returns: the bytes that are free again.
    package func remove(_ key: String) throws(SpeechError) -> Int64 {
        let voice = try voice(key)
        let title = voice.voice.title
        if downloads.status(of: key)?.isRunning == true {
            throw .voiceIsDownloading(title)
        }
        guard voice.isRemovable else {
            throw voice.voice.state == .ready
                ? .voiceBuiltIn(title, engine: voice.voice.engine)
                : .voiceNotInstalled(title)
        }
        let backend = current.read { $0 }
        let model = backend.model(of: voice)
        if let model, warm.isInUse(model) { throw .voiceIsSpeaking(title) }
        defer { _ = try? read() }
        let freed = try backend.remove(voice)
        downloads.forget(key)
        // Other voices may have it loaded.
        if let model, model.isGone { warm.drop(model) }
        return freed
    }

    /// Tunes a voice.
    package func tune(_ key: String, to profile: VoiceProfile) throws(SpeechError) -> LibraryEntry {
        try current.read { $0 }.tune(try voice(key), to: profile)
        return try entry(key)
    }

    /// Lists a voice before the others, or leaves it out. What is nil stays.
    package func mark(_ key: String, favourite: Bool?, hidden: Bool?) throws(SpeechError) -> LibraryEntry {
        let voice = try voice(key)
        let backend = current.read { $0 }
        if let favourite { try backend.mark(voice, .favourites, favourite) }
        if let hidden { try backend.mark(voice, .hidden, hidden) }
        return try entry(key)
    }

    /// From now on a voice speaks if none is named.
    package func choose(_ key: String) throws(SpeechError) {
        let voice = try voice(key)
        switch voice.voice.state {
        case .notDownloaded: throw .voiceNotReady(voice.voice.title, key: key)
        case .unusable(let error): throw error
        default: break
        }
        defer { _ = try? read() }
        try current.read { $0 }.choose(voice)
    }

    // MARK: - Inside

    private func entry(_ voice: LibraryVoice) -> LibraryEntry {
        LibraryEntry(voice, downloads.status(of: voice.key))
    }

    private func voice(_ key: String) throws(SpeechError) -> LibraryVoice {
        guard let voice = try read()[key] else { throw .voiceKeyUnknown(key) }
        return voice
    }

    private func read() throws(SpeechError) -> LibraryList { try Self.read(current, state, reading) }

    private static func read(
        _ current: Monitor<any VoiceLibraryBackend>, _ state: Monitor<State>, _ reading: Lock
    ) throws(SpeechError) -> LibraryList {
        let asked = ContinuousClock.now
        return try reading.withLock { () throws(SpeechError) -> LibraryList in
            // Many that wait for their turn share one look.
            let known = state.read { $0.readAt.map { $0 > asked } == true ? $0.list : nil }
            if let known { return known }
            let begin = ContinuousClock.now
            let list = try current.read({ $0 }).library()
            let earlier = state.update { state in
                defer { (state.list, state.readAt) = (list, begin) }
                return state.list
            }
            let change = list.change(since: earlier)
            if !change.isEmpty { tell(change, state) }
            return list
        }
    }

    private static func tell(_ change: LibraryList.Change, _ state: Monitor<State>) {
        for mailbox in state.read({ Array($0.mailboxes.values) }) { mailbox.add(change) }
    }
}
