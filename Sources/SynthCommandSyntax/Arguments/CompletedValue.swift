import SynthHost

/// The kinds of values on a command line that a shell can complete.
package enum CompletedValue: Equatable, Sendable {
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

/// What `synthhost help --completions` prints: a script for a shell, or the names that those scripts ask for.
package enum CompletionSubject: Equatable, Sendable {
    case bash, zsh, fish
    case engines
    /// Voices that could speak now.
    case voices
    /// Voices of installed engines, downloaded or not.
    case known
    /// Voices that can be downloaded.
    case downloads
    /// Voices with files in the store.
    case stored
    /// Voices that are listed first.
    case favourites
    /// Voices that lists leave out.
    case hidden
    case languages
    /// The speakers of a voice, as it was typed; empty = the default voice.
    case speakers(String)
    /// The values of a key of the configuration.
    case values(String)

    package static let shells: [CompletionSubject] = [.bash, .zsh, .fish]
    private static let names: [CompletionSubject] = [
        .engines, .voices, .known, .downloads, .stored, .favourites, .hidden, .languages,
    ]

    /// The word in scripts, which fill in what follows the colon.
    package var word: String {
        switch self {
        case .bash: "bash"
        case .zsh: "zsh"
        case .fish: "fish"
        case .engines: "engines"
        case .voices: "voices"
        case .known: "known"
        case .downloads: "downloads"
        case .stored: "held"
        case .favourites: "favourites"
        case .hidden: "hidden"
        case .languages: "languages"
        case .speakers(let voice): "speakers:\(voice)"
        case .values(let key): "values:\(key)"
        }
    }

    static let value = OptionValue(
        expectation: ((shells + names).map(\.word) + ["speakers:VOICE", "values:KEY"]).joined(separator: ", "),
        read: parse)

    @Sendable package static func parse(_ text: String) -> CompletionSubject? {
        if let subject = (shells + names).first(where: { $0.word == text }) { return subject }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, parts[0] == "speakers" { return .speakers(parts[1]) }
        if parts.count == 2, parts[0] == "values" { return .values(parts[1]) }
        return nil
    }
}
