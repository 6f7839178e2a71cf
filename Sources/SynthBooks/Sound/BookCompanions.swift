import SynthSystem

/// The playlist of a folder: all of its files that are whole. One that somebody else made stays.
struct BookPlaylist {
    private static let name = "playlist.m3u8"
    private static let mark = "# Made by synthhost"

    private var lines = ["#EXTM3U", Self.mark]
    private var count = 0

    init(title: String?) {
        if let title { lines.append("#PLAYLIST:\(Self.line(title))") }
    }

    mutating func add(_ file: String, title: String, seconds: Double) {
        count += 1
        lines += ["#EXTINF:\(Int(seconds.rounded())),\(Self.line(title))", file]
    }

    /// Nothing is written for a single file.
    func write(in folder: String) throws {
        guard count > 1 else { return }
        let path = folder.child(Self.name)
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        if FinishedFile.isThere(path) {
            let there = (try? readWholeFile(path, limit: 1 << 24)) ?? []
            let isOurs = String(decoding: there, as: UTF8.self).split(separator: "\n").contains(Self.mark[...])
            if there == bytes || !isOurs { return }
        }
        try FinishedFile.write(bytes, to: path)
    }

    private static func line(_ text: String) -> String { text.split { $0.isNewline }.joined(separator: " ") }
}

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
