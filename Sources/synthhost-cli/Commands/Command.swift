/// One command of the program. Everything outside reaches it through its context, so that tests can replace it.
protocol Command {
    /// - Parameter arguments: its arguments, already checked.
    init(_ context: CommandContext, _ arguments: ParsedArguments)

    /// Blocks until it is done.
    func run() throws(CommandFailure)
}
