import Foundation

extension ChildProcess {
    /// Runs a program to its end, without input.
    ///
    /// - Parameter environment: added to the variables of this process.
    package static func run(
        _ program: String, _ arguments: [String], adding environment: [String: String] = [:]
    ) throws -> ChildResult {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        return try ChildProcess(program, arguments: arguments.map { Array($0.utf8) }, environment: variables)
            .finish(within: .seconds(600))
    }

    /// The id of a process that has ended.
    package static func ended() throws -> Int32 {
        let process = try ChildProcess("/bin/true", arguments: [], environment: [:])
        let id = process.identifier
        _ = try process.finish()
        return id
    }
}
