import SynthCommandSyntax
import SynthHost
import SynthJSON
import SynthSystem
import SynthTerminal
import SynthWyoming

/// `synthhost serve --status`: what the service that runs does.
struct ServeStatus {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func show() throws {
        guard let socket = UserFolders(environment: context.environment).socket,
            let figures = ResidentStatus(at: socket)?.figures
        else { throw CommandFailure(.unavailable, "No service of yours runs.", "To start one, type: synthhost serve") }
        if arguments[Options.json] { return try context.print(JSONWriter.line(of: figures)) }
        for line in lines(figures) { try context.print(line) }
    }

    private func lines(_ figures: JSONNode) -> [String] {
        let count = { (keys: String...) in figures.count(at: keys) }
        let uptime = Readable.duration(figures.duration(at: ["uptime"]) ?? .zero)
        var lines = [
            "Running for \(uptime); its engines take \(ByteCount.words(count("memory"))).",
            "Speeches: \(count("speeches", "running")) playing, \(count("speeches", "waiting")) waiting.",
            "Utterances: \(count("utterances", "spoken")) spoken, \(count("utterances", "cancelled")) cancelled, "
                + "\(count("utterances", "failed")) failed, \(count("utterances", "replaced")) taken over by another voice.",
        ]
        if count("hearings", "understood") + count("hearings", "failed") + count("hearings", "running") > 0 {
            lines.append(
                "Recordings: \(count("hearings", "running")) being transcribed, \(count("hearings", "waiting")) waiting; "
                    + "\(count("hearings", "understood")) transcribed, \(count("hearings", "cancelled")) cancelled, "
                    + "\(count("hearings", "failed")) failed.")
        }
        if let first = quantiles(figures, "firstSound") { lines.append("First sound after \(first).") }
        if let cancel = quantiles(figures, "cancel") { lines.append("Silent after a cancel in \(cancel).") }
        if let factor = figures.number(at: ["realTimeFactor"]) {
            lines.append("A second of sound takes \(Self.milliseconds(factor)) to make.")
        }
        guard case .array(let models)? = figures.value(at: ["models"]), !models.isEmpty else {
            return lines + ["No voice is loaded."]
        }
        return lines + ["Loaded:"] + models.map(line)
    }

    private func line(_ model: JSONNode) -> String {
        let name = "  \(model.text(at: ["engine"])): \(model.text(at: ["model"]))"
        guard let unused = model.duration(at: ["unused"]) else { return "\(name), in use" }
        return "\(name), last used \(Readable.duration(unused)) ago"
    }

    /// nil = nothing was measured yet.
    private func quantiles(_ figures: JSONNode, _ name: String) -> String? {
        guard let half = figures.number(at: [name, "p50"]), let most = figures.number(at: [name, "p99"]) else {
            return nil
        }
        return "\(Self.milliseconds(half)) (half of them), \(Self.milliseconds(most)) (99 of 100)"
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
