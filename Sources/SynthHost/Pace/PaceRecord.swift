import System

/// Keeps a measured pace in a file. A measurement takes half a second, and the same processor gives the same result.
struct PaceRecord {
    let path: String
    /// What the pace depends on, in one line.
    let subject: String

    /// nil if none was kept, or it belongs to another machine or engine.
    func read() -> MachinePace? {
        guard let bytes = try? readWholeFile(path, limit: 64 * 1024) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 2, lines[1] == subject, let rate = Double(lines[0]) else { return nil }
        return MachinePace(rate: rate)
    }

    /// Failures are ignored: the pace is measured again the next time.
    func write(_ pace: MachinePace) {
        makeFolder(of: path)
        try? replaceFile(path, with: Array("\(pace.rate)\n\(subject)\n".utf8))
    }
}
