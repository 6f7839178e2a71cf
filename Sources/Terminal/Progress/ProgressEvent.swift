import LocatedJSON

/// One line of `--json` progress.
///
/// Events: `begin`, `progress`, `message`, `end`. `label` is always there except in a `message`, which has `text`.
/// `progress` and `end` have the known ones of `fraction`, `bytesDone`, `bytesTotal`, `bytesPerSecond`, `secondsLeft`.
package enum ProgressEvent: Sendable {
    case begin(label: String)
    case progress(Progress)
    case message(String)
    case end(Progress)

    /// A JSON object without a newline.
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
        return members
    }

    private static func quote(_ text: String) -> String { JSONString.quoted(text) }
}
