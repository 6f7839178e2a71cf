package import SynthHost
import SynthSystem

/// The downloads of a service: one for each voice, whoever asked for it, and a few at once. Any thread may use it.
final class VoiceDownloads: Sendable {
    private struct Entry {
        var status: DownloadStatus
        let make: @Sendable () -> VoiceDownload
        /// nil = it waits for its turn, or has failed.
        var download: VoiceDownload?
        var isCancelled = false
        /// It was asked for again after it was cancelled.
        var isWantedAgain = false
    }
    private struct State {
        var entries: [String: Entry] = [:]
        /// Those that wait, the next one first.
        var queue: [String] = []
    }
    /// More would share the same line.
    private static let mostAtOnce = 3

    private let state = Monitor(State())
    private let onChange: @Sendable (_ key: String) -> Void
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - onChange: a voice's download is another now. Any thread; must not block.
    ///   - onEnd: a download is over, which is not told yet. May block.
    init(onChange: @escaping @Sendable (_ key: String) -> Void, onEnd: @escaping @Sendable () -> Void) {
        self.onChange = onChange
        self.onEnd = onEnd
    }

    /// nil = there is no download, and the last one did not fail.
    func status(of key: String) -> DownloadStatus? { state.read { $0.entries[key]?.status } }

    /// Downloads a voice, unless that is under way.
    ///
    /// - Parameter status: how far it is before.
    func begin(_ key: String, at status: DownloadStatus, _ make: @escaping @Sendable () -> VoiceDownload) {
        let isNew = state.update { state in
            if let entry = state.entries[key], entry.status.isRunning {
                state.entries[key]?.isWantedAgain = entry.isCancelled
                return false
            }
            state.entries[key] = Entry(status: status, make: make)
            state.queue.append(key)
            return true
        }
        guard isNew else { return }
        onChange(key)
        startNext()
    }

    /// Stops a download; what arrived is kept. One that failed is forgotten.
    ///
    /// - Returns: false if there is none.
    func cancel(_ key: String) -> Bool {
        let (found, download) = state.update { state -> (Bool, VoiceDownload?) in
            guard let entry = state.entries[key] else { return (false, nil) }
            guard let download = entry.download else {
                state.entries[key] = nil
                state.queue.removeAll { $0 == key }
                return (true, nil)
            }
            state.entries[key]?.isCancelled = true
            state.entries[key]?.isWantedAgain = false
            return (true, download)
        }
        if let download { download.cancel() } else if found { onChange(key) }
        return found
    }

    /// Forgets a download that failed.
    func forget(_ key: String) {
        state.update { state in
            if state.entries[key]?.status.isRunning == false { state.entries[key] = nil }
        }
    }

    func cancelAll() {
        for key in state.read({ Array($0.entries.keys) }) { _ = cancel(key) }
    }

    private func startNext() {
        let started = state.update { state -> [(String, VoiceDownload)] in
            var running = state.entries.values.count { $0.download != nil }
            var started: [(String, VoiceDownload)] = []
            while running < Self.mostAtOnce, !state.queue.isEmpty {
                let key = state.queue.removeFirst()
                guard let download = state.entries[key]?.make() else { continue }
                state.entries[key]?.download = download
                state.entries[key]?.status.begin()
                started.append((key, download))
                running += 1
            }
            return started
        }
        for (key, download) in started {
            onChange(key)
            // Somebody waits for it.
            Task(priority: .userInitiated) { await self.follow(download, key) }
        }
    }

    private func follow(_ download: VoiceDownload, _ key: String) async {
        var last = DownloadState.cancelled
        for await state in download {
            last = state
            if state.isBusy, take(state, key) { onChange(key) }
        }
        let end = last
        await onThread("library") { [self] in
            onEnd()
            finish(key, end)
            onChange(key)
            startNext()
        }
    }

    private func take(_ news: DownloadState, _ key: String) -> Bool {
        state.update { state in
            guard let before = state.entries[key]?.status else { return false }
            state.entries[key]?.status.take(news)
            return state.entries[key]?.status != before
        }
    }

    private func finish(_ key: String, _ last: DownloadState) {
        state.update { state in
            guard var entry = state.entries[key] else { return }
            entry.download = nil
            entry.status.take(last)
            if case .cancelled = last, entry.isWantedAgain {
                (entry.isCancelled, entry.isWantedAgain) = (false, false)
                entry.status.wait()
                state.queue.append(key)
            }
            let isOver = !state.queue.contains(key) && entry.status.isRunning
            state.entries[key] = isOver ? nil : entry
        }
    }
}

/// The download of a voice of a library, with the bytes that count in all its states.
package struct DownloadStatus: Equatable, Sendable {
    /// It waits also until fewer others are downloaded.
    package private(set) var state = DownloadState.waiting(process: nil)
    package private(set) var progress: DownloadProgress

    init(bytes: Int64, total: Int64) { progress = DownloadProgress(bytes: bytes, total: total) }

    package var isRunning: Bool { if case .failed = state { false } else { true } }

    mutating func begin() { state = .downloading(progress) }

    mutating func wait() { enter(.waiting(process: nil)) }

    mutating func take(_ news: DownloadState) {
        switch news {
        case .downloading(let progress): (state, self.progress) = (news, progress)
        // A small file may be compared while a large one still comes.
        case .verifying: if progress.bytes >= progress.total { enter(news) }
        case .measuring:
            progress = DownloadProgress(bytes: progress.total, total: progress.total)
            enter(news)
        case .waiting, .unpacking, .failed: enter(news)
        default: break
        }
    }

    /// Nothing arrives meanwhile.
    private mutating func enter(_ state: DownloadState) {
        self.state = state
        progress = DownloadProgress(bytes: progress.bytes, total: progress.total)
    }
}
