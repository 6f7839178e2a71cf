import CommandSupport
import TestSupport

/// Runs `synthhost engines validate` in this process. The checks run in separate processes.
enum Validate {
    static func run(_ arguments: [String]) throws -> ChildResult {
        // The limit is long, because the machine may be busy.
        let limit = arguments.contains("--limit") || arguments.contains("--list") ? [] : ["--limit", "10m"]
        return try UserHome().begin(["engines", "validate"] + arguments + limit).finish(within: .seconds(3600))
    }

    static func run(_ arguments: String...) throws -> ChildResult { try run(arguments) }

    /// Keeps the engine's file until the command has ended.
    static func run(_ engine: FixtureEngine, _ arguments: String...) throws -> ChildResult {
        try withExtendedLifetime(engine) { try run([engine.path] + arguments) }
    }
}
