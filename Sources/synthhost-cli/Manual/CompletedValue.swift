import SynthHost

/// What stands in the place of a value on a command line, as far as a shell can offer it.
enum CompletedValue: Hashable, Sendable {
    case file
    case folder
    /// The names that the program itself lists.
    case listed(CompletionSubject)
    /// The speakers of the voice that the line names.
    case speakers
    /// The values of the key that stands in front.
    case values
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
            case "LANG": .listed(.languages)
            case "DEVICE": .listed(.values("device"))
            case "SPEAKER": .speakers
            case "VALUE": .values
            case "SHELL": .words(CompletionSubject.shells.map(\.word))
            case "KEY": .words(ConfigurationKey.all.map(\.path))
            case "COMMAND": .words(CommandTable.root.subcommands.map(\.word))
            case "ORDER": .words(["language", "size"])
            case "PATH": .file
            default: .anything
            }
    }
}
