/// Computes progress from reports, with speed and remaining time from the last seconds.
///
/// Its values never decrease while the label stays the same: a download that starts again uses another label. Times are
/// durations since any fixed moment. Memory is bounded: at most one sample each quarter of a second of the window is
/// kept.
package struct ProgressMeter: Sendable {
    private struct Sample: Sendable {
        let time: Duration
        let amount: Double
    }

    private static let window = Duration.seconds(8)
    private static let spacing = Duration.milliseconds(250)
    /// An estimate from a shorter time would vary too much.
    private static let shortestBase = Duration.seconds(1)

    private var progress: Progress
    private var samples: [Sample] = []

    package init(label: String) {
        progress = Progress(label: label)
    }

    package mutating func report(_ measure: Progress.Measure, label: String? = nil, at time: Duration) {
        if let label, label != progress.label {
            progress = Progress(label: label)
            samples = []
        }
        switch measure {
        case .unknown:
            break
        case .fraction(let fraction):
            guard fraction.isFinite else { return }
            raise(fraction: fraction)
            add(progress.fraction ?? 0, at: time)
        case .bytes(let done, let total):
            let highest = max(progress.bytesDone ?? 0, done)
            progress.bytesDone = highest
            progress.bytesTotal = total.map { max($0, highest) }
            if let total, total > 0 { raise(fraction: Double(highest) / Double(total)) }
            add(Double(highest), at: time)
        }
    }

    /// The progress at a moment, with speed and remaining time if they are known.
    package func progress(at time: Duration) -> Progress {
        var result = progress
        guard let first = samples.first, time - first.time >= Self.shortestBase else { return result }
        let highest = samples.last?.amount ?? first.amount
        let perSecond = max(0, highest - first.amount) / ((time - first.time) / .seconds(1))
        if result.bytesDone != nil { result.bytesPerSecond = perSecond }
        let total = result.bytesDone == nil ? 1 : result.bytesTotal.map(Double.init)
        if let total, perSecond > 0 {
            let seconds = (total - highest) / perSecond
            // An estimate of many days is not useful.
            if seconds < 1_000_000 { result.timeLeft = .milliseconds(Int64(seconds * 1000)) }
        }
        return result
    }

    private mutating func raise(fraction: Double) {
        progress.fraction = max(progress.fraction ?? 0, min(max(fraction, 0), 1))
    }

    private mutating func add(_ amount: Double, at time: Duration) {
        let sample = Sample(time: time, amount: amount)
        if samples.count >= 2, time - samples[samples.count - 2].time < Self.spacing {
            samples[samples.count - 1] = sample
        } else {
            samples.append(sample)
        }
        // The last sample before the window is kept, so that the samples always span the whole window.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }
}
