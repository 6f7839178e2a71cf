/// Decides what to write, and when, for one wait. It uses no clock and no terminal; `ProgressReporter` drives it.
struct ProgressDisplay: Sendable {
    static let silence = Duration.seconds(1)
    static let patience = Duration.seconds(10)
    static let redraw = Duration.milliseconds(100)
    static let plainInterval = Duration.seconds(5)
    static let plainStep = 10

    let form: ProgressForm
    let began: Duration
    var meter: ProgressMeter
    /// Whether a live line is on the terminal now.
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

    /// The text to write at this moment; nil if there is nothing new to show or it is too early.
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

    /// Clears the live line; the next `text` draws it again.
    mutating func clearing() -> String? {
        guard isLineShown else { return nil }
        isLineShown = false
        lastText = ""
        lastTime = nil
        return "\r\u{1B}[K"
    }

    /// The next time at which `text` may have something new even without a report.
    func nextTime(after time: Duration) -> Duration? {
        switch form {
        case .quiet, .json: nil
        case .live, .plain:
            if time < began + Self.silence {
                began + Self.silence
            } else if form == .plain {
                (lastTime ?? time) + Self.plainInterval
            } else {
                time + .seconds(1)
            }
        }
    }

    // The cursor is not hidden, because it would stay hidden if the process is killed. It is left at the start of the
    // line, so that output of another program overwrites the line. The last column stays free, because some terminals
    // wrap as soon as it is filled.
    private mutating func drawLive(at time: Duration, width: Int) -> String? {
        let line = ProgressLine.draw(shown(at: time), width: max(1, width - 1))
        guard line != lastText || !isLineShown else { return nil }
        lastText = line
        isLineShown = true
        return "\r\(line)\u{1B}[K\r"
    }

    private mutating func drawPlain(at time: Duration) -> String? {
        let progress = shown(at: time)
        let percent = progress.fraction.map(Readable.percent) ?? 0
        if let lastTime {
            let isNew = progress.label != lastLabel || percent >= lastPercent + Self.plainStep
            guard isNew || time - lastTime >= Self.plainInterval else { return nil }
        }
        lastTime = time
        lastLabel = progress.label
        lastPercent = percent - percent % Self.plainStep
        let line = ProgressLine.draw(progress, width: .max)
        guard line != lastText else { return nil }
        lastText = line
        return line + "\n"
    }

    /// A short wait shows only its label. One that lasts long, or will, shows its numbers.
    private func shown(at time: Duration) -> Progress {
        let progress = meter.progress(at: time)
        let elapsed = time - began
        let lasts = elapsed >= Self.patience || progress.timeLeft.map { elapsed + $0 > Self.patience } ?? false
        return lasts ? progress : Progress(label: progress.label)
    }
}
