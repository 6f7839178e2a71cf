/// What a command line asks for.
enum Invocation: Equatable, Sendable {
    case run(CommandName, ParsedArguments)
    /// The help of the command with these words; without words that of the program.
    case help([String])
    case version
    /// The manual page of the command with these words.
    case manual([String])
    case completions(CompletionSubject)
}
