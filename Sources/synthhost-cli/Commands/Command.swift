/// One command of the program. It sees the world through its context, so that a test can give it another one.
protocol Command {
    /// - Parameter arguments: what was given to it, checked already.
    init(_ context: CommandContext, _ arguments: ParsedArguments)

    /// Blocks until it is done.
    func run() throws(CommandFailure)
}
