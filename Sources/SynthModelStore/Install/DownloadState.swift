import Glibc
import Synchronization
import SynthCatalogue
public import SynthSystem

/// The download state of a voice, used in all layers from the store to the web page.
@nonexhaustive
public enum DownloadState: Sendable, Hashable {
    /// The voice is incomplete, and no download is in progress. `because` describes the damaged or missing files.
    case notDownloaded(because: String?)
    /// Waiting for another download of the same files, in another process (with its ID, if known) or in this process.
    case waiting(process: Int32?)
    /// The files are being downloaded.
    case downloading(DownloadProgress)
    /// The downloaded files are being verified against their digests.
    case verifying
    /// An archive is being unpacked.
    case unpacking
    /// The voice is ready, and its loudness is being measured, so that the voice can be played at the same loudness as other voices. This
    /// takes a few seconds; `VoiceDownload.cancel` skips it.
    case measuring
    /// Final state: the voice is ready.
    case ready
    /// Final state: the download failed. Downloaded data is kept, and the next download resumes from it.
    case failed(SpeechError, mayWorkLater: Bool)
    /// Final state: the download was cancelled. Downloaded data is kept.
    case cancelled

    package init(_ error: StoreError) {
        self =
            error.kind == .cancelled
            ? .cancelled : .failed(SpeechError(error), mayWorkLater: error.kind == .tryAgain)
    }

    /// Whether work is in progress.
    package var isBusy: Bool {
        switch self {
        case .waiting, .downloading, .verifying, .unpacking, .measuring: true
        case .notDownloaded, .ready, .failed, .cancelled: false
        }
    }
}

/// The progress of a download across all of the voice's files.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes that have been written to disk. Never decreases.
    public let bytes: Int64
    /// The total size of all files in bytes.
    public let total: Int64
    /// The download speed; nil if it is not known yet.
    public let bytesPerSecond: Double?
    /// The estimated time remaining; nil if it is not known yet.
    public let timeLeft: Duration?
    /// Set while no data is arriving, and after downloaded data has been discarded.
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

/// An event during a download, after which the download continues.
package enum DownloadNotice: Sendable, Hashable {
    case restarting
    case retrying(FetchFailure)
    /// The files are now being downloaded from the alternative source.
    case anotherSource
    /// An optional file could not be downloaded. The voice is complete without it.
    case leftOut(file: String)
}

/// Reports the combined progress of all voices in a pull. Thread-safe.
final class PullProgress: Sendable {
    /// The entries without duplicates, largest first.
    let entries: [StoreEntry]
    private let voices: [any Installable]
    private let state: Mutex<State>
    private let onState: @Sendable (DownloadState) -> Void

    private struct State {
        var meter: DownloadMeter
        /// Folders of entries that are in use elsewhere, with the state reported for each.
        var waiting: [String: DownloadState] = [:]
    }

    init(_ voices: [any Installable], onState: @escaping @Sendable (DownloadState) -> Void) {
        self.voices = voices
        self.onState = onState
        var found: [StoreEntry] = []
        for entry in voices.flatMap(\.entries) {
            if let position = found.firstIndex(where: { $0.folder == entry.folder }) {
                found[position] = found[position].joined(with: entry)
            } else {
                found.append(entry)
            }
        }
        entries = found.sorted { $0.downloadSize > $1.downloadSize }
        state = Mutex(State(meter: DownloadMeter(total: found.reduce(0) { $0 + $1.downloadSize })))
    }

    /// An entry's display name; for a model, the ID of a voice that uses it.
    func name(of entry: StoreEntry) -> String {
        voices.first { voice in voice.entries.contains { $0.folder == entry.folder } }?.id ?? entry.folder
    }

    // Report while holding the lock: two entries are downloaded at a time, and their totals must be reported in order.

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
            // Report that another entry is waiting. Otherwise, the progress would stall without explanation.
            if isLast, let other = state.waiting.values.first { onState(other) }
        }
    }
}

struct EntryReport {
    let pull: PullProgress
    let entry: StoreEntry

    /// The voice that the user requested, to show in messages.
    var voice: String { pull.name(of: entry) }

    /// Reports that `bytes` of `file` have been written to disk.
    func arrived(_ bytes: Int64, of file: String) {
        pull.update(entry) { $0.record(bytes, of: entry.folder.child(file), at: .now) }
    }

    func note(_ news: DownloadNotice) { pull.update(entry) { $0.note(news) } }

    /// Reports that the entry is in use elsewhere. `process` is the ID of the process that uses it, if known.
    func waits(for process: Int32?) { pull.enter(.waiting(process: process == getpid() ? nil : process), entry) }

    func verifies() { pull.enter(.verifying, entry) }

    func unpacks() { pull.enter(.unpacking, entry) }

    func finishes() {
        pull.update(entry, isLast: true) { meter in
            for file in entry.files { meter.record(file.size, of: entry.folder.child(file.name), at: .now) }
        }
    }
}

/// Sums up the downloaded bytes of a pull. The progress never decreases.
struct DownloadMeter {
    let total: Int64
    private var done: [String: Int64] = [:]
    private var shown: Int64 = 0
    private var marks: [(time: ContinuousClock.Instant, bytes: Int64)] = []
    private var notice: DownloadNotice?

    /// The time window for measuring speed: long enough for a steady value, but short enough for a current one.
    private static let window = Duration.seconds(5)

    init(total: Int64) { self.total = total }

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
            speed = Double(last.bytes - first.bytes) / (last.time - first.time).seconds
        }
        let left: Duration? = speed.flatMap { $0 > 0 ? .seconds(Double(max(0, total - sum)) / $0) : nil }
        return DownloadProgress(bytes: shown, total: total, bytesPerSecond: speed, timeLeft: left, notice: notice)
    }

    private var sum: Int64 { done.values.reduce(0, +) }
}
