import Glibc
import SynthHost
import System

/// The source of the text of `speak`: the arguments, else the file, else standard input.
struct SpeakSource {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    /// - Parameter cancellation: ends a question that has to be asked.
    func open(_ cancellation: Cancellation) throws(CommandFailure) -> any TextSource {
        let file = arguments[Options.file]
        if file == nil, arguments.positionals.isEmpty, isatty(context.input) == 1 {
            throw CommandFailure(
                .usage, "There is nothing to speak.",
                "Type: synthhost speak \"Hello, world\", or synthhost speak -f FILE")
        }
        let meant = FileNameAsText(arguments)
        let isMeant = try meant?.isWanted(context, arguments, cancellation) ?? false
        do throws(SpeechFailure) {
            if isMeant, let meant { return try TextReader(path: meant.path) }
            if !arguments.positionals.isEmpty {
                return try GivenText(arguments.positionals.joined(separator: " "))
            }
            if let file, file != "-" { return try TextReader(path: file) }
            let input = fcntl(context.input, F_DUPFD_CLOEXEC, 0)
            guard input >= 0 else { throw .input("Standard input", Errno.last) }
            return try TextReader(Descriptor(owning: input), name: "Standard input")
        } catch {
            throw CommandFailure(error)
        }
    }
}
