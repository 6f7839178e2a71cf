import Glibc
import Synchronization
import SynthCatalogue
public import SynthSystem

/// How far the download of a voice is. The one word for it from the store to the page.
@nonexhaustive
public enum DownloadState: Sendable, Hashable {
    /// Nothing is being done, and something is missing. `because` says, in words, what is damaged or incomplete.
    case notDownloaded(because: String?)
    /// Somebody else works on the same files: another process, with its id if it is known, or another download of this one.
    case waiting(process: Int32?)
    /// Its files arrive.
    case downloading(DownloadProgress)
    /// What arrived is compared with its digest.
    case verifying
    /// An archive is unpacked.
    case unpacking
    /// The voice could speak now, and is measured, so that it will be as loud as other voices: some seconds.
    /// `VoiceDownload.cancel` leaves that out.
    case measuring
    /// The last one: the voice could speak now.
    case ready
    /// The last one. What arrived is kept, and the next download goes on from there.
    case failed(SpeechError, mayWorkLater: Bool)
    /// The last one, after it was cancelled. What arrived is kept.
    case cancelled

    package init(_ error: StoreError) {
        self =
            error.kind == .cancelled
            ? .cancelled : .failed(SpeechError(error), mayWorkLater: error.kind == .tryAgain)
    }

    /// Whether work on it is running.
    package var isBusy: Bool {
        switch self {
        case .waiting, .downloading, .verifying, .unpacking, .measuring: true
        case .notDownloaded, .ready, .failed, .cancelled: false
        }
    }
}

/// How much of a voice has arrived, over all its files.
public struct DownloadProgress: Sendable, Hashable {
    /// Bytes that are safe on the disk. Never decreases.
    public let bytes: Int64
    /// Of all its files, in bytes.
    public let total: Int64
    /// nil = not known yet.
    public let bytesPerSecond: Double?
    /// nil = not known yet.
    public let timeLeft: Duration?
    /// Set while nothing arrives, or if what had arrived was discarded.
    package let notice: DownloadNotice?

    package init(
        bytes: Int64, total: Int64, bytesPerSecond: Double? = nil, timeLeft: Duration? = nil,
        notice: DownloadNotice? = nil
    ) {
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
        self.timeLeft = timeLeft
        self.notice = notice
    }

    package var fraction: Double { total > 0 ? Double(bytes) / Double(total) : 0 }
}

/// What happened to a download that continues.
package enum DownloadNotice: Sendable, Hashable {
    /// What had arrived was discarded.
    case restarting
    case retrying(FetchFailure)
    /// The files now come from the alternative source.
    case anotherSource
    /// An optional file could not be had. The voice is complete without it.
    case leftOut(file: String)
}

/// What a pull of voices tells of itself: all of them as one. Any thread may use it.
final class PullProgress: Sendable {
    /// Each once, the largest first.
    let entries: [StoreEntry]
    private let voices: [any Installable]
    private let state: Mutex<State>
    private let onState: @Sendable (DownloadState) -> Void

    private struct State {
        var meter: DownloadMeter
        /// Folders of entries that somebody else has, and what was told of it.
        var waiting: [String: DownloadState] = [:]
    }

    init(_ voices: [any Installable], onState: @escaping @Sendable (DownloadState) -> Void) {
        self.voices = voices
        self.onState = onState
        var found: [StoreEntry] = []
        for entry in voices.flatMap(\.entries) {
            if let place = found.firstIndex(where: { $0.folder == entry.folder }) {
                found[place] = found[place].joined(with: entry)
            } else {
                found.append(entry)
            }
        }
        entries = found.sorted { $0.downloadSize > $1.downloadSize }
        state = Mutex(State(meter: DownloadMeter(total: found.reduce(0) { $0 + $1.downloadSize })))
    }

    /// The name of an entry for the user; for a model that of a voice that uses it.
    func name(of entry: StoreEntry) -> String {
        voices.first { voice in voice.entries.contains { $0.folder == entry.folder } }?.id ?? entry.folder
    }

    // All is told inside the lock: two entries arrive at once, and their sums must be told in order.

    fileprivate func enter(_ news: DownloadState, _ entry: StoreEntry) {
        state.withLock { state in
            if case .waiting = news { state.waiting[entry.folder] = news } else { state.waiting[entry.folder] = nil }
            onState(news)
        }
    }

    fileprivate func update(_ entry: StoreEntry, isLast: Bool = false, _ change: (inout DownloadMeter) -> Void) {
        state.withLock { state in
            state.waiting[entry.folder] = nil
            change(&state.meter)
            onState(.downloading(state.meter.progress))
            // Else the bytes would stand still without a reason.
            if isLast, let other = state.waiting.values.first { onState(other) }
        }
    }
}

/// What the installation of an entry says of itself.
struct EntryReport {
    private let pull: PullProgress
    private let entry: StoreEntry

    init(_ pull: PullProgress, _ entry: StoreEntry) {
        self.pull = pull
        self.entry = entry
    }

    /// `bytes` of the file called `file` are on the disk.
    func arrived(_ bytes: Int64, of file: String) {
        pull.update(entry) { $0.record(bytes, of: entry.folder.child(file), at: .now) }
    }

    /// A message for the user who is waiting.
    func note(_ news: DownloadNotice) { pull.update(entry) { $0.note(news) } }

    /// Somebody else has the entry; the id of the process, if it is known and another one.
    func waits(for process: Int32?) { pull.enter(.waiting(process: process == getpid() ? nil : process), entry) }

    func verifies() { pull.enter(.verifying, entry) }

    func unpacks() { pull.enter(.unpacking, entry) }

    /// The entry is installed.
    func finishes() {
        pull.update(entry, isLast: true) { meter in
            for file in entry.files { meter.record(file.size, of: entry.folder.child(file.name), at: .now) }
        }
    }
}

/// Adds up what arrives for a pull. The progress never goes backwards.
struct DownloadMeter {
    let total: Int64
    private var done: [String: Int64] = [:]
    private var shown: Int64 = 0
    private var marks: [(time: ContinuousClock.Instant, bytes: Int64)] = []
    private var notice: DownloadNotice?

    /// The time that speed is measured over: long enough to be steady, short enough to be current.
    private static let window = Duration.seconds(5)

    init(total: Int64) { self.total = total }

    /// `bytes` of the file called `file` are on the disk.
    mutating func record(_ bytes: Int64, of file: String, at time: ContinuousClock.Instant) {
        let before = done[file] ?? 0
        done[file] = bytes
        if bytes < before {
            marks.removeAll()
            notice = .restarting
        } else if bytes > before, notice != .restarting || sum >= shown {
            notice = nil
        }
        shown = min(max(shown, sum), total)
        marks.append((time, sum))
        if marks.count > 2, let first = marks.firstIndex(where: { $0.time >= time - DownloadMeter.window }) {
            marks.removeFirst(max(0, first - 1))
        }
    }

    mutating func note(_ news: DownloadNotice) {
        notice = news
        marks.removeAll()
    }

    var progress: DownloadProgress {
        var speed: Double?
        if let first = marks.first, let last = marks.last, last.time - first.time > .milliseconds(300) {
            let elapsed = last.time - first.time
            let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
            speed = Double(last.bytes - first.bytes) / seconds
        }
        let left: Duration? = speed.flatMap { $0 > 0 ? .seconds(Double(max(0, total - sum)) / $0) : nil }
        return DownloadProgress(bytes: shown, total: total, bytesPerSecond: speed, timeLeft: left, notice: notice)
    }

    private var sum: Int64 { done.values.reduce(0, +) }
}
