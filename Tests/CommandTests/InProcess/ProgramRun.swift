import Synchronization
import Terminal
import TestSupport

@testable import synthhost_cli

/// A command line that runs in the test's own process: quick, for what needs no process of its own.
struct ProgramRun {
    let code: Int32
    let output: String
    let errors: String

    /// - Parameter style: of both streams.
    init(_ words: String..., home: UserHome, style: TerminalStyle = .plain, columns: Int = 80) {
        let output = Mutex("")
        let errors = Mutex("")
        let context = CommandContext(
            output: TextOutput(style: style, columns: { columns }, send: { text in output.withLock { $0 += text } }),
            errors: TextOutput(style: style, columns: { columns }, send: { text in errors.withLock { $0 += text } }),
            input: -1, environment: home.environment, executable: "\(home.programs)/synthhost", version: "0.0")
        code = Program.run({ words }, in: context).rawValue
        self.output = output.withLock { $0 }
        self.errors = errors.withLock { $0 }
    }
}
