import SynthHost

/// What stands in the place of a value on a command line, as far as a shell can offer it.
enum CompletedValue: Hashable, Sendable {
    case file
    case folder
    /// The names that the program itself lists.
    case listed(CompletionSubject)
    case words([String])
    /// Whatever the user types.
    case anything

    /// - Parameter name: in capitals, as the help shows it.
    init(named name: String) {
        self =
            switch name {
            case "FILE", "FILE.so", "OUT", "OUT.wav": .file
            case "DIR": .folder
            case "ENGINE": .listed(.engines)
            case "VOICE": .listed(.voices)
            case "SHELL": .words(CompletionSubject.shells.map(\.rawValue))
            case "KEY": .words(ConfigurationKey.all.map(\.path))
            case "COMMAND": .words(CommandTable.root.subcommands.map(\.word))
            default: .anything
            }
    }
}
