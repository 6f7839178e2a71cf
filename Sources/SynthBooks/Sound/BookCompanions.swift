import SynthSystem

/// A playlist of all finished files in a folder. A playlist that synthhost did not write is left unchanged.
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

    /// Writes the playlist, except for a book that is a single file.
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
