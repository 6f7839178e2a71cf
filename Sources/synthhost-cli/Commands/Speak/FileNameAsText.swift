import SynthHost
import System
import Terminal

/// A text that is the name of a file: the user who types `speak notes.md` probably means its content.
struct FileNameAsText {
    let path: String

    /// nil if the text is not the name of a file, or may well be a word.
    init?(_ arguments: ParsedArguments) {
        guard arguments.positionals.count == 1, let word = arguments.positionals.first,
            word.contains(where: { $0 == "." || $0 == "/" }), !word.contains(where: \.isNewline),
            RegularFile(path: word) != nil
        else { return nil }
        path = word
    }

    /// Whether the file should be read; asks the user if possible.
    func isWanted(
        _ context: CommandContext, _ arguments: ParsedArguments, _ cancellation: Cancellation
    ) throws(CommandFailure) -> Bool {
        if context.canAsk(arguments) {
            let answer = try Question(context, cancellation).ask {
                prompt throws(PromptError) in
                try prompt.confirm("\(path) is a file. Speak what stands in it?", default: true)
            }
            if let answer { return answer }
        }
        let word = ShellWord.quoted(path)
        throw CommandFailure(
            .usage, "\(path) is a file, and only its name was given as the text.",
            "To hear the file, type: synthhost speak -f \(word); to hear its name: echo \(word) | synthhost speak")
    }
}
