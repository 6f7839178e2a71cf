import SynthHost

/// The kinds of values on a command line that a shell can complete.
package enum CompletedValue: Equatable, Sendable {
    case file
    case folder
    /// Names that the program lists.
    case listed(CompletionSubject)
    /// The speakers of the voice on the command line.
    case speakers
    /// The values of the preceding key.
    case values
    case words([String])
    /// A value that the shell does not complete.
    case anything

    /// - Parameter name: in capitals, as the help shows it.
    package init(named name: String) {
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
            case "SHELL": .words(CompletionScript.allCases.map(\.rawValue))
            case "KEY": .words(ConfigurationKey.all.map(\.path))
            case "COMMAND": .words(CommandTable.root.subcommands.map(\.word))
            case "FORMAT": .words(Options.formats)
            case "ORDER": .words(["language", "size"])
            case "PATH": .file
            default: .anything
            }
    }
}

/// The names that the program looks up to complete a command line.
package enum CompletionSubject: Equatable, Sendable {
    case engines
    /// Voices that can speak now.
    case voices
    /// Voices of installed engines, downloaded or not.
    case known
    /// Voices that can be downloaded.
    case downloads
    /// Voices with files in the store.
    case stored
    /// Voices that are listed first.
    case favourites
    /// Voices that lists omit.
    case hidden
    case languages
    /// The speakers of a voice, in the form that the user typed; empty for the default voice.
    case speakers(String)
    /// The values of a key of the configuration.
    case values(String)
}
