/// All commands with their words, for completions and manual pages.
package struct CommandTree: Sendable {
    package struct Node: Sendable {
        /// Without the program's name; empty for the program itself.
        let words: [String]
        let command: CommandDescription

        /// "config set"
        var path: String { words.joined(separator: " ") }
    }

    /// The program first, each command before its subcommands.
    package let nodes: [Node]
    package let globalOptions: [OptionDescription]

    package init(
        root: CommandDescription = CommandTable.root, globalOptions: [OptionDescription] = CommandTable.globalOptions
    ) {
        var nodes: [Node] = []
        func add(_ command: CommandDescription, _ words: [String]) {
            nodes.append(Node(words: words, command: command))
            for subcommand in command.subcommands { add(subcommand, words + [subcommand.word]) }
        }
        add(root, [])
        self.nodes = nodes
        self.globalOptions = globalOptions
    }
}

extension OptionDescription {
    /// "--voice" and "-v".
    package var names: [String] { [name] + (short.map { ["-\($0)"] } ?? []) }

    /// nil for an option without a value.
    package var value: CompletedValue? { valueName.map(CompletedValue.init(named:)) }
}
