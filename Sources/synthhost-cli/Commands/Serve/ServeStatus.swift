import SynthCommandSyntax
import SynthHost
import SynthJSON
import SynthSystem
import SynthTerminal
import SynthWyoming

/// `synthhost serve --status`: shows the status of the running service.
struct ServeStatus: CommandPart {
    let context: CommandContext

    func show() throws {
        guard let socket = UserFolders(environment: context.environment).socket,
            let figures = ResidentStatus(at: socket)?.figures
        else {
            throw CommandFailure(.unavailable, "Your service is not running.", "To start one, type: synthhost serve")
        }
        if arguments[Options.json] { return try context.print(JSONWriter.line(of: figures)) }
        for line in lines(figures) { try context.print(line) }
    }

    private func lines(_ figures: JSONNode) -> [String] {
        let count = { (keys: String...) in figures.count(at: keys) }
        let uptime = HumanReadable.duration(figures.duration(at: ["uptime"]) ?? .zero)
        var lines = [
            "The service has been running for \(uptime); "
                + "its engines use \(ByteCount.words(count("memory"))) of memory.",
            "Speech requests: \(count("speeches", "running")) playing, \(count("speeches", "waiting")) waiting.",
            "Utterances: \(count("utterances", "spoken")) spoken, \(count("utterances", "cancelled")) cancelled, "
                + "\(count("utterances", "failed")) failed, \(count("utterances", "replaced")) continued by another voice.",
        ]
        if count("transcriptions", "transcribed") + count("transcriptions", "failed")
            + count("transcriptions", "running") > 0
        {
            lines.append(
                "Recordings: \(count("transcriptions", "running")) being transcribed, \(count("transcriptions", "waiting")) waiting; "
                    + "\(count("transcriptions", "transcribed")) transcribed, \(count("transcriptions", "cancelled")) cancelled, "
                    + "\(count("transcriptions", "failed")) failed.")
        }
        if let first = quantiles(figures, "firstSound") { lines.append("Time to the first audio: \(first).") }
        if let cancel = quantiles(figures, "cancel") { lines.append("Time from cancellation to silence: \(cancel).") }
        if let factor = figures.number(at: ["realTimeFactor"]) {
            lines.append("Time to synthesize a second of audio: \(Self.milliseconds(factor)).")
        }
        guard case .array(let models)? = figures.value(at: ["models"]), !models.isEmpty else {
            return lines + ["No voices are loaded."]
        }
        return lines + ["Loaded:"] + models.map(line)
    }

    private func line(_ model: JSONNode) -> String {
        let name = "  \(model.text(at: ["engine"])): \(model.text(at: ["model"]))"
        guard let unused = model.duration(at: ["unused"]) else { return "\(name), in use" }
        return "\(name), last used \(HumanReadable.duration(unused)) ago"
    }

    /// Formats the quantiles, or returns nil if nothing has been measured yet.
    private func quantiles(_ figures: JSONNode, _ name: String) -> String? {
        guard let half = figures.number(at: [name, "p50"]), let most = figures.number(at: [name, "p99"]) else {
            return nil
        }
        return "\(Self.milliseconds(half)) (median), \(Self.milliseconds(most)) (99th percentile)"
    }

    private static func milliseconds(_ seconds: Double) -> String {
        let tenths = JSONNode.whole(seconds * 10_000)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) ms" : "\((tenths + 5) / 10) ms"
    }
}

extension JSONNode {
    fileprivate func number(at keys: [String]) -> Double? {
        if case .number(let number)? = value(at: keys) { number } else { nil }
    }

    fileprivate func duration(at keys: [String]) -> Duration? {
        number(at: keys).map { .milliseconds(Self.whole($0 * 1000)) }
    }

    fileprivate func count(at keys: [String]) -> Int64 { Self.whole(number(at: keys) ?? 0) }

    fileprivate static func whole(_ number: Double) -> Int64 { Int64(min(max(number.rounded(), 0), 1e15)) }

    fileprivate func text(at keys: [String]) -> String {
        if case .string(let text)? = value(at: keys) { text } else { "" }
    }
}
