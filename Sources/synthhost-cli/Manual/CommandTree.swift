/// The commands with the words that lead to them, as completions and manual pages walk them.
struct CommandTree: Sendable {
    struct Node: Sendable {
        /// Without the program's own name; none for the program itself.
        let words: [String]
        let command: CommandDescription

        /// "config set"
        var path: String { words.joined(separator: " ") }
    }

    /// The program first, each command in front of those that it holds.
    let nodes: [Node]
    let globalOptions: [OptionDescription]

    init(
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
    var names: [String] { [name] + (short.map { ["-\($0)"] } ?? []) }

    /// Nil for an option without a value.
    var value: CompletedValue? { valueName.map(CompletedValue.init(named:)) }
}
