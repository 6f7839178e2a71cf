import CommandParts
import CommandSyntax
import Sentences
import SynthHost
import Terminal

/// `synthhost engines show`: what an engine is, says and may do.
struct EnginesShowCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        let host = try context.host(arguments, try context.configuration(arguments))
        let inventory = host.inventory()
        let plugin = try inventory.listing(of: arguments.positionals[0])
        guard let engine = plugin.engine else { return }
        if arguments[Options.json] {
            return try context.print(try JSONText.line(of: EngineResult(plugin, chosen: nil)))
        }
        for line in lines(of: engine, plugin) { try context.print(line) }
    }

    private func lines(of engine: SpeechEngine, _ plugin: EngineListing) -> [String] {
        let abilities = [
            engine.timesWords ? "tells when words sound" : nil, engine.speaksPhonemes ? "speaks phonemes" : nil,
            engine.variesReadings ? "varies its readings" : nil,
        ].compactMap(\.self)
        let files = engine.roles.map { $0.name + ($0.isOptional ? " (optional)" : "") }
        return [
            "\(engine.name) \(engine.version)",
            "id: \(engine.id)", "licence: \(engine.licence)", "file: \(plugin.path)",
            "voices of its own: \(engine.voiceCount)",
            "files of a voice: \(files.isEmpty ? "none" : files.joined(separator: ", "))",
        ] + (abilities.isEmpty ? [] : ["abilities: \(abilities.joined(separator: ", "))"])
            + (plugin.needs.isEmpty ? ["asks for: nothing beyond what every engine may"] : [])
            + plugin.needs.map { "asks for: \($0.words)" }
            + (plugin.allowRemedy.map { ["    \($0)"] } ?? [])
    }
}

extension Inventory {
    /// The engine of an id.
    func listing(of id: String) throws(CommandFailure) -> EngineListing {
        let listings = listings
        if let found = listings.first(where: { $0.engine?.id == id }) { return found }
        for listing in listings where listing.isOf(id) {
            if case .unusable(let failure) = listing.verdict {
                throw CommandFailure(.engineCrashed, failure.message, failure.remedy)
            }
        }
        throw CommandFailure(
            .unavailable, "There is no engine \"\(id)\".", "`synthhost engines list` shows those that are here.")
    }
}
