/// Subtitles as SubRip or WebVTT.
struct SubtitleText {
    let isWebVTT: Bool
    private var count = 0

    init(isWebVTT: Bool) { self.isWebVTT = isWebVTT }

    /// What stands before the first subtitle.
    func head(_ kind: TimingsKind, _ origin: TimingsOrigin) -> String {
        guard isWebVTT else { return "" }
        let engine = origin.engineTitle.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "WEBVTT\n\nNOTE \(engine) gave the times of \(kind.rawValue).\n\n"
            .replacing("-->", with: "->")
    }

    mutating func block(_ cue: Cue) -> String {
        count += 1
        let number = isWebVTT ? "" : "\(count)\n"
        let lines = cue.lines.map(escaped).joined(separator: "\n")
        return "\(number)\(time(cue.start)) --> \(time(cue.end))\n\(lines)\n\n"
    }

    private func time(_ milliseconds: Int) -> String {
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let seconds = milliseconds / 1000
        let fraction = (isWebVTT ? "." : ",") + padded(milliseconds % 1000, 3)
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))\(fraction)"
    }

    private func escaped(_ line: String) -> String {
        // SubRip has no escapes, and the arrow would be read as times.
        guard isWebVTT else { return line.replacing("-->", with: "→") }
        var text = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
