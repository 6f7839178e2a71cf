import Glibc
import Synchronization
import System
import VoiceCatalogue

/// Turns the steps of installations into states of the voices that need them.
final class PullProgress: Sendable {
    /// Each once, the largest first.
    let entries: [StoreEntry]
    private let voices: [any Installable]
    /// Each voice, and all of them as one if there are several.
    private let subjects: [Subject]
    private let live: LiveStates
    private let meters: Mutex<[String: DownloadMeter]>

    /// A voice, or several together, whose state is published.
    private struct Subject {
        let name: String
        /// The folders of its entries.
        let folders: Set<String>
        /// In bytes.
        let total: Int64

        init(_ name: String, _ entries: [StoreEntry]) {
            self.name = name
            folders = Set(entries.map(\.folder))
            total = entries.reduce(0) { $0 + $1.downloadSize }
        }
    }

    init(_ voices: [any Installable], _ live: LiveStates) {
        self.voices = voices
        self.live = live
        var found: [StoreEntry] = []
        for entry in voices.flatMap(\.entries) {
            if let place = found.firstIndex(where: { $0.folder == entry.folder }) {
                found[place] = found[place].joined(with: entry)
            } else {
                found.append(entry)
            }
        }
        entries = found.sorted { $0.downloadSize > $1.downloadSize }
        var subjects = voices.map { Subject($0.folder, $0.entries) }
        if voices.count > 1 { subjects.append(Subject(LiveStates.name(of: voices), entries)) }
        self.subjects = subjects
        meters = Mutex(Dictionary(subjects.map { ($0.name, DownloadMeter(total: $0.total)) }) { first, _ in first })
    }

    /// The name of an entry for the user; for a model that of a voice that uses it.
    func name(of entry: StoreEntry) -> String {
        voices.first { voice in voice.entries.contains { $0.folder == entry.folder } }?.id ?? entry.folder
    }

    /// - Parameter bytes: of the file, on the disk.
    fileprivate func arrived(_ bytes: Int64, of file: String, in entry: StoreEntry) {
        for subject in subjects(of: entry) {
            update(subject) { $0.record(bytes, of: entry.folder.child(file), at: .now) }
        }
    }

    fileprivate func note(_ news: DownloadNotice, of entry: StoreEntry) {
        for subject in subjects(of: entry) { update(subject) { $0.note(news) } }
    }

    fileprivate func enter(_ state: DownloadState, _ entry: StoreEntry) {
        for subject in subjects(of: entry) { live.publish(state, of: subject.name) }
    }

    private func subjects(of entry: StoreEntry) -> [Subject] {
        subjects.filter { $0.folders.contains(entry.folder) }
    }

    /// The entry is installed.
    func finish(_ entry: StoreEntry) {
        for subject in subjects(of: entry) {
            update(subject) { meter in
                for file in entry.files { meter.record(file.size, of: entry.folder.child(file.name), at: .now) }
            }
        }
    }

    private func update(_ subject: Subject, _ change: (inout DownloadMeter) -> Void) {
        meters.withLock { meters in
            guard var meter = meters[subject.name] else { return }
            change(&meter)
            meters[subject.name] = meter
            // Published inside the lock: two entries arrive at once, and their sums must be published in order.
            live.publish(.downloading(meter.progress), of: subject.name)
        }
    }
}

/// What an installation says of itself.
struct EntryReport {
    private let pull: PullProgress
    private let entry: StoreEntry

    init(_ pull: PullProgress, _ entry: StoreEntry) {
        self.pull = pull
        self.entry = entry
    }

    /// `bytes` of the file called `file` are on the disk.
    func arrived(_ bytes: Int64, of file: String) { pull.arrived(bytes, of: file, in: entry) }

    /// A message for the user who is waiting.
    func note(_ news: DownloadNotice) { pull.note(news, of: entry) }

    /// Another process has the entry; its id, if it is known.
    func waits(for process: Int32?) { if process != getpid() { pull.enter(.waiting(process: process), entry) } }

    func verifies() { pull.enter(.verifying, entry) }

    func unpacks() { pull.enter(.unpacking, entry) }
}

/// Adds up what arrives for one voice. The progress never goes backwards.
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

    /// Counts a whole file that came in another way or is not needed.
    mutating func finish(_ file: String, size: Int64, at time: ContinuousClock.Instant) {
        record(size, of: file, at: time)
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
