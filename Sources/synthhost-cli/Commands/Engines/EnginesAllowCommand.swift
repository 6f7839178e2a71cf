import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// `synthhost engines allow`: grants permissions that an engine or recognizer requests.
struct EnginesAllowCommand: Command {
    let context: CommandContext

    func run() throws {
        let change = try PermissionChange(context)
        let named = Array(arguments.positionals.dropFirst())
        try change.apply(change.allowed + change.permissions(named))
    }
}

/// `synthhost engines deny`: revokes the given permissions, or all permissions if none are given.
struct EnginesDenyCommand: Command {
    let context: CommandContext

    func run() throws {
        let change = try PermissionChange(context)
        let named = Array(arguments.positionals.dropFirst())
        let denied = named.isEmpty ? change.allowed : try change.permissions(named)
        try change.apply(change.allowed.filter { !denied.contains($0) })
    }
}

/// Changes the permissions of an engine or recognizer.
struct PermissionChange: CommandPart {
    typealias Permission = PluginRequests.Need

    private let plugin: PluginRequests
    let context: CommandContext
    private let inventory: HostSnapshot
    private let id: String

    init(_ context: CommandContext) throws {
        self.context = context
        let name = context.arguments.positionals[0]
        inventory = try context.host(try context.configuration()).snapshot()
        let plugins = inventory.requests(of: name)
        let requesting = plugins.filter { !$0.permissions.isEmpty }
        guard requesting.count < 2 else {
            throw CommandFailure(
                .usage,
                "Two plugins with the ID \(name) request permissions: "
                    + requesting.map { "the \($0.kindName) \($0.path)" }.joined(separator: " and ") + ".",
                "Choose one of them: \(requesting.map(\.qualifiedID).joined(separator: " or ")).")
        }
        guard let plugin = requesting.first ?? plugins.first else { throw inventory.absence(of: name) }
        self.plugin = plugin
        id = plugin.id
        if let problem = inventory.host.permissionsProblem {
            throw CommandFailure(.configuration, problem.message, Self.remedy(inventory.host.permissionsPath))
        }
        guard !plugin.permissions.isEmpty else {
            throw CommandFailure(
                .usage, "The engine \(id) requests no permissions beyond those that every engine has.",
                "`synthhost engines list` shows the engines' requests.")
        }
    }

    /// The remedy if the permissions file cannot be read.
    static func remedy(_ path: String) -> String {
        "Move \(path) out of the way, then allow the requests again; `synthhost engines list` shows the requests."
    }

    var allowed: [Permission] { plugin.permissions.filter(\.isAllowed) }

    /// Parses permissions. The type of a permission is sufficient if the engine requests only one permission of that
    /// type.
    func permissions(_ words: [String]) throws -> [Permission] {
        let known = plugin.permissions
        var found: [Permission] = []
        for word in words {
            let meant = known.filter { $0.name == word || $0.word == word }
            if meant.count > 1 {
                throw CommandFailure(
                    .usage,
                    "The engine \(id) has several requests of this type: \(meant.map(\.word).joined(separator: ", ")).",
                    "Choose one of them.")
            }
            guard !meant.isEmpty else {
                let list = known.map(\.word).joined(separator: ", ")
                throw CommandFailure(
                    .usage, "The engine \(id) does not request \"\(word)\". Its requests are \(list).",
                    "`synthhost engines show \(id)` shows the reasons for its requests.")
            }
            found += meant
        }
        return found
    }

    func apply(_ permissions: [Permission]) throws {
        try inventory.host.allow(permissions, to: plugin)
        guard !arguments[Options.quiet] else { return }
        func isAllowed(_ word: String) -> Bool { permissions.contains { $0.word == word } }
        for need in plugin.needs { context.printMessage("\(id): \(need.words(isAllowed: isAllowed(need.word)))") }
        for variable in plugin.variables where !variable.isHarmless || variable.isAllowed {
            context.printMessage("\(id): \(variable.words(isAllowed: isAllowed(variable.word)))")
        }
        context.printMessage("If a service is running, restart it to apply this change.")
    }
}
