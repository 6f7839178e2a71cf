import SynthSystem

/// Subtitles of parts, put together.
struct Subtitles {
    private let format: SubtitleFormat
    private var number = 0
    private var hasHead = false
    private(set) var text = ""

    init(_ format: SubtitleFormat) { self.format = format }

    /// Adds those of a part.
    ///
    /// - Parameters:
    ///   - part: a whole file of the format.
    ///   - milliseconds: where the part begins.
    mutating func add(_ part: String, at milliseconds: Int) {
        let cues = part.split(separator: "\n\n").map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        for lines in cues {
            guard let times = lines.firstIndex(where: { $0.contains(" --> ") }) else {
                // What stands before the first cue.
                if format == .vtt, !hasHead {
                    text += lines.joined(separator: "\n") + "\n\n"
                    hasHead = true
                }
                continue
            }
            number += 1
            if format == .srt { text += "\(number)\n" }
            let shown = lines[times].split(separator: " ", omittingEmptySubsequences: false)
                .map { moved($0, by: milliseconds) }.joined(separator: " ")
            let said = lines[(times + 1)...].joined(separator: "\n")
            text += "\(shown)\n\(said)\n\n"
        }
    }

    /// "00:01:02.345", or "01:02.345", later; anything else as it is.
    private func moved(_ word: Substring, by milliseconds: Int) -> String {
        let mark: Character = format == .srt ? "," : "."
        // More than a year is no time.
        let fields = word.split(whereSeparator: { $0 == ":" || $0 == mark }).map {
            Int($0).flatMap { $0 < 10_000 ? $0 : nil }
        }
        guard (3...4).contains(fields.count), word.contains(mark), !fields.contains(nil) else { return String(word) }
        let numbers = fields.compactMap { $0 }
        let whole = numbers.dropLast().reduce(0) { $0 * 60 + $1 } * 1000 + (numbers.last ?? 0) + milliseconds
        let seconds = whole / 1000
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
            + "\(mark)" + padded(whole % 1000, 3)
    }
}
