package import SynthHost
import SynthSystem

/// A service's downloads. Each voice has at most one download, even if several clients request it, and the number of
/// concurrent downloads is limited. Thread-safe.
final class VoiceDownloads: Sendable {
    private struct Entry {
        var status: DownloadStatus
        let make: @Sendable () -> VoiceDownload
        /// The running download, or nil while the entry is queued and after the download has failed.
        var download: VoiceDownload?
        var isCancelled = false
        var isWantedAgain = false
    }
    private struct State {
        var entries: [String: Entry] = [:]
        /// The keys of the queued downloads, in order.
        var queue: [String] = []
    }
    /// The maximum number of concurrent downloads. Additional downloads would only compete for the same bandwidth.
    private static let concurrencyLimit = 3

    private let state = Monitor(State())
    private let onChange: @Sendable (_ key: String) -> Void
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - onChange: called on any thread when a voice's download changes. This callback must not block.
    ///   - onEnd: called before `onChange` when a download has ended. This callback may block.
    init(onChange: @escaping @Sendable (_ key: String) -> Void, onEnd: @escaping @Sendable () -> Void) {
        self.onChange = onChange
        self.onEnd = onEnd
    }

    /// Returns the status of a running, queued or failed download, or nil if there is none.
    func status(of key: String) -> DownloadStatus? { state.read { $0.entries[key]?.status } }

    /// Starts a download unless there is one already.
    ///
    /// - Parameter status: the initial status.
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

    /// Stops a download, or removes a failed download from the list. Received data stays on disk.
    ///
    /// - Returns: false if there is no download.
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

    /// Removes a failed download from the list.
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
            while running < Self.concurrencyLimit, !state.queue.isEmpty {
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
            // The priority is high because a user is waiting for the download.
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

    private func take(_ newState: DownloadState, _ key: String) -> Bool {
        state.update { state in
            guard let before = state.entries[key]?.status else { return false }
            state.entries[key]?.status.take(newState)
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

/// The status of a voice's download, with byte counts.
package struct DownloadStatus: Equatable, Sendable {
    /// The state, which is also `waiting` while the download is in the service's queue.
    package private(set) var state = DownloadState.waiting(process: nil)
    package private(set) var progress: DownloadProgress

    init(bytes: Int64, total: Int64) { progress = DownloadProgress(bytes: bytes, total: total) }

    package var isRunning: Bool { if case .failed = state { false } else { true } }

    mutating func begin() { state = .downloading(progress) }

    mutating func wait() { enter(.waiting(process: nil)) }

    mutating func take(_ newState: DownloadState) {
        switch newState {
        case .downloading(let progress): (state, self.progress) = (newState, progress)
        // A small file may be verified while a larger file is still being downloaded.
        case .verifying: if progress.bytes >= progress.total { enter(newState) }
        case .measuring:
            progress = DownloadProgress(bytes: progress.total, total: progress.total)
            enter(newState)
        case .waiting, .unpacking, .failed: enter(newState)
        default: break
        }
    }

    /// Resets the speed and enters a state in which no data arrives.
    private mutating func enter(_ state: DownloadState) {
        self.state = state
        progress = DownloadProgress(bytes: progress.bytes, total: progress.total)
    }
}
