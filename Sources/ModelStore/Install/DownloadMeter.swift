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
        return DownloadProgress(bytes: shown, total: total, speed: speed, timeLeft: left, notice: notice)
    }

    private var sum: Int64 { done.values.reduce(0, +) }
}
