import Glibc
import SynthHost
import System
import Terminal

/// Parses the command line, runs the command, and prints what went wrong and what to type next.
@main
package struct Program {
    static func main() {
        StandardStreams.open()
        // At the limit of a file's size, the write should fail and the program should not be killed.
        signal(SIGXFSZ, SIG_IGN)
        let context = CommandContext.ofProcess()
        exit(run(RawArguments.words, in: context).rawValue)
    }

    /// Runs one command line to its end, and returns its exit code. Blocks meanwhile.
    package static func run(_ words: [String], in context: CommandContext) -> Int32 {
        run({ words }, in: context).rawValue
    }

    private static func run(
        _ words: () throws(CommandFailure) -> [String], in context: CommandContext
    ) -> ExitCode {
        var context = context
        do throws(CommandFailure) {
            let words = try words()
            // Read before the words are parsed, because mistakes in them are reported as JSON too.
            context.reportsAsJSON = words.prefix { $0 != "--" }.contains("--json")
            switch try invocation(words) {
            case .version:
                try context.print("synthhost \(context.version)")
            case .help(let path):
                if words.isEmpty { try refuseText(on: context.input) }
                try context.print(text: HelpText.render(for: path, width: context.output.width))
            case .manual(let words):
                try context.print(text: ManualPage.render(for: words, version: context.version))
            case .completions(let subject):
                try context.checkEnvironment()
                let text = try CompletionText.render(subject, in: context)
                if !text.isEmpty { try context.print(text: text) }
            case .run(let name, let arguments):
                try context.checkEnvironment()
                try name.command.init(context.obeying(arguments), arguments).run()
            }
            return .done
        } catch {
            let failure = error.code == .interrupted ? error.with(context.interruption.exitCode) : error
            context.report(failure)
            return failure.code
        }
    }

    /// A text that comes through a pipe is not to be dropped without a word.
    private static func refuseText(on input: Int32) throws(CommandFailure) {
        var status = stat()
        guard fstat(input, &status) == 0, [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        throw CommandFailure(
            .usage, "Nothing says what is to be done with standard input.",
            "To have it spoken, type: synthhost speak, as in: date | synthhost speak; `synthhost help` lists the commands."
        )
    }

    private static func invocation(_ words: [String]) throws(CommandFailure) -> Invocation {
        do {
            return try ArgumentParser.parse(words)
        } catch {
            throw CommandFailure(UsageError.exitCode, error.message, error.remedy)
        }
    }
}
