import Foundation

extension ChildProcess {
    /// Runs a program to completion without any input.
    ///
    /// - Parameter environment: Variables to add to this process's environment.
    package static func run(
        _ program: String, _ arguments: [String], adding environment: [String: String] = [:]
    ) throws -> ChildResult {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        return try ChildProcess(program, arguments: arguments.map { Array($0.utf8) }, environment: variables)
            .finish(within: .seconds(600))
    }

    /// The ID of a process that has exited.
    package static func ended() throws -> Int32 {
        let process = try ChildProcess("/bin/true", arguments: [], environment: [:])
        let id = process.identifier
        _ = try process.finish()
        return id
    }
}
