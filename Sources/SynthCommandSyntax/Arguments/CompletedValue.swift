import SynthHost

/// How a shell completes a value on the command line.
package enum CompletedValue: Equatable, Sendable {
    case file
    case folder
    /// Names that the program looks up.
    case listed(CompletionSubject)
    /// The speakers of the voice that the command line specifies.
    case speakers
    /// The values of the configuration key that precedes this word.
    case values
    case words([String])
    /// A value that the shell does not complete.
    case anything

    /// - Parameter name: the value name in capitals, as shown in the help.
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

/// The kind of names to look up for a completion.
package enum CompletionSubject: Equatable, Sendable {
    case engines
    /// Voices that can speak now.
    case voices
    /// Voices of installed engines, whether downloaded or not.
    case known
    /// Voices that can be downloaded.
    case downloads
    /// Voices with files in the store.
    case stored
    case favorites
    case hidden
    case languages
    /// The speakers of a voice, as typed by the user. An empty string means the default voice.
    case speakers(String)
    /// The values of a configuration key.
    case values(String)
}
