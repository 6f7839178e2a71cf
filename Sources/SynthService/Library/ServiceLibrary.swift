import SynthCatalogue
package import SynthHost
import SynthSystem

/// The voices of a service, with methods to download, remove, tune and choose them. Notifies all mailboxes of changes.
/// Thread-safe. Methods that return voices read the disk.
package final class ServiceLibrary: Sendable {
    private struct State {
        var list = LibraryList([], chosen: nil)
        /// The start time of the latest read of the list.
        var readAt: ContinuousClock.Instant?
        var mailboxes: [ObjectIdentifier: LibraryMailbox] = [:]
        var hasEnded = false
    }
    private let current: Monitor<any HostBackend>
    private let warm: WarmModels
    private let state: Monitor<State>
    private let downloads: VoiceDownloads
    /// Serializes reads so that an older list never replaces a newer one.
    private let reading: Lock

    /// - Parameter warm: the service's model cache.
    package init(_ host: SpeechHost, _ warm: WarmModels) {
        let (state, current, reading) = (Monitor(State()), Monitor(host.backend), Lock())
        self.reading = reading
        self.current = current
        self.warm = warm
        self.state = state
        downloads = VoiceDownloads(
            onChange: { key in Self.tell(.init(voices: [key]), state) },
            onEnd: { _ = try? Self.read(current, state, reading) })
    }

    /// Switches to the backend of `host`. Downloads in progress continue.
    package func replace(_ host: SpeechHost) {
        current.update { $0 = host.backend }
        _ = try? read()
    }

    /// Closes all mailboxes. Mailboxes opened later are closed from the start. Downloads continue.
    package func end() {
        let mailboxes = state.update { state in
            state.hasEnded = true
            return Array(state.mailboxes.values)
        }
        for mailbox in mailboxes { mailbox.close() }
    }

    /// Closes the library and stops all downloads. Received data stays on disk.
    package func close() {
        end()
        downloads.cancelAll()
    }

    // MARK: - Queries

    /// Reads and returns the current voices.
    package func entries() throws(SpeechError) -> (voices: [LibraryEntry], chosen: String?) {
        let list = try read()
        return (list.voices.map(entry), list.chosen)
    }

    /// The voices at the time of the latest read, with the current state of their downloads. Does not read the disk.
    package var known: (voices: [LibraryEntry], chosen: String?) {
        let list = state.read { $0.list }
        return (list.voices.map(entry), list.chosen)
    }

    /// Returns a voice from ``known``, or nil if it no longer exists.
    package func knownEntry(_ key: String) -> LibraryEntry? { state.read { $0.list[key] }.map(entry) }

    /// Reads and returns the current state of one voice.
    package func entry(_ key: String) throws(SpeechError) -> LibraryEntry {
        // Read the status first: if the download ends between the two reads, the voice is reported as ready.
        let status = downloads.status(of: key)
        return LibraryEntry(try voice(key), status)
    }

    /// Opens a mailbox for future changes.
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

    // MARK: - Changes

    /// Starts downloading a voice unless it is already being downloaded.
    ///
    /// - Returns: the voice and its download. If the voice is already installed, there is no download.
    package func download(_ key: String) throws(SpeechError) -> LibraryEntry {
        let voice = try voice(key)
        switch voice.state {
        case .notDownloaded(let missing):
            // Another download may have installed the shared model in the meantime.
            let total = max(voice.size, missing)
            downloads.begin(key, at: DownloadStatus(bytes: total - missing, total: total)) { [current] in
                current.read { $0 }.download(voice)
            }
            // The download may already have ended.
            guard let status = downloads.status(of: key) else { return try entry(key) }
            return LibraryEntry(voice, status)
        case .unusable(let error): throw error
        default: break
        }
        return entry(voice)
    }

    /// Downloads a voice and blocks until it is ready. The download continues even if the caller stops waiting.
    ///
    /// - Parameter waiting: receives the mailbox that is used for waiting. Close the mailbox to stop waiting.
    /// - Returns: false if the download was cancelled or the caller stopped waiting.
    package func downloadWhole(_ key: String, waiting: (LibraryMailbox) -> Void) throws(SpeechError) -> Bool {
        let mailbox = open()
        defer { close(mailbox) }
        waiting(mailbox)
        var entry = try download(key)
        while let status = entry.download {
            if case .failed(let problem, _) = status.state {
                throw .downloadFailed(entry.voice.title, problem)
            }
            // The voice is already usable.
            if status.state == .measuring { return true }
            if mailbox.next(before: .now + .seconds(60)) == .end { return false }
            entry = try self.entry(key)
        }
        return entry.voice.state == .ready
    }

    /// Stops a download, or removes a failed download from the list. Received data stays on disk.
    ///
    /// - Returns: the voice, and whether there was a download to stop or remove.
    package func cancel(_ key: String) throws(SpeechError) -> (LibraryEntry, wasThere: Bool) {
        let voice = try voice(key)
        let wasThere = downloads.cancel(key)
        return (entry(voice), wasThere)
    }

    /// Removes a voice's files.
    ///
    /// - Returns: the number of bytes freed.
    package func remove(_ key: String) throws(SpeechError) -> Int64 {
        let voice = try voice(key)
        let title = voice.title
        if downloads.status(of: key)?.isRunning == true {
            throw .voiceIsDownloading(title)
        }
        guard voice.isRemovable else {
            throw voice.state == .ready
                ? .voiceBuiltIn(title, engine: voice.engine)
                : .voiceNotInstalled(title)
        }
        let backend = current.read { $0 }
        let model = backend.model(of: voice)
        if let model, warm.isInUse(model) { throw .voiceIsSpeaking(title) }
        defer { _ = try? read() }
        let freed = try Self.remove(voice, from: backend)
        downloads.forget(key)
        // Keep the model if other voices still use it.
        if let model, model.isGone { warm.drop(model) }
        return freed
    }

    /// Sets a voice's profile.
    package func tune(_ key: String, to profile: VoiceProfile) throws(SpeechError) -> LibraryEntry {
        _ = try current.read { $0 }.change(.profile(profile), of: try voice(key))
        return try entry(key)
    }

    /// Marks a voice as a favorite or as hidden. A value of nil leaves the mark unchanged.
    package func mark(_ key: String, favorite: Bool?, hidden: Bool?) throws(SpeechError) -> LibraryEntry {
        let voice = try voice(key)
        let backend = current.read { $0 }
        if let favorite { _ = try backend.change(.list(.favorites, favorite), of: voice) }
        if let hidden { _ = try backend.change(.list(.hidden, hidden), of: voice) }
        return try entry(key)
    }

    /// Makes a voice the default.
    package func choose(_ key: String) throws(SpeechError) {
        let voice = try voice(key)
        switch voice.state {
        case .notDownloaded: throw .voiceNotReady(voice.title, key: key)
        case .unusable(let error): throw error
        default: break
        }
        defer { _ = try? read() }
        _ = try current.read { $0 }.change(.chosen, of: voice)
    }

    // MARK: - Private

    private static func remove(_ voice: SpeechVoice, from backend: any HostBackend) throws(SpeechError) -> Int64 {
        do {
            return try backend.remove(voice)
        } catch {
            // These errors do not mean that removing the files failed: either the request was rejected, or the files
            // were removed but the configuration still contains the voice.
            let others: Set<SpeechError.Code> = [
                .configurationInvalid, .configurationNotWritten, .settingInvalid, .registryInvalid, .voiceBuiltIn,
                .voiceNotInstalled,
            ]
            guard !others.contains(error.code) else { throw error }
            throw .removalFailed(voice.title, error)
        }
    }

    private func entry(_ voice: SpeechVoice) -> LibraryEntry {
        LibraryEntry(voice, downloads.status(of: voice.key))
    }

    private func voice(_ key: String) throws(SpeechError) -> SpeechVoice {
        guard let voice = try read()[key] else { throw .voiceKeyUnknown(key) }
        return voice
    }

    private func read() throws(SpeechError) -> LibraryList { try Self.read(current, state, reading) }

    private static func read(
        _ current: Monitor<any HostBackend>, _ state: Monitor<State>, _ reading: Lock
    ) throws(SpeechError) -> LibraryList {
        let asked = ContinuousClock.now
        return try reading.withLock { () throws(SpeechError) -> LibraryList in
            // Callers that were waiting for the lock at the same time share the result of a single read.
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
