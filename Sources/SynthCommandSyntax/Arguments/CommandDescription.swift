import SynthHost

/// A description of a command for the parser and the help.
package struct CommandDescription: Sendable {
    /// The word that selects the command, such as "speak".
    package let word: String
    /// Names that other programs use for the same command. These names appear only in suggestions.
    package var otherWords: [String] = []
    /// A phrase that describes the command in the list of commands.
    package let summary: String
    /// The command's name, or nil if it only has subcommands and cannot itself be run.
    package var name: CommandName?
    /// Command lines, each with a phrase that explains what it does.
    package var examples: KeyValuePairs<String, String> = [:]
    package var positionals: [Positional] = []
    package var options: [OptionDescription] = []
    package var rules: [UsageRule] = []
    package var subcommands: [CommandDescription] = []
    package var exitCodes = ExitCode.allCases
    /// Sentences shown at the end of the help.
    package var notes: [String] = []
    /// Preformatted lines shown after the notes.
    package var sample: String?
}

/// The name of a command that can be run.
package enum CommandName: String, CaseIterable, Sendable {
    case speak
    case play
    case read
    case stop
    case serve
    case voices
    case voicesChoose = "voices choose"
    case voicesFavorite = "voices favorite"
    case voicesUnfavorite = "voices unfavorite"
    case voicesHide = "voices hide"
    case voicesUnhide = "voices unhide"
    case setup
    case modelsList = "models list"
    case modelsPull = "models pull"
    case modelsRemove = "models remove"
    case modelsVerify = "models verify"
    case modelsPrune = "models prune"
    case modelsAdd = "models add"
    case modelsPath = "models path"
    case modelsRegistry = "models registry"
    case book
    case batch
    case listen
    case transcribe
    case recognizers
    case mcp
    case enginesList = "engines list"
    case enginesShow = "engines show"
    case enginesAllow = "engines allow"
    case enginesDeny = "engines deny"
    case enginesValidate = "engines validate"
    case configGet = "config get"
    case configSet = "config set"
    case configUnset = "config unset"
    case configPath = "config path"
    case configShow = "config show"
    case doctor
    case help
}

/// A positional argument.
package struct Positional: Equatable, Sendable {
    /// The name in capitals, as shown in the usage line.
    package let name: String
    package let help: String
    package var isRequired = true
    /// Whether the argument accepts all remaining words.
    package var isRepeatable = false
    /// How the shell completes the argument, or nil to derive the completion from the name.
    package var completion: CompletedValue?

    package var value: CompletedValue { completion ?? CompletedValue(named: name) }

    /// One or more voices.
    static func voices(_ subject: CompletionSubject) -> Positional {
        Positional(name: "VOICE", help: "voices, by name or ID", isRepeatable: true, completion: .listed(subject))
    }

    /// The argument in the usage line, such as `[TEXT]` or `NAME…`.
    package var usage: String {
        let text = isRepeatable ? name + "…" : name
        return isRequired ? text : "[\(text)]"
    }
}

/// A rule for options that exclude or require one another.
package enum UsageRule: Sendable {
    case excludes(any DescribedOption, [any DescribedOption])
    case excludesArguments(any DescribedOption)
    case requires([any DescribedOption], any DescribedOption)
}

/// The exit codes, from `sysexits.h` where applicable. Scripts depend on them, so they never change.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failure = 1
    case usage = 64
    case inputMissing = 66
    case unavailable = 69
    case engineCrashed = 70
    case cannotWriteOutput = 73
    case audioOrDisk = 74
    case tryAgain = 75
    case configuration = 78
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// The meaning of the code, for the help and the manual pages.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failure: "any other failure"
        case .usage: "invalid command-line usage"
        case .inputMissing: "the input is missing, cannot be read or contains nothing to speak"
        case .unavailable: "the engine, voice or model is not available"
        case .engineCrashed: "the engine crashed or hung"
        case .cannotWriteOutput: "the output cannot be written"
        case .audioOrDisk: "the audio device or the disk failed"
        case .tryAgain: "try again: the network failed or a file is locked"
        case .configuration: "the configuration is invalid"
        case .hungUp: "the terminal was closed (SIGHUP)"
        case .interrupted: "interrupted (Ctrl-C), or a question was not answered (Ctrl-D)"
        case .terminated: "terminated by SIGTERM"
        }
    }
}

/// All commands with their paths, for completions and manual pages.
package struct CommandTree: Sendable {
    /// A command with its path.
    package struct Node: Sendable {
        /// The words of the command after the program's name, or none for the program itself.
        let words: [String]
        let command: CommandDescription

        /// The words joined by spaces, such as "config set".
        var path: String { words.joined(separator: " ") }
    }

    /// The program and all commands. Each command precedes its subcommands.
    package let nodes: [Node]

    package init() {
        var nodes: [Node] = []
        func add(_ command: CommandDescription, _ words: [String]) {
            nodes.append(Node(words: words, command: command))
            for subcommand in command.subcommands { add(subcommand, words + [subcommand.word]) }
        }
        add(CommandTable.root, [])
        self.nodes = nodes
    }
}

extension OptionDescription {
    /// The long name and, if there is one, the short name, such as "--voice" and "-v".
    package var names: [String] { [name] + (short.map { ["-\($0)"] } ?? []) }

    /// How the shell completes the value, or nil for an option without a value.
    package var value: CompletedValue? { valueName.map(CompletedValue.init(named:)) }
}
