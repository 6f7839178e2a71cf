import CommandSyntax
import EngineWire
import Sentences
import SynthHost
import Terminal

/// `synthhost engines allow`: lets an engine do some of what it asks for.
struct EnginesAllowCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        let change = try PermissionChange(context, arguments)
        let named = Array(arguments.positionals.dropFirst())
        try change.apply(change.allowed + change.needs(named))
    }
}

/// `synthhost engines deny`: takes back what was allowed, all of it if nothing is named.
struct EnginesDenyCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws(CommandFailure) {
        let change = try PermissionChange(context, arguments)
        let named = Array(arguments.positionals.dropFirst())
        let denied = named.isEmpty ? change.plugin.needs.map(\.need.kind) : try change.needs(named)
        try change.apply(change.allowed.filter { !denied.contains($0) })
    }
}

/// A change of what an engine may do.
private struct PermissionChange {
    let plugin: EngineListing
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let host: LocalHost
    private let id: String

    init(_ context: CommandContext, _ arguments: ParsedArguments) throws(CommandFailure) {
        self.context = context
        self.arguments = arguments
        id = arguments.positionals[0]
        host = try context.host(arguments, try context.configuration(arguments))
        plugin = try host.inventory().listing(of: id)
        guard !plugin.needs.isEmpty else {
            throw CommandFailure(.usage, "The engine \(id) asks for nothing beyond what every engine may.")
        }
    }

    var allowed: [EngineNeed.Kind] { plugin.needs.filter(\.isAllowed).map(\.need.kind) }

    /// The needs that words name, each by its kind or in full.
    func needs(_ words: [String]) throws(CommandFailure) -> [EngineNeed.Kind] {
        var found: [EngineNeed.Kind] = []
        for word in words {
            let meant = plugin.needs.map(\.need.kind).filter { $0.name == word || $0.word == word }
            guard !meant.isEmpty else {
                let known = Set(plugin.needs.map(\.need.kind.name)).sorted().joined(separator: ", ")
                throw CommandFailure(
                    .usage, "The engine \(id) does not ask for “\(word)”, but for \(known).",
                    "`synthhost engines show \(id)` says why.")
            }
            found += meant
        }
        return found
    }

    func apply(_ needs: [EngineNeed.Kind]) throws(CommandFailure) {
        try CommandFailure.attempt { () throws(LibraryProblem) in try host.allow(needs, to: plugin) }
        guard !arguments[Options.quiet] else { return }
        for need in plugin.needs.map(\.need) {
            let isAllowed = needs.contains(need.kind)
            context.say("\(id): \(need.words(isAllowed: isAllowed))")
        }
        context.say("A service that runs already goes by it once it is started again.")
    }
}
