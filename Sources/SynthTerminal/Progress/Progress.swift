/// The progress of an operation at one point in time.
package struct Progress: Equatable, Sendable {
    /// A progress measurement.
    package enum Measure: Equatable, Sendable {
        case unknown
        /// The completed fraction, from 0 to 1.
        case fraction(Double)
        /// The number of stored bytes, and the total if it is known.
        case bytes(done: Int64, total: Int64?)
    }

    /// The operation, such as "Downloading Heart".
    package var label: String
    package var fraction: Double?
    package var bytesDone: Int64?
    package var bytesTotal: Int64?
    package var bytesPerSecond: Double?
    package var timeLeft: Duration?
    /// Additional text, such as "chapter 3 of 12".
    package var detail: String?
}

/// Computes an operation's progress, speed and remaining time from reports.
///
/// The download speed is measured over the last few seconds, because network speed varies. The completed fraction grows
/// in uneven steps, because speech is synthesized sentence by sentence, so its rate is averaged over all steps or,
/// after a long time, over the second half of the elapsed time. Between steps, the remaining time counts down.
///
/// Values never decrease while the label stays the same; a restarted download uses a different label. Times are
/// relative to an arbitrary fixed point. Memory use is bounded, because the meter keeps at most one sample for each
/// quarter of a second in the window.
package struct ProgressMeter: Sendable {
    private struct Sample: Sendable {
        let time: Duration
        let amount: Double
    }

    private static let window = Duration.seconds(8)
    private static let spacing = Duration.milliseconds(250)
    /// The minimum time over which the rate of a fraction is averaged.
    private static let longPast = Duration.seconds(60)
    /// The maximum number of fraction samples. If there are more, every second sample is dropped.
    private static let maximumSamples = 256
    /// The minimum measurement time for an estimate. After a shorter time, the estimate would vary too much.
    private static let shortestBase = Duration.seconds(1)

    private var progress: Progress
    private var samples: [Sample] = []
    /// The time of the first fraction report.
    private var firstStep = Duration.zero

    var label: String { progress.label }

    /// The number of samples in memory, for tests.
    var sampleCount: Int { samples.count }

    package init(label: String) {
        progress = Progress(label: label)
    }

    /// Adds a measurement. A new label restarts the measurement.
    package mutating func report(
        _ measure: Progress.Measure, label: String? = nil, detail: String? = nil, at time: Duration
    ) {
        if let label, label != progress.label {
            progress = Progress(label: label)
            samples = []
        }
        progress.detail = detail
        switch measure {
        case .unknown:
            break
        case .fraction(let fraction):
            guard fraction.isFinite else { return }
            raise(fraction: fraction)
            addStep(to: progress.fraction ?? 0, at: time)
        case .bytes(let done, let total):
            let highest = max(progress.bytesDone ?? 0, done)
            progress.bytesDone = highest
            progress.bytesTotal = total.map { max($0, highest) }
            if let total, total > 0 { raise(fraction: Double(highest) / Double(total)) }
            add(Double(highest), at: time)
        }
    }

    /// Returns the progress at `time`, with speed and remaining time if they are known.
    package func progress(at time: Duration) -> Progress {
        var result = progress
        guard let first = samples.first, time - first.time >= Self.shortestBase else { return result }
        if result.bytesDone == nil {
            result.timeLeft = timeLeftOfShare(at: time)
            return result
        }
        let highest = samples.last?.amount ?? first.amount
        let perSecond = max(0, highest - first.amount) / ((time - first.time) / .seconds(1))
        result.bytesPerSecond = perSecond
        if let total = result.bytesTotal.map(Double.init), perSecond > 0 {
            let seconds = (total - highest) / perSecond
            // An estimate of many days is not useful.
            if seconds < 1_000_000 { result.timeLeft = .milliseconds(Int64(seconds * 1000)) }
        }
        return result
    }

    private mutating func raise(fraction: Double) {
        progress.fraction = max(progress.fraction ?? 0, min(max(fraction, 0), 1))
    }

    private func timeLeftOfShare(at time: Duration) -> Duration? {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return nil }
        let perSecond = (last.amount - first.amount) / ((last.time - first.time) / .seconds(1))
        let atLastStep = (1 - last.amount) / perSecond
        let since = (time - last.time) / .seconds(1)
        let longest = longestStep
        // The estimate grows if the current step takes much longer than all others.
        let seconds = max(0, atLastStep - min(since, longest)) + max(0, since - 2 * longest)
        // An estimate of many days is not useful.
        return seconds < 1_000_000 ? .milliseconds(Int64(seconds * 1000)) : nil
    }

    /// The duration of the longest step in seconds.
    private var longestStep: Double {
        zip(samples, samples.dropFirst()).map { ($1.time - $0.time) / .seconds(1) }.max() ?? 0
    }

    /// Adds a sample. Reports that do not increase the fraction are ignored.
    private mutating func addStep(to amount: Double, at time: Duration) {
        guard let last = samples.last else {
            firstStep = time
            return samples.append(Sample(time: time, amount: amount))
        }
        guard amount > last.amount else { return }
        samples.append(Sample(time: time, amount: amount))
        let kept = max(Self.longPast, (time - firstStep) / 2)
        while samples.count > 2, time - samples[1].time >= kept { samples.removeFirst() }
        guard samples.count > Self.maximumSamples else { return }
        // Keep the first and the last sample.
        samples = samples.indices.filter { $0 % 2 == 0 || $0 == samples.count - 1 }.map { samples[$0] }
    }

    private mutating func add(_ amount: Double, at time: Duration) {
        let sample = Sample(time: time, amount: amount)
        if samples.count >= 2, time - samples[samples.count - 2].time < Self.spacing {
            samples[samples.count - 1] = sample
        } else {
            samples.append(sample)
        }
        // The last sample before the window is kept, so that the samples span the entire window.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }
}
