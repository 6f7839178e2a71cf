import System

/// Progress as one line of text.
package enum ProgressLine {
    /// The line, never wider than `width` columns and without a newline. If it is too long, the speed is left out
    /// first, then the bytes, then the time left; the percentage stays and the label is shortened.
    package static func draw(_ progress: Progress, width: Int) -> String {
        let label = CleanText.line(progress.label)
        let percentage = progress.fraction.map(Readable.percentage)
        let bytes = bytes(of: progress)
        let speed = progress.bytesPerSecond.map { Readable.speed(bytesPerSecond: $0) }
        let timeLeft = progress.timeLeft.map(Readable.timeLeft)
        guard percentage != nil || bytes != nil else { return DisplayWidth.truncate(label + "…", to: width) }

        for details in [
            [percentage, bytes, speed, timeLeft], [percentage, bytes, timeLeft], [percentage, timeLeft],
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
