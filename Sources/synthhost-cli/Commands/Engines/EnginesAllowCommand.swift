import CommandParts
import CommandSyntax
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
        let denied = named.isEmpty ? change.plugin.needs : try change.needs(named)
        try change.apply(change.allowed.filter { !denied.contains($0) })
    }
}

/// A change of what an engine may do.
struct PermissionChange {
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
        if let problem = host.permissionsProblem {
            throw CommandFailure(.configuration, problem.message, Self.remedy(host.permissionsPath))
        }
        guard !plugin.needs.isEmpty else {
            throw CommandFailure(
                .usage, "The engine \(id) asks for nothing beyond what every engine may.",
                "`synthhost engines list` shows what engines ask for.")
        }
    }

    /// What to do about a file that cannot be read.
    static func remedy(_ path: String) -> String {
        "Move \(path) away, then allow again what is to be allowed: `synthhost engines list` shows it."
    }

    var allowed: [EngineListing.Need] { plugin.needs.filter(\.isAllowed) }

    /// The needs that words name, each in full, or by its kind if the engine has one of it only.
    func needs(_ words: [String]) throws(CommandFailure) -> [EngineListing.Need] {
        var found: [EngineListing.Need] = []
        for word in words {
            let meant = plugin.needs.filter { $0.name == word || $0.word == word }
            if meant.count > 1 {
                throw CommandFailure(
                    .usage, "The engine \(id) asks for several: \(meant.map(\.word).joined(separator: ", ")).",
                    "Name the one that you mean.")
            }
            guard !meant.isEmpty else {
                let known = plugin.needs.map(\.word).joined(separator: ", ")
                throw CommandFailure(
                    .usage, "The engine \(id) does not ask for \"\(word)\", but for \(known).",
                    "`synthhost engines show \(id)` says why.")
            }
            found += meant
        }
        return found
    }

    func apply(_ needs: [EngineListing.Need]) throws(CommandFailure) {
        try CommandFailure.attempt { () throws(LibraryProblem) in try host.allow(needs, to: plugin) }
        guard !arguments[Options.quiet] else { return }
        for need in plugin.needs { context.say("\(id): \(need.words(isAllowed: needs.contains(need)))") }
        context.say("A service that runs already goes by it once it is started again.")
    }
}
