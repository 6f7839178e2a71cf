import SynthJSON
import SynthSystem

/// Decides what to write during an operation, and when. This value type neither reads a clock nor writes to a terminal;
/// `ProgressReporter` does both.
struct ProgressDisplay: Sendable {
    static let silence = Duration.seconds(1)
    static let timeout = Duration.seconds(10)
    static let redraw = Duration.milliseconds(100)
    /// The interval between plain lines if the total amount of work is unknown.
    static let plainInterval = Duration.seconds(30)
    /// The progress between two plain lines, in percentage points.
    static let plainStep = 10

    let form: ProgressForm
    let began: Duration
    var meter: ProgressMeter
    /// Whether a live line is currently on the terminal.
    private(set) var isLineShown = false
    private var lastTime: Duration?
    private var lastText = ""
    private var lastLabel = ""
    private var lastPercent = 0

    init(form: ProgressForm, label: String, at time: Duration) {
        self.form = form
        began = time
        meter = ProgressMeter(label: label)
    }

    /// Returns the text to write now, or nil if nothing has changed or it is too early.
    mutating func text(at time: Duration, width: Int) -> String? {
        switch form {
        case .quiet:
            return nil
        case .json:
            if let lastTime, time - lastTime < Self.redraw { return nil }
            lastTime = time
            return ProgressEvent.progress(meter.progress(at: time)).json + "\n"
        case .live:
            guard time - began >= Self.silence else { return nil }
            if let lastTime, time - lastTime < Self.redraw { return nil }
            lastTime = time
            return drawLive(at: time, width: width)
        case .plain:
            guard time - began >= Self.silence else { return nil }
            return drawPlain(at: time)
        }
    }

    /// Clears the live line. The next call to `text` redraws it.
    mutating func clearing() -> String? {
        guard isLineShown else { return nil }
        isLineShown = false
        lastText = ""
        lastTime = nil
        return "\r\u{1B}[K"
    }

    /// Returns the next time at which `text` may change even without a report.
    func nextTime(after time: Duration) -> Duration? {
        switch form {
        case .quiet, .json: nil
        case .live, .plain:
            if time < began + Self.silence {
                began + Self.silence
            } else if form == .plain {
                max(time, lastTime ?? time) + Self.plainInterval
            } else {
                time + .seconds(1)
            }
        }
    }

    // The cursor is not hidden, because it would stay hidden if the process were killed. It is left at the start of the
    // line, so that output from other programs overwrites the line. The last column is left empty, because some
    // terminals wrap when it is filled.
    private mutating func drawLive(at time: Duration, width: Int) -> String? {
        let line = ProgressLine.draw(shown(at: time), width: max(1, width - 1))
        guard line != lastText || !isLineShown else { return nil }
        lastText = line
        isLineShown = true
        return "\r\(line)\u{1B}[K\r"
    }

    // Prints one line per label or per 10%, because screen readers read out every line.
    private mutating func drawPlain(at time: Duration) -> String? {
        let share = meter.progress(at: time).fraction
        let percent = share.map(HumanReadable.percent) ?? 0
        if let lastTime, meter.label == lastLabel {
            // The fraction decreases only if the operation is restarted.
            let isDue =
                share == nil
                ? time - lastTime >= Self.plainInterval
                : !(lastPercent..<lastPercent + Self.plainStep).contains(percent)
            guard isDue else { return nil }
        }
        lastTime = time
        lastLabel = meter.label
        lastPercent = percent - percent % Self.plainStep
        let line = ProgressLine.draw(shown(at: time), width: .max)
        guard line != lastText else { return nil }
        lastText = line
        return line + "\n"
    }

    /// Returns only the label for a short operation, and all progress values for an operation that runs or is expected
    /// to run for a long time.
    private func shown(at time: Duration) -> Progress {
        let progress = meter.progress(at: time)
        let elapsed = time - began
        let lasts = elapsed >= Self.timeout || progress.timeLeft.map { elapsed + $0 > Self.timeout } ?? false
        return lasts ? progress : Progress(label: progress.label)
    }
}

/// How progress is shown.
package enum ProgressForm: Sendable {
    /// A terminal line that is redrawn in place.
    case live
    /// One line per 10%.
    case plain
    /// One JSON object per line.
    case json
    case quiet

    /// Chooses how to show progress. `--quiet` takes precedence over `--json`, and both take precedence over the style.
    package init(for style: TerminalStyle, json: Bool = false, quiet: Bool = false) {
        if quiet {
            self = .quiet
        } else if json {
            self = .json
        } else {
            self = style.allowsAnimation ? .live : .plain
        }
    }
}

/// Progress as a line of text.
package enum ProgressLine {
    /// Returns a line without a newline, at most `width` columns wide. If the line would be too long, omits the speed,
    /// then the additional text, the byte counts and the remaining time, and finally truncates the label.
    package static func draw(_ progress: Progress, width: Int) -> String {
        let label = CleanText.line(progress.label)
        let percentage = progress.fraction.map { HumanReadable.percentage($0) }
        let bytes = bytes(of: progress)
        let speed = progress.bytesPerSecond.map { HumanReadable.speed(bytesPerSecond: $0) }
        let timeLeft = progress.timeLeft.map { HumanReadable.timeLeft($0) }
        guard percentage != nil || bytes != nil else { return DisplayWidth.truncate(label + "…", to: width) }

        for details in [
            [percentage, bytes, speed, progress.detail, timeLeft], [percentage, bytes, progress.detail, timeLeft],
            [percentage, bytes, timeLeft], [percentage, timeLeft],
        ] {
            let line = ([label] + details.compactMap(\.self)).joined(separator: "  ")
            if DisplayWidth.columns(line) <= width { return line }
        }
        let last = percentage ?? bytes ?? ""
        let room = width - DisplayWidth.columns(last) - 2
        guard room > 0 else { return DisplayWidth.truncate(last, to: width) }
        return DisplayWidth.truncate(label, to: room) + "  " + last
    }

    private static func bytes(of progress: Progress) -> String? {
        guard let done = progress.bytesDone else { return nil }
        guard let total = progress.bytesTotal else { return ByteCount.words(done) }
        return "\(ByteCount.words(done)) of \(ByteCount.words(total))"
    }
}

/// A progress event. With `--json`, each event is printed as one line.
///
/// The events are `begin`, `progress`, `message` and `end`. A `message` has a `text`, and all others have a `label`.
/// `progress` and `end` also have `fraction`, `bytesDone`, `bytesTotal`, `bytesPerSecond`, `secondsLeft` and `detail`,
/// if these are known.
package enum ProgressEvent: Sendable {
    case begin(label: String)
    case progress(Progress)
    case message(String)
    case end(Progress)

    /// The JSON object, without a newline.
    package var json: String {
        switch self {
        case .begin(let label): object("begin", ["\"label\":\(Self.quote(label))"])
        case .progress(let progress): object("progress", Self.members(of: progress))
        case .message(let text): object("message", ["\"text\":\(Self.quote(text))"])
        case .end(let progress): object("end", Self.members(of: progress))
        }
    }

    private func object(_ name: String, _ members: [String]) -> String {
        "{" + (["\"event\":\"\(name)\""] + members).joined(separator: ",") + "}"
    }

    private static func members(of progress: Progress) -> [String] {
        var members = ["\"label\":\(quote(progress.label))"]
        if let fraction = progress.fraction { members.append("\"fraction\":\((fraction * 10000).rounded() / 10000)") }
        if let done = progress.bytesDone { members.append("\"bytesDone\":\(done)") }
        if let total = progress.bytesTotal { members.append("\"bytesTotal\":\(total)") }
        if let speed = progress.bytesPerSecond { members.append("\"bytesPerSecond\":\(speed.rounded())") }
        if let left = progress.timeLeft { members.append("\"secondsLeft\":\((left / .seconds(1)).rounded())") }
        if let detail = progress.detail { members.append("\"detail\":\(quote(detail))") }
        return members
    }

    private static func quote(_ text: String) -> String { JSONString.quoted(text) }
}
