/// What a command line asks for.
enum Invocation: Equatable, Sendable {
    case run(CommandName, ParsedArguments)
    /// The help of the command that the words lead to; no words are the program's own.
    case help([String])
    case version
    /// The manual page of the command that the words lead to.
    case manual([String])
    case completions(CompletionSubject)
}
