import CommandSupport
import TestSupport

/// `synthhost engines validate`, which runs here; the checks have processes of their own.
enum Validate {
    static func run(_ arguments: [String]) throws -> ChildResult {
        try UserHome().begin(["engines", "validate"] + arguments).finish(within: .seconds(600))
    }

    static func run(_ arguments: String...) throws -> ChildResult { try run(arguments) }

    /// The engine is there until the command has ended.
    static func run(_ engine: FixtureEngine, _ arguments: String...) throws -> ChildResult {
        try withExtendedLifetime(engine) { try run([engine.path] + arguments) }
    }
}
