import Glibc
import System
import SynthHost
import Terminal

/// The command line: parses it, runs the command, says what went wrong and what to type next.
@main
struct Program {
    static func main() {
        StandardStreams.open()
        // A file that may not grow further is an error of the write, and not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        let context = CommandContext.ofProcess()
        exit(run(RawArguments.words, in: context).rawValue)
    }

    /// Runs one command line to its end. Blocks meanwhile.
    static func run(
        _ words: () throws(CommandFailure) -> [String], in context: CommandContext
    ) -> ExitCode {
        var context = context
        do throws(CommandFailure) {
            let words = try words()
            // Before they are understood: what is wrong with them is an error, too.
            context.reportsAsJSON = words.prefix { $0 != "--" }.contains("--json")
            switch try invocation(words) {
            case .version:
                try context.print("synthhost \(context.version)")
            case .help(let words):
                try context.print(text: HelpText.render(for: words, width: context.output.width))
            case .manual(let words):
                try context.print(text: ManualPage.render(for: words, version: context.version))
            case .completions(let subject):
                try context.checkEnvironment()
                let text = try CompletionText.render(subject, in: context)
                if !text.isEmpty { try context.print(text: text) }
            case .run(let name, let arguments):
                try context.checkEnvironment()
                try command(name)(context.obeying(arguments), arguments)
            }
            return .done
        } catch {
            let failure = error.code == .interrupted ? error.with(context.interruption.exitCode) : error
            context.report(failure)
            return failure.code
        }
    }

    private static func invocation(_ words: [String]) throws(CommandFailure) -> Invocation {
        do {
            return try ArgumentParser.parse(words)
        } catch {
            throw CommandFailure(UsageError.exitCode, error.message, error.remedy)
        }
    }

    private static func command(
        _ name: CommandName
    ) -> (CommandContext, ParsedArguments) throws(CommandFailure) -> Void {
        switch name {
        case .speak: { (context, arguments) throws(CommandFailure) in try SpeakCommand(context, arguments).run() }
        case .voices: { (context, arguments) throws(CommandFailure) in try VoicesCommand(context, arguments).run() }
        case .voicesChoose:
            { (context, arguments) throws(CommandFailure) in try VoicesChooseCommand(context, arguments).run() }
        case .setup: { (context, arguments) throws(CommandFailure) in try SetupCommand(context, arguments).run() }
        case .modelsList:
            { (context, arguments) throws(CommandFailure) in try ModelsListCommand(context, arguments).run() }
        case .modelsPull:
            { (context, arguments) throws(CommandFailure) in try ModelsPullCommand(context, arguments).run() }
        case .modelsRemove:
            { (context, arguments) throws(CommandFailure) in try ModelsRemoveCommand(context, arguments).run() }
        case .modelsVerify:
            { (context, arguments) throws(CommandFailure) in try ModelsVerifyCommand(context, arguments).run() }
        case .modelsPrune:
            { (context, arguments) throws(CommandFailure) in try ModelsPruneCommand(context, arguments).run() }
        case .modelsAdd:
            { (context, arguments) throws(CommandFailure) in try ModelsAddCommand(context, arguments).run() }
        case .modelsPath:
            { (context, arguments) throws(CommandFailure) in try ModelsPathCommand(context, arguments).run() }
        case .modelsRegistry:
            { (context, arguments) throws(CommandFailure) in try ModelsRegistryCommand(context, arguments).run() }
        case .enginesList:
            { (context, arguments) throws(CommandFailure) in try EnginesListCommand(context, arguments).run() }
        case .enginesValidate:
            { (context, arguments) throws(CommandFailure) in try EnginesValidateCommand(context, arguments).run() }
        case .configGet: { (context, arguments) throws(CommandFailure) in try ConfigCommand(context, arguments).get() }
        case .configSet: { (context, arguments) throws(CommandFailure) in try ConfigCommand(context, arguments).set() }
        case .configUnset:
            { (context, arguments) throws(CommandFailure) in try ConfigCommand(context, arguments).unset() }
        case .configPath:
            { (context, arguments) throws(CommandFailure) in try ConfigCommand(context, arguments).path() }
        case .configShow:
            { (context, arguments) throws(CommandFailure) in try ConfigCommand(context, arguments).show() }
        case .doctor: { (context, arguments) throws(CommandFailure) in try DoctorCommand(context, arguments).run() }
        case .help:
            { (context, arguments) throws(CommandFailure) in
                try context.print(text: HelpText.render(for: arguments.positionals, width: context.output.width))
            }
        }
    }
}
