/// A command as data. The parser and the help use it.
struct CommandDescription: Sendable {
    struct Example: Equatable, Sendable {
        let line: String
        let meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The word on the command line.
    let word: String
    /// What people type for it who know other programs. It is suggested, and not taken for the command.
    var otherWords: [String] = []
    /// One phrase for the list of commands.
    let summary: String
    /// nil for a command that only has subcommands.
    var name: CommandName?
    var examples: [Example] = []
    var positionals: [Positional] = []
    var options: [OptionDescription] = []
    var rules: [UsageRule] = []
    var subcommands: [CommandDescription] = []
    var exitCodes: [ExitCode] = []
    /// Sentences for the end of the help.
    var notes: [String] = []
    /// Lines that follow the notes unchanged.
    var sample: String?
}
