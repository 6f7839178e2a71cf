import Terminal

/// `synthhost help`: how to use a command.
struct HelpCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        try context.print(text: HelpText.render(for: arguments.positionals, width: context.output.width))
    }
}
