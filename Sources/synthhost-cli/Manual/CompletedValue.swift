import SynthHost

/// The kinds of values on a command line that a shell can complete.
enum CompletedValue: Hashable, Sendable {
    case file
    case folder
    /// Names that the program lists.
    case listed(CompletionSubject)
    /// The speakers of the voice on the line.
    case speakers
    /// The values of the key before it.
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
            case "FORMAT": .words(Options.formats)
            case "ORDER": .words(["language", "size"])
            case "PATH": .file
            default: .anything
            }
    }
}
