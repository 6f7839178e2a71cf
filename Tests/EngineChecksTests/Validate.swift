import CommandSupport
import TestSupport

/// `synthhost engines validate`, which runs here; the checks have processes of their own.
enum Validate {
    static func run(_ arguments: [String]) throws -> ChildResult {
        // A busy machine may take its time.
        let limit = arguments.contains("--limit") || arguments.contains("--list") ? [] : ["--limit", "10m"]
        return try UserHome().begin(["engines", "validate"] + arguments + limit).finish(within: .seconds(3600))
    }

    static func run(_ arguments: String...) throws -> ChildResult { try run(arguments) }

    /// The engine is there until the command has ended.
    static func run(_ engine: FixtureEngine, _ arguments: String...) throws -> ChildResult {
        try withExtendedLifetime(engine) { try run([engine.path] + arguments) }
    }
}
